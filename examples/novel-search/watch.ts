// Follows a novel while it is written: each saved change is found by the next search.
//   npx tsx examples/novel-search/watch.ts [PROJECT QUESTION] [--project-root DIR]
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openNovels } from './open-novels.ts';
import { SAMPLE, sampleRoot } from './sample.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { 'project-root': { type: 'string' } },
});
const root = values['project-root'] ?? (await sampleRoot());
const [project = SAMPLE, question = '鍵はどこ？'] = positionals;

await using novels = await openNovels(root);
await novels.index(project);
await search();
novels.events.on('file:indexed', ({ path }) => tell('saved', path));
novels.events.on('file:removed', ({ path }) => tell('deleted', path));

const interrupted = new AbortController();
process.once('SIGINT', () => interrupted.abort());
console.log(`\nWatching ${join(root, project)}: change, add or delete a file there. Ctrl+C ends.`);
await novels.watch(project, { signal: interrupted.signal });

async function tell(what: string, path: string): Promise<void> {
  console.log(`\n${path} was ${what}`);
  await search();
}

async function search(): Promise<void> {
  const { hits } = await novels.search(project, question, { limit: 3 });
  console.log(`? ${question}`);
  for (const { payload, snippet } of hits) {
    const place = `${payload.file}:${payload.start}-${payload.end}`;
    console.log(`- ${place} ${snippet.replaceAll(/\s+/g, ' ')}`);
  }
}
