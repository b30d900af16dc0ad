/**
 * Letters of scripts that write words without spaces between them (Japanese but for katakana, Chinese,
 * Thai, Lao, Khmer, Burmese, Tibetan), or put endings right after them (Korean): where a word ends is
 * not to be seen there.
 */
const OPEN =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}\p{Script=Hangul}]/u;

/** A run of katakana is a word, the mark of long vowels in it. */
const KATAKANA = /[\p{Script=Katakana}\u30fc]/u;
const LETTER = /[\p{L}\p{M}\p{N}_]/u;
const DIGIT = /\p{N}/u;

/**
 * Where a word is in a text, in any width and case; -1 where it does not. It does not count within a
 * longer word: a letter right next to it must be of another kind (`END` is in `これでEND。`, not in
 * `weekend`; `ライン` not in `オンライン`). In scripts without spaces it counts anywhere: `結論` is in
 * `最終結論に`.
 */
export function wordInText(text: string, word: string): number {
  const whole = folded(text);
  const wanted = folded(word).trim();
  if (wanted === '') return -1;
  for (let at = whole.indexOf(wanted); at >= 0; at = whole.indexOf(wanted, at + 1)) {
    const before = Array.from(whole.slice(Math.max(0, at - 4), at)).toReversed();
    const after = Array.from(whole.slice(at + wanted.length, at + wanted.length + 4));
    const letters = Array.from(wanted);
    if (goesOn(letters[0], before) || goesOn(letters.at(-1), after)) continue;
    if (!isElided(letters.at(-1), after)) return at;
  }
  return -1;
}

/** Returns a text as words are looked for in it. */
export function folded(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}

/**
 * Checks whether a word continues beyond its edge.
 *
 * @param outside - The characters beyond, the nearest first.
 */
function goesOn(edge = '', [next = '', afterNext = '']: readonly string[]): boolean {
  if (kindOf(edge) === undefined) return false;
  if (kindOf(next) === kindOf(edge)) return true;
  // 3.14 and 10,000 are one.
  return /[.,]/.test(next) && DIGIT.test(edge) && DIGIT.test(afterNext);
}

/** `don` is not a word in `don't`, nor `l` in `l'été`; but `été` is. */
function isElided(edge = '', [next = '', afterNext = '']: readonly string[]): boolean {
  return /['\u2019]/.test(next) && kindOf(edge) === 'letter' && kindOf(afterNext) === 'letter';
}

function kindOf(character: string): 'katakana' | 'letter' | undefined {
  if (character === '' || OPEN.test(character)) return undefined;
  if (KATAKANA.test(character)) return 'katakana';
  return LETTER.test(character) ? 'letter' : undefined;
}

/** Returns the part of a name that a reader compares. */
export function sameName(name: string): string {
  return name.normalize('NFKC').trim().toLowerCase();
}

/** Checks whether a name is in one line, and holds no control characters: logs and prompts show it so. */
export function isOneLine(name: string): boolean {
  return !/[\p{Cc}\u2028\u2029]/u.test(name);
}

/**
 * Checks whether a text shows nothing: white space, and characters without a width such as U+200B, say as
 * little as an empty answer.
 */
export function isBlank(text: string): boolean {
  return !/[^\s\p{Cf}\p{Default_Ignorable_Code_Point}]/u.test(text);
}

/**
 * Returns the language that a topic is taken to be in: Japanese where it has Japanese characters, kanji alone
 * too, else English.
 */
export function languageOfTopic(topic: string): 'ja' | 'en' {
  const japanese = /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u;
  return japanese.test(topic) ? 'ja' : 'en';
}

/** Space and marks around a name, at most this many characters each. */
const SLACK = 8;

/** Marks that may be before a name. */
const MARKS = /^[\s>#*_[【［（(「『<][\s>#*_[【［（(「『<]*/;

/**
 * Takes the speaker's own name off the beginning of an answer, however often it is there: `A:`,
 * `**A**:`, `[A]：`, `「A」：`. Pieces go in as they come, and what comes out,
 * joined, does not depend on how the answer was cut.
 */
export class NamePrefixFilter {
  readonly #prefix: RegExp;
  readonly #longest: number;
  readonly #name: string;
  #held = '';
  #isThrough = false;

  constructor(name: string) {
    const escaped = name.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
    this.#prefix = new RegExp(
      String.raw`^[\s>#]{0,${SLACK}}[*_]{0,3}[[【［（(「『<]?${escaped}[\]】］）)」』>]?(?:さん|氏)?[*_]{0,3}\s{0,2}[:：][*_]{0,3}\s{0,${SLACK}}`,
      'iu',
    );
    this.#name = name.toLowerCase();
    this.#longest = name.length + 2 * SLACK + 24;
  }

  /** @returns The part that may be passed on. */
  push(piece: string): string {
    if (this.#isThrough) return piece;
    this.#held += piece;
    for (;;) {
      const match = this.#prefix.exec(this.#held)?.[0];
      // More of the prefix may follow what is all that there is.
      if (match !== undefined && match.length < this.#held.length) {
        this.#held = this.#held.slice(match.length);
      } else if (match === undefined && !this.#mayBecomePrefix()) {
        return this.#pass();
      } else return '';
    }
  }

  /** @returns The part that was still held back. */
  end(): string {
    if (this.#isThrough) return '';
    const match = this.#prefix.exec(this.#held)?.[0] ?? '';
    this.#held = this.#held.slice(match.length);
    return this.#pass();
  }

  /** Checks whether what follows could still make a prefix of what is held. */
  #mayBecomePrefix(): boolean {
    if (this.#held.length >= this.#longest) return false;
    if (MARKS.test(this.#name)) return true;
    const start = this.#held.replace(MARKS, '').toLowerCase();
    return start.startsWith(this.#name) || this.#name.startsWith(start);
  }

  #pass(): string {
    const held = this.#held;
    this.#held = '';
    this.#isThrough = true;
    return held;
  }
}

/** Returns a whole answer without the speaker's own name at its beginning. */
export function withoutNamePrefix(text: string, name: string): string {
  const filter = new NamePrefixFilter(name);
  return filter.push(text) + filter.end();
}
