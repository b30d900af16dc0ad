import { type Analyzer, type Word, termsOfWords } from './analyzer.ts';
import { foreignWords } from './foreign-words.ts';
import { isKana, toKatakana, JAPANESE, ONLY_SIGNS } from '../dictionary/kana-and-scripts.ts';
import { toWordText, addRuby, placeWord } from './normal-text.ts';

/** Changes whenever the same text would give other words. */
const VERSION = 9;
const IN_JAPANESE = new RegExp(`[${JAPANESE}]`, 'gv');
const IN_OTHERS = new RegExp(`[^${JAPANESE}]`, 'gv');
const HAN = /^\p{sc=Han}$/u;

/**
 * Returns an analyzer without any knowledge: each two neighbouring characters of Japanese are a word, which
 * begins inside the one before it. A kanji is found alone as well.
 */
export function bigramAnalyzer(): Analyzer {
  function words(original: string): readonly Word[] {
    const normal = toWordText(original);
    const found: Word[] = [];
    let isJapanese = false;
    for (let at = 0; at < normal.text.length; isJapanese = !isJapanese) {
      const end = endOfRun(normal.text, at, isJapanese);
      const run = normal.text.slice(at, end);
      if (isJapanese) addPairs(found, run, at);
      else for (const word of foreignWords(run, 0, run.length, at)) found.push(word);
      at = end;
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

/** Finds what ends a run: an expression for the run itself has no room for millions of characters. */
function endOfRun(text: string, from: number, isJapanese: boolean): number {
  const end = isJapanese ? IN_OTHERS : IN_JAPANESE;
  end.lastIndex = from;
  return end.exec(text)?.index ?? text.length;
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
