import type { SourceEntry } from './source-entries.ts';

/** A word with kanji whose kana may be written in other ways. */
const OKURIGANA = /\p{sc=Han}/u;
const KANA = /[\u3041-\u309f\u30a1-\u30ff]/g;

/** A spelling and the one that stands for it. */
export type Spelling = readonly [word: string, standard: string];

interface Candidate {
  readonly word: string;
  readonly cost: number;
}

/**
 * Finds words that differ in nothing but how many of their kana are written out, such as `行なう` and
 * `行う`, or `取り扱い`, `取扱い` and `取扱`: the same kanji, reading and part of speech. The one that
 * the dictionary thinks most common stands for all. Words with several readings are left alone, as
 * `上る` is only sometimes `上がる`; names are too.
 */
export function findSpellings(entries: Iterable<SourceEntry>): Spelling[] {
  const readings = new Map<string, Set<string>>();
  const groups = new Map<string, Candidate[]>();
  for (const { surface, basic, reading, features, cost } of entries) {
    const [pos = '', detail] = features;
    if (!OKURIGANA.test(surface)) continue;
    if (basic !== surface || detail === '固有名詞' || pos === '記号') continue;
    let known = readings.get(surface);
    if (!known) readings.set(surface, (known = new Set()));
    known.add(reading);
    const key = `${surface.replace(KANA, '')} ${reading} ${pos}`;
    const group = groups.get(key);
    if (group) group.push({ word: surface, cost });
    else groups.set(key, [{ word: surface, cost }]);
  }
  const spellings = new Map<string, string>();
  for (const group of groups.values()) {
    const clear = group
      .filter(({ word }) => readings.get(word)?.size === 1)
      .toSorted((a, b) => a.cost - b.cost || (a.word < b.word ? -1 : 1));
    const standard = clear[0]?.word;
    if (standard === undefined) continue;
    for (const { word } of clear) {
      if (word !== standard && !spellings.has(word)) spellings.set(word, standard);
    }
  }
  // A word of two kinds could lead to one that itself leads on.
  return [...spellings].filter(([, standard]) => !spellings.has(standard));
}
