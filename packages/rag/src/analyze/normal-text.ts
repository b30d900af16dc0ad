import { expandIterationMark } from '../dictionary/kana.ts';
import { markupAt, type Ruby } from './markup.ts';
import { OffsetMap } from './offset-map.ts';

/** A text as it is analysed, with the way back to the original. */
export interface NormalText {
  /** NFKC, without markup, iteration marks and other forms of `ー`. The case is kept. */
  readonly text: string;
  readonly offsets: OffsetMap;
  readonly ruby: readonly Ruby[];
}

/** Characters that NFKC leaves alone and that are nobody's markup, kanji and kana first of all. */
const PLAIN =
  '\\u3041-\\u3096\\u30a1-\\u30fc\\u4e00-\\u9fff\\u3001\\u3002\\u3005-\\u3007\\u300c-\\u300f\\u0009\\u000a\\u0020-\\u007b\\u007d\\u007e';
/** Signs that NFKC would take apart, though they say nothing. */
const SIGNS = '\\u2025\\u2026\\u309b\\u309c\\u00b4\\u00a8\\uffe3';
const MARKS = '\\p{M}\\uff9e\\uff9f';
/** A run of plain characters, which is captured, or one character with the marks that follow it. */
const PIECE = new RegExp(`([${PLAIN}${SIGNS}]+)(?![${MARKS}])|[^][${MARKS}]*`, 'gu');

/** How much of what was read is looked back at. */
const TAIL = 20;
const ITERATION = /^[ゝゞヽヾ]$/;
/** What is typed for `ー`. */
const DASH = /^[―‐−～〜－]$/;
const KATAKANA_AT_END = /[\u30a1-\u30fa\u30fc]$/;
const KATAKANA_AT = /[\u30a1-\u30fa\uff66-\uff9d]/y;
/** Spaces and controls; marks may follow them. */
const SPACE = /^[\s\p{Cc}\p{Z}]/u;
/** Says how text is shown, such as joiners and directions; and which form of a character is meant. */
const UNSEEN = /[\p{Cf}\ufe00-\ufe0f\u{e0100}-\u{e01ef}]/gu;

/**
 * Brings a text into the form in which it is analysed: NFKC (Unicode Standard Annex 15), `つゞく` as
 * `つづく`, `サ―バ` as `サーバ`; ruby and the notes of Aozora Bunko are taken out.
 */
export function toNormalText(original: string): NormalText {
  const offsets = new OffsetMap();
  const ruby: Ruby[] = [];
  const pieces: string[] = [];
  let length = 0;
  let tail = '';
  let openBase: number | undefined;
  let readUpTo = 0;
  const append = (piece: string): void => {
    pieces.push(piece);
    length += piece.length;
    tail = (tail + piece.slice(-TAIL)).slice(-TAIL);
  };
  for (const { 0: piece, 1: plain, index } of original.matchAll(PIECE)) {
    if (index < readUpTo) continue;
    if (plain !== undefined) {
      offsets.addSame(length, index);
      append(piece);
      continue;
    }
    const markup = markupAt(original, index, { length, tail, openBase });
    if (markup) {
      readUpTo = index + markup.length;
      if (markup.ruby) ruby.push({ ...markup.ruby, end: length });
      if (markup.ruby || markup.opensBase) openBase = markup.opensBase && length;
      continue;
    }
    const normal = normalPiece(piece, tail.slice(-1), original, index + piece.length);
    if (normal.length === 1 && piece.length === 1) offsets.addSame(length, index);
    else offsets.addWhole(length, index, index + piece.length);
    append(normal);
  }
  return { text: pieces.join(''), offsets, ruby };
}

function normalPiece(piece: string, previous: string, original: string, end: number): string {
  if (ITERATION.test(piece)) return expandIterationMark(piece, previous);
  if (DASH.test(piece) && KATAKANA_AT_END.test(previous)) {
    KATAKANA_AT.lastIndex = end;
    if (KATAKANA_AT.test(original)) return 'ー';
  }
  if (!piece.isWellFormed()) return ' ';
  if (SPACE.test(piece)) return ` ${piece.slice(1).normalize('NFKC')}`.replace(UNSEEN, '');
  return piece.normalize('NFKC').replace(UNSEEN, '');
}
