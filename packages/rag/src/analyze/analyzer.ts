import type { TextAnalyzer, Term } from '@vizprompt/providers/text';

/** A word of a text, with the facts that search goes by. */
export interface Word {
  /** UTF-16 offset of its first character in the original text. */
  readonly start: number;
  /** Offset after its last character. */
  readonly end: number;
  /**
   * The basic form in normal form (NFKC, small letters, long vowels folded): what it is found by.
   * The same for `走った`, `走れば` and `走る`.
   */
  readonly basic: string;
  /** The reading of the surface in katakana, or the empty string where it is not known. */
  readonly reading: string;
  /**
   * Part of speech as in IPADIC: `名詞`, `動詞`, `形容詞`, `助詞` ...; empty if not known. Words that say
   * little have the detail that makes them so, and names theirs (`名詞,固有名詞`): `名詞,代名詞`, `名詞,非自立`, `名詞,接尾`, `名詞,数`,
   * `動詞,非自立`, `動詞,接尾`, `形容詞,非自立`, `形容詞,接尾`. English question words are `名詞,代名詞`, `do`
   * and `have` are `動詞,非自立`.
   */
  readonly pos: string;
  /** True if it can be searched for; particles, endings and signs cannot. */
  readonly isContent: boolean;
  /** Further terms that find it, such as the parts of an identifier or the kana of its ruby. */
  readonly extra?: readonly string[];
}

/** How an analyzer is made again in another process. */
export type AnalyzerSpec =
  | {
      readonly kind: 'compact';
      readonly dictionary: string;
    }
  | { readonly kind: 'segmenter' }
  | { readonly kind: 'bigram' }
  | { readonly kind: 'kuromojin' };

/**
 * A `TextAnalyzer` that knows words. Words come in the order of the text and do not overlap (but
 * for those of `bigramAnalyzer`, each of which begins inside the one before it); what lies between
 * them (spaces, markup) belongs to none. Texts come as they are written. Search goes by `words` and
 * `readings`; `analyze` is for the text indexes of `@vizprompt/providers`.
 */
export interface Analyzer extends TextAnalyzer {
  /** For processes that index next to this one. Absent: indexing runs in this process. */
  readonly spec?: AnalyzerSpec;

  /** Returns the words of a text, particles and signs among them. */
  words(text: string): readonly Word[];

  /**
   * Returns the readings that a basic form may have, in katakana; its own kana if it is written in kana, none
   * if they are not known.
   *
   * @example
   * ```ts
   * analyzer.readings('今日'); // ['キョウ', 'コンニチ']
   * analyzer.readings('さくら'); // ['サクラ']
   * ```
   */
  readings(basic: string): readonly string[];
}

const NUMBER = '名詞,数';
const DIGITS = /^\d[\d.]*$/;

/** Returns the basic form of a word; that of a number is its digits, however it is written, unless it is one of several. */
export function plainBasic({ pos, basic, extra = [] }: Word): string {
  if (pos !== NUMBER || DIGITS.test(basic)) return basic;
  const [digits, ...others] = extra.filter((term) => DIGITS.test(term));
  return digits === undefined || others.length > 0 ? basic : digits;
}

/** Returns the terms of words: those that can be searched for, and next to the line what else finds them. */
export function termsOfWords(words: readonly Word[], mode: 'index' | 'query'): readonly Term[] {
  const terms: Term[] = [];
  let position = 0;
  for (const { start, end, basic, extra = [], isContent } of words) {
    if (isContent) terms.push({ text: basic, start, end, position: position++ });
    for (const text of extra) {
      terms.push({ text, start, end, ...(mode === 'query' && { isWeak: true }) });
    }
  }
  return terms;
}

/** A word as the dictionary knows it, before anything is done to find it by. */
export interface Morpheme {
  /** Offsets in the text that was cut. */
  readonly start: number;
  readonly end: number;
  readonly surface: string;
  /** The basic form; the surface if the dictionary has none. */
  readonly basic: string;
  /** In katakana; empty if it is not known. */
  readonly reading: string;
  /** Part of speech as in IPADIC, three details, type and form of conjugation; `*` for none. */
  readonly features: readonly string[];
}
