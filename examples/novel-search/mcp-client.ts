// Asks the MCP server `dialogoi mcp`, as a coding agent or a chat app does:
//   npx tsx examples/novel-search/mcp-client.ts [PROJECT QUESTION] [--project-root DIR]
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { SAMPLE, sampleRoot } from './sample.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { 'project-root': { type: 'string' } },
});
const root = values['project-root'] ?? (await sampleRoot());
const [project = SAMPLE, query = '箱の鍵はどこに埋められていた？'] = positionals;

const client = new Client({ name: 'novel-search', version: '1.0.0' });
await client.connect(
  new StdioClientTransport({
    // Where @vizprompt/cli is installed globally, this is `command: 'dialogoi'`.
    command: process.execPath,
    args: [
      fileURLToPath(new URL('bin/dialogoi.cjs', import.meta.resolve('@vizprompt/cli'))),
      'mcp',
      '--project-root',
      root,
    ],
  }),
);
try {
  const { tools } = await client.listTools();
  console.log(`${tools.length} tools: ${tools.map(({ name }) => name).join(', ')}`);
  const name = 'search_novel_content';
  const { content, isError } = await client.callTool({
    name,
    arguments: { novelId: project, query, limit: 2 },
  });
  console.log(`\n${name}: ${query}`);
  for (const part of content) if (part.type === 'text') console.log(part.text);
  if (isError) process.exitCode = 1;
} finally {
  await client.close();
}
