import { describe, expect, it } from 'vitest';
import { KeywordFlexBackend } from '../../../src/backends/keyword-flex-backend.ts';
import { openCompact } from '../../support/compact-analyzer.ts';

const OTHERS = ['夜明けの町', '扇風機の風', '足並みと物音', 'ファンヒーター', '山の上の家'];

/** Returns the text that is found first. */
async function firstOf(asked: string, texts: readonly string[]): Promise<string | undefined> {
  const backend = await KeywordFlexBackend.open({ analyzer: await openCompact() });
  for (const [at, text] of texts.entries()) {
    await backend.updateFile({ novelId: 'n', filePath: `${at}.txt`, text: `「${text}」とある。` });
  }
  const { hits } = await backend.search(asked, { k: 1 });
  await backend.close();
  return hits[0]?.content.slice(1, -5);
}

describe('a word of two kanji', () => {
  it.each([
    ['逃げ足', '逃足'],
    ['敷物', '敷き物'],
    ['詰物', '詰め物'],
    ['吸口', '吸い口'],
    ['合せ鏡', '合わせ鏡'],
    ['落し文', '落とし文'],
    ['暮し向き', '暮らし向き'],
    ['差支え', '差し支え'],
  ])('is found whatever kana it has: %s and %s', async (first, second) => {
    expect(await firstOf(first, [...OTHERS, second])).toBe(second);
    expect(await firstOf(second, [...OTHERS, first])).toBe(first);
  });

  it.each([
    ['見え方', '見方'],
    ['行き方', '行方'],
    ['分かれ目', '分け目'],
    ['立て場', '立場'],
  ])('is another word with another reading: %s and %s', async (first, second) => {
    const analyzer = await openCompact();
    const terms = (text: string): ReadonlySet<string> =>
      new Set(analyzer.words(text).flatMap(({ basic, extra = [] }) => [basic, ...extra]));
    expect(terms(first).has(second)).toBe(false);
    expect(terms(second).has(first)).toBe(false);
  });
});

describe('an adjective', () => {
  it.each([
    ['明るい', '明かるい'],
    ['危ない', '危い'],
    ['少なくて', '少くて'],
  ])('is found with more and fewer kana: %s and %s', async (first, second) => {
    expect(await firstOf(first, [...OTHERS, second])).toBe(second);
    expect(await firstOf(second, [...OTHERS, first])).toBe(first);
  });
});

describe('a foreign word', () => {
  it.each([
    ['セロファン', 'セロハン'],
    ['ベニヤ板', 'ベニア板'],
    ['ビイル', 'ビール'],
    ['テエブル', 'テーブル'],
    ['アパアト', 'アパート'],
    ['コオヒイ', 'コーヒー'],
    ['スウィング', 'スイング'],
    ['イェルサレム', 'エルサレム'],
    ['スパゲティ', 'スパゲッティ'],
    ['チューリヒ', 'チューリッヒ'],
    ['リウマチ', 'リューマチ'],
    ['アボガド', 'アボカド'],
    ['サン＝テグジュペリ', 'サンテグジュペリ'],
    ['ジャンバー', 'ジャンパー'],
    ['メード', 'メイド'],
    ['珈琲', 'コーヒー'],
    ['燐寸箱', 'マッチ箱'],
    ['紐育', 'ニューヨーク'],
    ['希臘人', 'ギリシャ人'],
  ])('is found in its other spelling: %s and %s', async (first, second) => {
    expect(await firstOf(first, [...OTHERS, second])).toBe(second);
    expect(await firstOf(second, [...OTHERS, first])).toBe(first);
  });

  it.each([
    ['ビール', 'ビル'],
    ['カーテン', 'カートン'],
    ['バッター', 'バター'],
    ['ロッカー', 'ロカ'],
    ['スイッチ', 'スイス'],
    ['ストック', 'ストーク'],
    ['イェール', 'エール'],
  ])('is not another word: %s and %s', async (first, second) => {
    expect(await firstOf(first, [second])).toBeUndefined();
    expect(await firstOf(second, [first])).toBeUndefined();
  });
});

describe('a word', () => {
  it.each([
    ['おかーさん', 'おかあさん'],
    ['こーゆー話', 'こういう話'],
    ['ありがとー', 'ありがとう'],
    ['お茶', '御茶'],
    ['一瞬の闇', '一しゅんの闇'],
    ['仆れた', '倒れた'],
  ])('is found as it is said and written: %s and %s', async (first, second) => {
    expect(await firstOf(first, [...OTHERS, second])).toBe(second);
    expect(await firstOf(second, [...OTHERS, first])).toBe(first);
  });
});

describe('a sound', () => {
  it.each([
    ['ぴかっと', 'ピカッと'],
    ['ぎゅっと', 'ギュッと'],
    ['きらりと', 'キラリと'],
    ['もーもー', 'モーモー'],
  ])('is found in the other kana: %s and %s', async (first, second) => {
    expect(await firstOf(first, [...OTHERS, second])).toBe(second);
    expect(await firstOf(second, [...OTHERS, first])).toBe(first);
  });
});

describe('a single kanji', () => {
  it('is found in compounds next to a suffix, not next to okurigana', async () => {
    expect(await firstOf('お金の紙状のもの', [...OTHERS, '紙幣'])).toBe('紙幣');
    expect(await firstOf('言換え', [...OTHERS, '言い訳'])).not.toBe('言い訳');
  });
});
