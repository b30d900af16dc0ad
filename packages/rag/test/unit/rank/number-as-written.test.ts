import { describe, expect, it } from 'vitest';
import { KeywordFlexBackend } from '../../../src/backends/keyword-flex-backend.ts';
import type { SearchHit } from '../../../src/index.ts';
import { openCompact } from '../../support/compact-analyzer.ts';

async function found(query: string, texts: readonly string[]): Promise<readonly SearchHit[]> {
  const backend = await KeywordFlexBackend.open({ analyzer: await openCompact() });
  for (const [at, text] of texts.entries()) {
    await backend.updateFile({ novelId: 'n', filePath: `${at}.txt`, text });
  }
  const { hits } = await backend.search(query, { k: 10, explain: true });
  await backend.close();
  return hits;
}

describe('a number in kanji', () => {
  it('is found as it is written before it is in digits', async () => {
    const texts = ['列の1番と1番の1番', '第一の灯台'];
    expect((await found('第一の列', texts))[0]?.content).toBe('第一の灯台');
    const both = await found('十七歳', ['彼女は17歳だ', '彼女は十七歳だ', '彼女は16歳だ']);
    expect(both.map(({ content }) => content)).toEqual([
      '彼女は十七歳だ',
      '彼女は17歳だ',
      '彼女は16歳だ',
    ]);
  });

  it.each([
    ['一部', '1部の台本', '1番の台本'],
    ['一つ', '1つの鍵', '1本の鍵'],
    ['一番', '1番の嵐', '1日の嵐'],
  ])('in a word is found with what it counts: %s', async (word, same, other) => {
    const hits = await found(word, [same, other, '13部と13つと13番']);
    expect(hits.map(({ content }) => content)).toEqual([same]);
  });
});

it('a word is counted once in a text that has several of its forms', async () => {
  const hits = await found('シャリーア 羅針盤', ['シャリーアの話', '羅針盤の話', '港の話']);
  const values = hits.map(
    ({ explanation = [] }) => explanation.find(({ name }) => /シャ|羅/.test(name))?.value ?? 0,
  );
  expect(values).toHaveLength(2);
  expect(values[0]).toBeCloseTo(values[1] ?? 0, 6);
});
