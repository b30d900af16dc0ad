import { describe, expect, it } from 'vitest';
import { openCompact } from '../../support/compact-analyzer.ts';

async function basics(text: string): Promise<string> {
  const { words } = await openCompact();
  return words(text)
    .map(({ basic }) => basic)
    .join(' ');
}

describe('kana after one kanji', () => {
  it.each([
    ['恐しかった', '恐ろしかった'],
    ['驚ろいて', '驚いて'],
    ['新らしい本', '新しい本'],
    ['味って', '味わって'],
    ['明かに', '明らかに'],
    ['働らく', '働く'],
    ['横わる', '横たわる'],
    ['加る', '加わる'],
    ['殆んど', '殆ど'],
    ['短かく', '短く'],
    ['始った', '始まった'],
  ])('may be fewer or more: %s is %s', async (written, standard) => {
    expect(await basics(written)).toBe(await basics(standard));
  });

  it.each([
    '下から見たら',
    '大いなる空から',
    '崩された',
    '勝さんに聞くから',
    '痛いって言った',
    '低くしながら',
    '引きつけて得たい',
    '来たらば、来たん',
    '平らに解かれた',
  ])('stay in %s', async (text) => {
    const { words } = await openCompact();
    const written = words(text).map(({ start, end }) => text.slice(start, end));
    expect(written.join('')).toBe(text);
    expect(await basics(text)).not.toMatch(
      /下がる|見当たる|大きい|崩れ|痛み|勝る|低す|引っ|得難い|得がたい/,
    );
  });

  it('keeps the places of the words', async () => {
    const { words } = await openCompact();
    const [first, second] = words('恐しい夜');
    expect([first?.start, first?.end, second?.start, second?.end]).toEqual([0, 3, 3, 4]);
  });
});
