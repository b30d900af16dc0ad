// Asks novels questions, and gets the passages that answer, with file and lines. No key, no network:
//   npx tsx examples/novel-search/main.ts                       the sample, with three questions
//   npx tsx examples/novel-search/main.ts --project-root ./novels 灯台 "嵐の夜に灯を守ったのは誰？"
//
// ./novels holds a folder for each novel, with settings/ and contents/. With --serve it then stays, as
// an MCP server on this machine that any MCP client can use.
import { cp, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { loadRagConfig, NovelService, RagError, type SearchHit } from '@vizprompt/rag';
import { serveNovelHttp } from '@vizprompt/rag/mcp';

const SAMPLE = '灯台';
const QUESTIONS = [
  '嵐の夜に灯を守ったのは誰？',
  '箱の鍵はどこに埋められていた？',
  '源蔵はミナトの何にあたる？',
];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { 'project-root': { type: 'string' }, serve: { type: 'boolean', default: false } },
});

try {
  const projectRoot = values['project-root'] ?? (await sampleRoot('./novel-search-data'));
  const [project = SAMPLE, ...questions] = positionals;
  const config = await loadRagConfig({ projectRoot });
  await using novels = await NovelService.open({ config });
  for (const { id, title } of await novels.listProjects()) console.log(`${id}: ${title}`);

  novels.events.on('project:progress', ({ done, total }) => {
    console.error(`indexing: ${done} of ${total} files`);
  });
  for (const question of questions.length > 0 ? questions : QUESTIONS) {
    const { hits, hint = '' } = await novels.search(project, question, { k: 2 });
    console.log(`\n? ${question}`);
    if (hits.length === 0) console.log(`Nothing was found. ${hint}`);
    for (const hit of hits) await show(novels, project, hit);
  }
  if (values.serve) {
    const server = await serveNovelHttp(novels, { port: 3000 });
    console.log(`\nMCP: ${server.url} (Ctrl-C ends it)`);
    await new Promise((resolve) => process.once('SIGINT', resolve));
    await server.close();
  }
} catch (error) {
  if (!RagError.isInstance(error)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}

/** Where a hit stands, what it says, and what the file has on those lines. */
async function show(novels: NovelService, project: string, hit: SearchHit): Promise<void> {
  const { file, start, end } = hit.payload;
  console.log(`- ${file}:${start}-${end} ${hit.headingPath.join(' › ')}`);
  console.log(`  ${hit.snippet.replaceAll(/\s+/g, ' ')}`);
  const area = file.startsWith('settings/') ? 'settings' : 'contents';
  const { files } = await novels.read(project, area, { file, startLine: start, endLine: end });
  const isThere = files[0]?.text.includes(hit.content) ?? false;
  console.log(`  ${isThere ? 'The file has it on these lines.' : 'The file has changed since.'}`);
}

/** The sample as a project, written once. */
async function sampleRoot(folder: string): Promise<string> {
  const source = fileURLToPath(new URL('../novel', import.meta.url));
  const project = join(folder, SAMPLE);
  for (const area of ['settings', 'contents']) {
    await mkdir(project, { recursive: true });
    await cp(join(source, area), join(project, area), { recursive: true });
  }
  return folder;
}
