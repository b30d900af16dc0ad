import { KNOWN_CHARACTERS, whatFollows } from '../rules/what-follows.ts';
import { codeAt } from '../code-at.ts';

/** A keyword, and the patterns that are tried at it. */
export interface KeywordPatterns {
  readonly keyword: string;
  /** Nothing for a pattern that is tried whatever follows. */
  readonly patterns: readonly (RegExp | undefined)[];
}

/** A keyword that is met so often is worth more than its patterns cost once. */
const OFTEN = 32;
/** Characters that are not ASCII, and the end of the text: what follows is not known. */
const OTHERS = 128;
const WIDTH = OTHERS + 1;
const ALL = -1;
/** One bit for each pattern. */
const MOST_PATTERNS = 32;

/** Checks by a few characters after a keyword which patterns may match: most others fail there. */
export class FollowingCharacters {
  readonly #keywords: readonly KeywordPatterns[];
  /** For each keyword, place and character: the patterns that may have it there. */
  readonly #masks: (Int32Array | undefined)[];
  readonly #met: Uint8Array;

  constructor(keywords: readonly KeywordPatterns[]) {
    this.#keywords = keywords;
    this.#masks = Array.from({ length: keywords.length }, () => undefined);
    this.#met = new Uint8Array(keywords.length);
  }

  /** Returns a bit for each pattern that may match at a keyword, from the first one on; all bits if there are more. */
  rulesAt(keyword: number, text: string, end: number): number {
    const masks = this.#masks[keyword] ?? this.#meet(keyword);
    if (!masks) return ALL;
    let bits = ALL;
    for (let place = 0; place < KNOWN_CHARACTERS && bits !== 0; place++) {
      const code = codeAt(text, end + place);
      bits &= masks[place * WIDTH + (code < OTHERS ? code : OTHERS)] ?? 0;
      if (code >= OTHERS) break;
    }
    return bits;
  }

  #meet(keyword: number): Int32Array | undefined {
    const met = (this.#met[keyword] ?? 0) + 1;
    this.#met[keyword] = met;
    const { keyword: word, patterns } = this.#keywords[keyword] ?? { keyword: '', patterns: [] };
    if (met < OFTEN || patterns.length > MOST_PATTERNS) return undefined;
    const masks = new Int32Array(KNOWN_CHARACTERS * WIDTH);
    for (const [number, pattern] of patterns.entries()) {
      const bit = 1 << number;
      const tables = pattern ? whatFollows(pattern, word) : [];
      for (let place = 0; place < KNOWN_CHARACTERS; place++) {
        const table = tables[place];
        for (let code = 0; code < WIDTH; code++) {
          if (table && table[code] === 0) continue;
          const at = place * WIDTH + code;
          masks[at] = (masks[at] ?? 0) | bit;
        }
      }
    }
    this.#masks[keyword] = masks;
    return masks;
  }
}
