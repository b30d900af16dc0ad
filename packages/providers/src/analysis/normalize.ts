/** A text in normal form, with the way back to the original. */
export interface NormalizedText {
  readonly text: string;
  /** Returns the offset in the original where the character at a normalised offset begins. */
  startOf(offset: number): number;
  /** Returns the offset in the original after the character that ends before a normalised offset. */
  endOf(offset: number): number;
}

/** A character with the marks that follow it (no real text has as many), the half-width voicing marks of kana included. */
const CLUSTER = /[^](?:\p{M}|[\uff9e\uff9f]){0,4096}/gu;

/** Says which form of a kanji is meant (Unicode Technical Standard 37): 葛󠄀 is 葛. */
const SELECTORS = /[\u{e0100}-\u{e01ef}]/gu;
/** The first half of all of them. */
const SELECTOR = '\udb40';

/**
 * Normalises to NFKC (Unicode Standard Annex 15), so that `ｶﾞ`, `ガ` and `が` written with a
 * combining mark, or `Ａ` and `A`, are the same. The case is kept; selectors of forms of kanji are left out.
 */
export function normalize(original: string): NormalizedText {
  const text = original.normalize('NFKC');
  if (text === original && !text.includes(SELECTOR))
    return { text, startOf: (at) => at, endOf: (at) => at };
  return normalizeByCluster(original);
}

function normalizeByCluster(original: string): NormalizedText {
  const starts: number[] = [];
  const ends: number[] = [];
  let text = '';
  for (const match of original.matchAll(CLUSTER)) {
    const normal = match[0].normalize('NFKC').replaceAll(SELECTORS, '');
    for (let unit = 0; unit < normal.length; unit++) {
      starts.push(match.index);
      ends.push(match.index + match[0].length);
    }
    text += normal;
  }
  return {
    text,
    startOf: (at) => starts[at] ?? original.length,
    endOf: (at) => ends[at - 1] ?? 0,
  };
}
