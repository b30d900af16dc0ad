import type { Language } from '@vizprompt/providers/internal';

const segmenters = new Map<Language, Intl.Segmenter>();

/** Every segment that `Intl.Segmenter` gives holds a copy of the whole text: so it gets short ones. */
const PIECE = 400;

/** A word and the UTF-16 offset of its first character. */
export interface PlacedWord {
  readonly word: string;
  readonly index: number;
}

/** The words of a text, one after the other. */
export function* wordsOf(text: string, language: Language): Generator<PlacedWord> {
  const segmenter =
    segmenters.get(language) ?? new Intl.Segmenter(language, { granularity: 'word' });
  segmenters.set(language, segmenter);
  for (let from = 0; from < text.length;) {
    const to = pieceEnd(text, from);
    for (const { segment, index, isWordLike } of segmenter.segment(text.slice(from, to))) {
      if (isWordLike) yield { word: segment, index: from + index };
    }
    from = to;
  }
}

/** Where a piece ends: behind a space or a mark if there is one, never within a character. */
function pieceEnd(text: string, from: number): number {
  const end = from + PIECE;
  if (end >= text.length) return text.length;
  const piece = text.slice(from, end);
  const border = Math.max(piece.lastIndexOf(' '), piece.lastIndexOf('\n'), piece.lastIndexOf('。'));
  if (border > 0) return from + border + 1;
  return /[\ud800-\udbff]$/.test(piece) ? end - 1 : end;
}

/** The first words of a text. */
export function firstWords(text: string, language: Language, count: number): PlacedWord[] {
  const words: PlacedWord[] = [];
  for (const word of wordsOf(text, language)) {
    if (words.length >= count) break;
    words.push(word);
  }
  return words;
}

/** Text beyond this length says nothing new. */
const MAX_LENGTH = 100_000;

/** Where a sentence ends: after its mark and closing brackets, or with its line. */
const SENTENCE =
  /[^。．！？!?\n]*?(?:[。．！？]+[」』）)]*|[!?]+["')\]]*(?=\s|$)|\.["')\]]*(?=\s|$)|\n|$)/g;

/** The sentences of a text, without code and without what only marks up. */
export function sentencesOf(text: string): string[] {
  const prose = text
    .slice(0, MAX_LENGTH)
    .replaceAll(/```[^]*?(?:```|$)/g, '\n')
    // A line that goes on in small letters was only wrapped.
    .replaceAll(/(?<=[^\n])\n(?=\p{Ll})/gu, ' ')
    .replaceAll(/^\s*(?:[-*+>]|#{1,6}|\d+\.)\s+/gm, '')
    .replaceAll(/[*_`]{1,3}(?=\S)|(?<=\S)[*_`]{1,3}/g, '');
  const sentences = prose.match(SENTENCE) ?? [];
  return sentences.map((sentence) => sentence.replaceAll(/\s+/g, ' ').trim()).filter(Boolean);
}
