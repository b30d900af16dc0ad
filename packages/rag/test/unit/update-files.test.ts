import { expect, it } from 'vitest';
import { inMemoryStorage } from '@vizprompt/providers/node';
import { KeywordFlexBackend, SegmentBackend, SqliteFtsBackend } from '../../src/index.ts';
import { expectManyChanges } from '../support/many-changes.ts';
import type { SourceDocument } from '../../src/chunk/chunking-strategy.ts';
import { paragraphs, scriptAnalyzer, temporaryFolder } from '../support/search-index.ts';

const cutting = { analyzer: scriptAnalyzer(), chunking: paragraphs };
const document = (filePath: string, text: string): SourceDocument => {
  return { novelId: '灯台', filePath, text };
};

it.each([
  ['SegmentBackend', () => SegmentBackend.open({ ...cutting, folder: temporaryFolder() })],
  ['KeywordFlexBackend', () => KeywordFlexBackend.open(cutting)],
  [
    'SqliteFtsBackend',
    async () => SqliteFtsBackend.open({ ...cutting, database: (await inMemoryStorage()).database }),
  ],
])('%s writes documents and takes others out, all of it or nothing', async (_name, open) => {
  await using backend = await open();
  const old = document('old.md', '嵐の夜');
  await backend.updateFiles([old, document('b.md', '灯台')]);
  const moved = document('new.md', old.text);
  expect(await backend.updateFiles([moved], [old])).toEqual({ added: 1, removed: 1, kept: 0 });
  const { hits } = await backend.search('嵐');
  expect(hits.map(({ payload }) => payload.file)).toEqual(['new.md']);
  const bad = [document('c.md', '嵐の海'), document('d.md', null as unknown as string)];
  await expect(backend.updateFiles(bad, [moved])).rejects.toMatchObject({ code: 'invalid-input' });
  expect((await backend.search('嵐')).hits).toEqual(hits);
  const signal = AbortSignal.abort(new Error('enough'));
  await expect(backend.updateFiles([], [moved], { signal })).rejects.toThrow('enough');
  expect((await backend.search('嵐')).total).toBe(1);
});

it('an index that many change in answers as one made of them', async () => {
  await expect(expectManyChanges(false, 1)).resolves.toBeUndefined();
});
