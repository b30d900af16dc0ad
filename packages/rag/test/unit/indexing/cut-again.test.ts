import { expect, it } from 'vitest';
import { Chunk, MarkdownChunkingStrategy, type ChunkingStrategy } from '../../../src/index.ts';
import { makeProject, openIndexer } from '../../support/indexed-project.ts';

it('rebuilds an index that was cut in another way, and keeps the chunks that stay', async () => {
  const front = '---\ntitle: 灯台の島\n---\n\n';
  const folder = makeProject({ 'contents/01.md': `${front}霧が出た。\n\n# 二\n\n嵐の夜` });
  const chunking = new MarkdownChunkingStrategy();
  // As it was when front matter was content.
  const old: ChunkingStrategy = {
    id: chunking.id.replace('markdown-4', 'markdown-1'),
    async chunk(document) {
      const [first, ...others] = await chunking.chunk(document);
      if (!first) return [];
      const { title, content, filePath, endLine, novelId, headingPath } = first;
      const place = { filePath, startLine: 1, endLine, chunkIndex: 0, novelId };
      return [new Chunk({ ...place, title, headingPath, content: front + content }), ...others];
    },
  };
  const before = await openIndexer(folder, { chunking: old });
  await before.refresh();
  expect((await before.search('灯台', { k: 5 })).hits[0]?.payload.start).toBe(1);
  const { chunks } = await before.backend.stats();
  await before.close();
  const after = await openIndexer(folder, { chunking });
  expect(await after.refresh()).toMatchObject({ indexed: 1, unchanged: 0 });
  const { hits } = await after.search('霧', { k: 5 });
  expect(hits.map(({ content, payload: { start } }) => [content, start])).toEqual([
    ['霧が出た。', 5],
  ]);
  expect((await after.backend.stats()).chunks).toBe(chunks);
  expect(await after.refresh()).toMatchObject({ indexed: 0, unchanged: 1 });
});
