import type { Word } from './analyzer.ts';

/** The part of a dictionary that is asked here. */
interface Lexicon {
  /** Returns the spelling that replaces all of a basic form's, which may be itself. */
  standardSpelling(basic: string): string;
  /** Returns the readings of a word in katakana; none if it is not known. */
  readings(word: string): readonly string[];
}

const AS_SUFFIX = /接尾$/;

/** Adds words that end in 様 or with せる as the dictionary has them: お客様 for お客さま, 打ち合わせる for 打ち合わ and せる. */
export function addSuffixed(
  words: readonly Word[],
  text: string,
  { readings, standardSpelling }: Lexicon,
  add: (place: number, term: string) => void,
): void {
  for (const [place, last] of words.entries()) {
    if (!AS_SUFFIX.test(last.pos)) continue;
    const isPolite = text.startsWith('さま', last.start) && last.end === last.start + 2;
    if (!isPolite && last.basic !== 'せる') continue;
    const ending = isPolite ? '様' : last.basic;
    for (let first = place - 1; first >= 0 && first >= place - 2; first--) {
      const [front, next] = [words[first], words[first + 1]];
      if (front?.end !== next?.start || front === undefined) break;
      const whole = text.slice(front.start, last.start) + ending;
      if (readings(whole).length > 0) add(first, standardSpelling(whole));
    }
  }
}
