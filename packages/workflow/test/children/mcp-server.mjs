// A server of the Model Context Protocol that counts its calls in a file: node mcp-server.mjs FILE
import { appendFileSync } from 'node:fs';
import { McpServer } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';

const [, , file = ''] = process.argv;
appendFileSync(file, 'started\n');
const server = new McpServer({ name: 'counter', version: '1.0.0' });
server.registerTool(
  'double',
  { description: 'Doubles a number', inputSchema: z.object({ n: z.number() }) },
  ({ n }) => {
    appendFileSync(file, `double ${n} ${process.env.SECRET ?? ''}\n`);
    return { content: [{ type: 'text', text: String(n * 2) }] };
  },
);
server.registerTool('fail', { inputSchema: z.object({}) }, () => {
  throw new Error('broken');
});
server.registerTool('exit', { inputSchema: z.object({}) }, () => {
  appendFileSync(file, 'exit\n');
  process.exit(1);
});
await server.connect(new StdioServerTransport());
