import { type Analyzer, type Word, termsOfWords } from './analyzer.ts';
import { foreignWords } from './foreign-words.ts';
import { isKana, toKatakana, JAPANESE, ONLY_SIGNS } from '../dictionary/kana-and-scripts.ts';
import { toWordText, addRuby, placeWord } from './normal-text.ts';

/** Changes whenever the same text would give other words. */
const VERSION = 5;
const RUNS = new RegExp(`(?<japanese>[${JAPANESE}]+)|[^${JAPANESE}]+`, 'gv');
const HAN = /^\p{sc=Han}$/u;

/**
 * Returns an analyzer without any knowledge: each two neighbouring characters of Japanese are a word, which
 * begins inside the one before it. A kanji is found alone as well.
 */
export function bigramAnalyzer(): Analyzer {
  function words(original: string): readonly Word[] {
    const normal = toWordText(original);
    const found: Word[] = [];
    for (const { 0: run, index, groups } of normal.text.matchAll(RUNS)) {
      if (groups?.['japanese'] !== undefined) addPairs(found, run, index);
      else for (const word of foreignWords(run, 0, run.length, index)) found.push(word);
    }
    return addRuby(
      found.map((word) => placeWord(word, normal.offsets)),
      normal,
    );
  }

  return {
    specVersion: 1,
    id: `bigram-${VERSION}`,
    spec: { kind: 'bigram' },
    words,
    analyze: (text, mode) => termsOfWords(words(text), mode),
    readings: (basic) => (isKana(basic) ? [toKatakana(basic)] : []),
  };
}

function addPairs(found: Word[], run: string, at: number): void {
  const characters = Array.from(run);
  let start = at;
  for (const [index, character] of characters.entries()) {
    const second = characters[index + 1] ?? '';
    // The last character is in the pair before it.
    if (second === '' && index > 0) return;
    const isLast = index === characters.length - 2;
    const basic = character + second;
    const alone = (isLast ? [character, second] : [character]).filter((each) => HAN.test(each));
    found.push({
      start,
      end: start + basic.length,
      basic,
      reading: '',
      pos: '',
      isContent: !ONLY_SIGNS.test(basic),
      ...(second !== '' && alone.length > 0 && { extra: alone }),
    });
    start += character.length;
  }
}
