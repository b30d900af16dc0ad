import { expect, it } from 'vitest';
import { inMemoryStorage } from '@vizprompt/providers/node';
import {
  KeywordFlexBackend,
  SegmentBackend,
  segmenterAnalyzer,
  SqliteFtsBackend,
} from '../../src/index.ts';
import type { SourceDocument } from '../../src/chunk/chunking-strategy.ts';
import { openBackend, paragraphs, scriptAnalyzer, temporaryFolder } from '../support/support.ts';

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

it.each([
  ['in this process', false],
  ['in a process of its own', true],
])('an index that many change in, %s, answers as one made of them', async (_name, mayFork) => {
  const line = '灯台守の娘は、嵐の夜に海を見ていた。猫が桟橋で待つ。\n\n';
  const novel = (word: string): readonly SourceDocument[] =>
    Array.from({ length: 130 }, (_, at) => {
      // Some stay, some change in a part, some as a whole, one is empty, then not.
      const kind = at % 4;
      const own = kind === 0 ? '鐘' : word;
      const rest = kind === 3 ? line.replaceAll('海', word) : line;
      const text = `${own}の第${at}章\n\n${rest.repeat(60)}`;
      return document(`${at}.md`, at === (word === '凪' ? 7 : 11) ? '' : text);
    });
  const analyzer = segmenterAnalyzer();
  const backend = await openBackend({ analyzer, mayFork });
  await backend.index(novel('嵐'));
  const second = novel('凪');
  expect(await backend.index(second)).toEqual({ indexed: 97, unchanged: 33 });
  const fresh = await openBackend({ analyzer });
  await fresh.index(second);
  for (const query of ['嵐', '凪の夜', '灯台守の娘', '"凪の第5章"', '+鐘 -猫', '第12章']) {
    const { hits, total } = await backend.search(query, { k: 40 });
    expect({ hits, total }).toEqual(await fresh.search(query, { k: 40 }));
  }
  expect((await backend.stats()).chunks).toBe((await fresh.stats()).chunks);
  expect(await backend.index(second)).toEqual({ indexed: 0, unchanged: 130 });
});
