import { guessLanguage } from '@vizprompt/providers/internal';

/**
 * Words that can be keywords: runs of kanji (without those that count what a number says) or
 * katakana, and Latin words, identifiers whole.
 */
const CANDIDATE =
  /(?<![\d０-９\p{sc=Han}々])[\p{sc=Han}々]{2,8}|[\p{sc=Katakana}ー]{2,20}|[\p{sc=Latin}][\p{sc=Latin}\p{N}]*(?:[_.+#-][\p{sc=Latin}\p{N}+#]+)*[+#]*/gu;

interface Candidate {
  /** As it is written first. */
  readonly word: string;
  count: number;
  readonly first: number;
  /** It has a capital letter within a sentence somewhere. */
  isName: boolean;
}

/** Text beyond this length says nothing new. */
const MAX_LENGTH = 20_000;

/**
 * Returns the keywords of a text, the most telling first: frequent words, longer and earlier ones before
 * others, without function words and without words that are part of a better one.
 */
export function keywordsOf(text: string, limit: number): string[] {
  const prose = text.replaceAll(/```[^]*?(?:```|$)/g, ' ').replaceAll(/https?:\/\/\S\S*/g, ' ');
  const sample = (prose.trim() === '' ? text : prose).slice(0, MAX_LENGTH);
  const isJapanese = guessLanguage(sample) === 'ja';
  const candidates = new Map<string, Candidate>();
  for (const { 0: word, index } of sample.matchAll(CANDIDATE)) {
    const key = word.normalize('NFKC').toLowerCase();
    if (!isTelling(key, isJapanese)) continue;
    const isName =
      /[_.#+]|\p{Ll}\p{Lu}/u.test(word) ||
      (/^\p{Lu}/u.test(word) && /[\p{Ll},]\s$/u.test(sample.slice(index - 2, index)));
    const known = candidates.get(key) ?? { word, count: 0, first: index, isName };
    known.count++;
    known.isName ||= isName;
    candidates.set(key, known);
  }
  const ranked = [...candidates.entries()]
    .map(([key, candidate]) => ({ key, ...candidate, score: scoreOf(key, candidate, sample) }))
    .toSorted((a, b) => b.score - a.score || a.first - b.first);
  const chosen: typeof ranked = [];
  for (const candidate of ranked) {
    if (chosen.length >= limit) break;
    if (chosen.some(({ key }) => overlaps(key, candidate.key))) continue;
    chosen.push(candidate);
  }
  return chosen.map(({ word }) => word);
}

function isTelling(key: string, isJapanese: boolean): boolean {
  if (/^[\p{sc=Latin}]/u.test(key)) {
    const letters = key.replaceAll(/[^\p{L}]/gu, '');
    return letters.length >= (isJapanese ? 2 : 3) && !ENGLISH_STOP_WORDS.has(key);
  }
  return !JAPANESE_STOP_WORDS.has(key) && !/^(?:ーー*$|何)/.test(key);
}

function scoreOf(key: string, { count, first, isName }: Candidate, text: string): number {
  const length = Math.min(1.6, 0.8 + key.length / 10);
  const place = 1 + 0.5 * (1 - first / Math.max(1, text.length));
  return (1 + Math.log(count)) * length * place * (isName ? 1.3 : 1);
}

/** One holds the other, as 設定ファイル holds 設定. */
function overlaps(a: string, b: string): boolean {
  return a.includes(b) || b.includes(a);
}

/** Words that say nothing about a text: function words, and talk about talking. */
export const ENGLISH_STOP_WORDS: ReadonlySet<string> = new Set(
  `a about above after again all also am an and any are as at be because been before being below
  between both but by can cannot could did do does doing don done down during each else even every
  few for from further get gets getting give given gives go goes going good got had has have having
  he her here hers him his how however i if in into is it its itself just keep know let lets like
  look looks made make makes making many may maybe me might more most much must my need needs new no
  nor not now of off often ok okay on once one only or other our out over own please put rather really
  right same say says see seems shall she should so some something sometimes still such sure take than
  thank thanks that the their them then there these they thing things think this those though three
  through to too try two under until up us use used useful uses using usually very want wants was way
  we well were what when where whether which while who whole why will with within without would yes
  yet you your yours example following question answer help hello first second suggest write nice great
  short explain show tell find work works lot little bit actually absolutely already always basically
  certainly clearly completely currently definitely directly easily especially exactly finally fully
  generally highly however immediately instead likely mainly mostly nearly never often particularly
  possibly primarily probably properly quickly quite recently significantly simply slightly
  specifically truly typically various loaded based called done including related several already
  different another around away back better best big`.split(/\s\s*/),
);

/** Runs of kanji or katakana that say as little in Japanese. */
const JAPANESE_STOP_WORDS: ReadonlySet<string> = new Set(
  `今日 昨日 明日 今回 前回 次回 最初 最後 以下 以上 上記 下記 場合 必要 可能 方法 自分 全部 一部 部分
  質問 回答 説明 具体的 基本的 一般的 例えば 詳細 内容 確認 注意 大丈夫 本当 時間 時点 現在 最近 結果
  理由 意味 問題 一番 一度 一緒 以外 以降 以前 同様 同時 通常 通り 皆様 何故 何度 私達 貴方 使用 利用
  コト モノ タメ ヨウ ソレ コレ アレ ドレ`.split(/\s\s*/),
);
