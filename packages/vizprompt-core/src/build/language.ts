import type { Language } from '@vizprompt/providers/internal';

const segmenters = new Map<Language, Intl.Segmenter>();

/** Every segment that `Intl.Segmenter` gives holds a copy of the whole text: so it gets short ones. */
const PIECE = 400;

/** A word and the UTF-16 offset of its first character. */
export interface PlacedWord {
  readonly word: string;
  readonly index: number;
}

/** Returns the words of a text, one after the other. */
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

/** Where a piece ends: after a space or a mark if there is one, never within a character. */
function pieceEnd(text: string, from: number): number {
  const end = from + PIECE;
  if (end >= text.length) return text.length;
  const piece = text.slice(from, end);
  const border = Math.max(piece.lastIndexOf(' '), piece.lastIndexOf('\n'), piece.lastIndexOf('。'));
  if (border > 0) return from + border + 1;
  return /[\ud800-\udbff]$/.test(piece) ? end - 1 : end;
}

/** Returns the first words of a text. */
export function firstWords(text: string, language: Language, count: number): PlacedWord[] {
  const words: PlacedWord[] = [];
  for (const word of wordsOf(text, language)) {
    if (words.length >= count) break;
    words.push(word);
  }
  return words;
}
