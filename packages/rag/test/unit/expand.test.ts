import { sqliteDatabase } from '@vizprompt/providers/node';
import { expect, it, onTestFinished, vi } from 'vitest';
import type { SearchBackend } from '../../src/contract/search-backend.ts';
import { SqliteFtsBackend } from '../../src/backends/sqlite-fts-backend.ts';
import { Chunk } from '../../src/chunk/chunk.ts';
import { SegmentReader } from '../../src/segment/read/segment-reader.ts';
import { BACKENDS } from '../support/backends.ts';
import { openBackend, paragraphs, scriptAnalyzer } from '../support/search-index.ts';

const document = { novelId: '灯台', filePath: 'a.md' };
const texts = Array.from({ length: 160 }, (_, at) => `${at % 20 === 7 ? '嵐' : '凪'}の夜 ${at}`);

/** Returns the context of the storms. */
async function contexts(
  backend: SearchBackend,
  expand: { readonly before?: number; readonly after?: number },
): Promise<ReadonlyMap<string, string | undefined>> {
  const { hits } = await backend.search('嵐', { k: 40, expand });
  return new Map(hits.map(({ content, context }) => [content, context?.text]));
}

function around(list: readonly string[], before: number, after: number): typeof expected {
  const expected = new Map<string, string>();
  for (const [at, text] of list.entries()) {
    if (!text.startsWith('嵐')) continue;
    expected.set(text, list.slice(Math.max(0, at - before), at + after + 1).join('\n\n'));
  }
  return expected;
}

it.each(Object.entries(BACKENDS))(
  '%s shows the neighbours of chunks that moved, came and went',
  async (_name, open) => {
    const backend = await open(scriptAnalyzer());
    await backend.updateFile({ ...document, text: texts.join('\n\n') });
    const changed = ['嵐の朝', '凪の朝', ...texts.slice(1, 80), ...texts.slice(110), '嵐の昼'];
    await backend.updateFile({ ...document, text: changed.join('\n\n') });
    for (const [before, after] of [
      [0, 0],
      [1, 0],
      [0, 2],
      [3, 1],
      [900, 2 ** 32 - 1],
    ] as const) {
      expect(await contexts(backend, { before, after })).toEqual(around(changed, before, after));
    }
    expect(await contexts(backend, {})).toEqual(around(changed, 0, 0));
    const place = { startLine: 7, endLine: 7, chunkIndex: 2, title: '' };
    await backend.add([new Chunk({ ...document, ...place, content: '嵐の間' })]);
    const added = await contexts(backend, { before: 1, after: 1 });
    expect(added.get('嵐の間')).toBe('凪の夜 1\n\n嵐の間凪の夜 2');
    await backend.close();
  },
);

it('reads no more of a document of a file than is shown', async () => {
  const backend = await openBackend();
  await backend.updateFile({ ...document, text: texts.join('\n\n') });
  const read = vi.spyOn(SegmentReader.prototype, 'formsOf');
  onTestFinished(() => void vi.restoreAllMocks());
  await backend.search('嵐', { k: 40 });
  const alone = read.mock.calls.length;
  await contexts(backend, { before: 1, after: 1 });
  expect(read.mock.calls.length).toBeLessThan(5 * alone);
});

it('reads no more of a document in a database than is shown', async () => {
  const database = sqliteDatabase({ path: ':memory:' });
  onTestFinished(() => database.close());
  const options = { analyzer: scriptAnalyzer(), chunking: paragraphs };
  const backend = await SqliteFtsBackend.open({ ...options, database });
  await backend.updateFile({ ...document, text: texts.join('\n\n') });
  await contexts(backend, {});
  const query = vi.spyOn(database, 'query');
  await contexts(backend, { before: 1, after: 1 });
  const rows = await Promise.all(query.mock.results.map(({ value }) => value));
  expect(rows.flat().length).toBeLessThan(200);
});
