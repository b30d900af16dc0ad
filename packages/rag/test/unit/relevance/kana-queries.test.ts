import { describe, expect, it } from 'vitest';
import { toWordText } from '../../../src/analyze/normal-text.ts';
import { KeywordFlexBackend } from '../../../src/backends/keyword-flex-backend.ts';
import { openCompact } from '../../support/compact-analyzer.ts';

async function finds(query: string, text: string): Promise<boolean> {
  const backend = await KeywordFlexBackend.open({ analyzer: await openCompact() });
  await backend.updateFile({ novelId: 'n', filePath: 'a.txt', text });
  const { total } = await backend.search(query);
  await backend.close();
  return total > 0;
}

describe('a query in kana', () => {
  it.each([
    ['きく', '彼に名を訊いた'],
    ['まく', '餌を撒いた'],
    ['かすれる', '掠れた声'],
    ['かすめる', '頬を掠めた'],
    ['れんが', '煉瓦の家'],
    ['ねる', '餡を煉る'],
    ['たずねる', '道を訊ねる'],
    ['かほ', '先輩のかほは笑った'],
    ['しほ', '先輩のしほは笑った'],
    ['なほ', '先輩のなほは笑った'],
    ['ふぢ', '先輩のふぢは笑った'],
    ['みづ', '先輩がみづを呼ぶ'],
    ['みづき', '先輩のみづきは笑った'],
    ['しづか', '先輩のしづかは笑った'],
  ])('%s finds %s', async (query, text) => {
    expect(await finds(query, text)).toBe(true);
  });

  it.each([
    ['かほ', '顔を洗った'],
    ['しほ', '塩を振った'],
  ])('%s does not find %s', async (query, text) => {
    expect(await finds(query, text)).toBe(false);
  });
});

describe('a word with kanji that are written otherwise today', () => {
  it.each([
    '訊問/尋問',
    '蒐集/収集',
    '掠奪/略奪',
    '撒布/散布',
    '煉乳/練乳',
    '叛乱/反乱',
    '聚落/集落',
    '廻転/回転',
  ])('finds the other: %s', async (pair) => {
    const [one = '', other = ''] = pair.split('/');
    expect([await finds(one, other), await finds(other, one)]).toEqual([true, true]);
  });

  it('does not find another word with the same kanji', async () => {
    expect(await finds('煉瓦', '煉獄の火')).toBe(false);
    expect(toWordText('槁木').text).toBe('槁木');
  });
});

describe('old orthography', () => {
  it.each([
    'この歌はずっと好きだ',
    'この歌はねえ',
    '家へてくてく歩く',
    '学校へるす番に戻る',
    '町へていねいに運ぶ',
    'あつた神宮へ行く',
    '「うへぇ」と言う',
  ])('is not in %s', (text) => {
    expect(toWordText(text).text).toBe(text);
  });

  it.each([
    ['思はずに笑ふ', '思わずに笑う'],
    ['歌はず、買はぬ', '歌わず、買わぬ'],
    ['考へてゐる', '考えている'],
    ['教へてくれた', '教えてくれた'],
    ['考へるだらう', '考えるだろう'],
    ['伝へられた', '伝えられた'],
    ['駅があつた', '駅があった'],
  ])('is in %s', (text, modern) => {
    expect(toWordText(text).text).toBe(modern);
  });
});
