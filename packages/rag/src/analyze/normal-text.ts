import { expandIterationMark, isKana, toKatakana } from '../dictionary/kana-and-scripts.ts';
import { commonForm, toModernKanji } from '@vizprompt/providers/internal';
import { REWRITTEN_KANA, rewriteOldOrthography } from '../spelling/old-orthography.ts';
import type { Rewriting } from '../spelling/old-words.ts';
import { markupAt, type Ruby } from './ruby.ts';
import type { Word } from './analyzer.ts';

/** A text as it is analyzed, with the way back to the original. */
export interface NormalText {
  /** NFKC, without markup, iteration marks and other forms of `ー`. The case is kept. */
  readonly text: string;
  readonly offsets: OffsetMap;
  readonly ruby: readonly Ruby[];
}

/** Characters that NFKC leaves alone and that are never markup, kanji and kana first of all. */
const PLAIN =
  '\\u3041-\\u3096\\u30a1-\\u30fc\\u4e00-\\u9fff\\u3001\\u3002\\u3005-\\u3007\\u300c-\\u300f\\u0009\\u000a\\u0020-\\u0022\\u0024\\u0025\\u0027\\u0029-\\u003b\\u003d\\u003f-\\u005a\\u005c-\\u007a\\u007d\\u007e';
/** Signs that NFKC would take apart, though they say nothing. */
const SIGNS = '\\u2025\\u2026\\u309b\\u309c\\u00b4\\u00a8\\uffe3';
const MARKS = '\\p{M}\\uff9e\\uff9f';
/** A run of plain characters, or the sign of a heading, which is captured, or one character with the marks that follow it. */
const PIECE = new RegExp(
  `([${PLAIN}${SIGNS}][${PLAIN}${SIGNS}]*|#(?=[#\\s]))(?![${MARKS}])|[^][${MARKS}]{0,1000}`,
  'gu',
);

/** How much of what was read is looked back at. */
const TAIL = 20;
const ITERATION = /^[ゝゞヽヾ]$/;
/** Characters that are typed instead of `ー`. */
const DASH = /^[―‐−～〜－]$/;
const KATAKANA_AT_END = /[\u30a1-\u30fa\u30fc]$/;
const KATAKANA_AT = /[\u30a1-\u30fa\uff66-\uff9d]/y;
/** Spaces and controls; marks may follow them. A byte order mark is none, though `\\s` has it. */
const SPACE = /^(?!\ufeff)[\s\p{Cc}\p{Z}]/u;
/** Says how text is shown, such as joiners and directions; and which form of a character is meant. */
const UNSEEN = /[\p{Cf}\ufe00-\ufe0f\u{e0100}-\u{e01ef}]/gu;

/**
 * Brings a text into the form in which it is analyzed: NFKC (Unicode Standard Annex 15), `つゞく` as
 * `つづく`, `サ―バ` as `サーバ`; ruby and the notes of Aozora Bunko are removed.
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
    if (index + piece.length <= readUpTo) continue;
    if (plain !== undefined) {
      const start = Math.max(index, readUpTo);
      offsets.addSame(length, start);
      append(piece.slice(start - index));
      continue;
    }
    if (index < readUpTo) continue;
    const markup = markupAt(original, index, { length, tail, openBase });
    if (markup) {
      readUpTo = index + markup.length;
      for (const base of markup.bases ?? []) {
        offsets.addSame(length, base.start);
        append(base.text);
      }
      if (markup.shown !== undefined) {
        offsets.addWhole(length, index, readUpTo);
        append(markup.shown.normalize('NFKC').replace(UNSEEN, ''));
      }
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

/** Marks of Markdown around a piece of a line: strong, emphasized, struck through, highlighted. */
const EMPHASIS =
  /(?<mark>\*{1,3}|~~|==)(?=[^\s*~=])(?<inner>[^*~=\n]{1,400})(?<=\S)\k<mark>(?!\*)/gu;
const NOT_EMPHASIZED = /^[0-9a-z_.]*$/i;

/** Brings a text into the form in which it is read: as {@link toNormalText} does, without the marks of emphasis. */
export function toReadText(original: string): NormalText {
  const normal = toNormalText(original);
  if (!/[*~=]/.test(normal.text)) return normal;
  const marks: Rewriting[] = [];
  for (const { 0: all, groups, index } of normal.text.matchAll(EMPHASIS)) {
    const length = groups?.['mark']?.length ?? 0;
    // `2*3*4` is not emphasis.
    if (length === 1 && NOT_EMPHASIZED.test(normal.text.charAt(index - 1) || ' ')) continue;
    const end = index + all.length;
    marks.push({ start: index, end: index + length, text: '' });
    marks.push({ start: end - length, end, text: '' });
  }
  return rewritten(normal, marks);
}

/** Links and notes of Markdown, of which a part is shown: `[text](place)`, `[text][name]`, `[[place|text]]`, `[^note]`; not `a[i][j]`. */
const LINK =
  /(?:(?<![\w\]])|(?=!?\[[^[\]\n]{0,300}\]\())!?\[(?!\[|\^)(?<shown>[^[\]\n]{0,300})\](?:\([^()\s]{0,500}(?:\([^()\s]{0,200}\)[^()\s]{0,500})?(?:[ \t]+"[^"\n]{0,200}")?\)|\[[^[\]\n]{0,100}\])|\[\[(?:[^[\]|\n]{1,200}\|)?(?<name>[^[\]|\n]{1,200})\]\]|\[\^[^[\]\s]{1,60}\]:?/gu;
/** Marks around code, and further ones of emphasis, which are not in a word of Latin letters: `snake_case`; those of breaks and of quoted lines. */
const MARKED =
  /(?<!`)(?<ticks>`+)(?!`)(?<code>[^`\n]{1,400})\k<ticks>|(?<![a-z0-9_])(?<mark>_{1,3})(?=[^\s_])(?<inner>[^_\n]{1,400})(?<=\S)\k<mark>(?![a-z0-9_])|\\(?=[!-/:-@[-`{-~]|\r?\n)|(?<=\n) {0,3}>(?: {0,3}>){0,9} ?/giu;

/** Brings a text into the form that readers of Markdown see: as {@link toReadText} does, without links and marks of code. */
export function toShownText(original: string): NormalText {
  const read = toReadText(original);
  const linked = shown(read, LINK, ({ start }) =>
    /[![]/.test(original.charAt(read.offsets.startOf(start))),
  );
  return shown(linked, MARKED);
}

/** Returns a text in which the pieces that a pattern finds are replaced by what it captures. */
function shown(
  normal: NormalText,
  pattern: RegExp,
  isMarkup: (piece: Rewriting) => boolean = () => true,
): NormalText {
  const pieces: Rewriting[] = [];
  for (const { 0: all, groups, index } of normal.text.matchAll(pattern)) {
    const whole = { start: index, end: index + all.length, text: '' };
    if (!isMarkup(whole)) continue;
    const { shown: link, name, code, inner } = groups ?? {};
    const text = all.startsWith('!') ? '' : (link ?? name ?? code ?? inner ?? '');
    const from = index + (name === undefined ? all.indexOf(text) : all.lastIndexOf(text));
    pieces.push({ ...whole, end: from }, { ...whole, start: from + text.length });
  }
  return rewritten(normal, pieces);
}

/**
 * Brings a text into the form in which words are found, whatever way they are spelled: as {@link toReadText} does,
 * with the kanji that are in use today (`髙橋` as `高橋`, `學校` as `学校`) and in today's orthography (`けふ` as `きょう`).
 */
export function toWordText(original: string): NormalText {
  const { text, offsets, ruby } = toReadText(original);
  const common = /[\ud800-\udbff]/.test(text)
    ? withCommonForms(text, offsets, ruby)
    : { text, offsets, ruby };
  const modern = toModernKanji(common.text);
  const old = REWRITTEN_KANA.test(modern) ? rewriteOldOrthography(modern) : [];
  return rewritten({ ...common, text: modern }, old);
}

/** Replaces characters outside of the basic plane by their common forms inside of it. */
function withCommonForms(text: string, offsets: OffsetMap, ruby: readonly Ruby[]): NormalText {
  const pieces = Array.from(
    text.matchAll(/[\ud800-\udbff][\udc00-\udfff]/g),
    ({ 0: old, index }) => {
      return { start: index, end: index + old.length, text: commonForm(old) };
    },
  );
  return rewritten(
    { text, offsets, ruby },
    pieces.filter(({ start, end, text: common }) => common !== text.slice(start, end)),
  );
}

/** Returns a text with pieces of it replaced, in order. */
export function rewritten(normal: NormalText, pieces: readonly Rewriting[]): NormalText {
  if (pieces.length === 0) return normal;
  const { text, offsets } = normal;
  const moved = new OffsetMap();
  let rewrittenText = '';
  let from = 0;
  const keep = (to: number): void => {
    for (let at = from; at < to; at++) {
      const [start, end] = [offsets.startOf(at), offsets.endOf(at + 1)];
      const place = rewrittenText.length + at - from;
      if (end - start === 1) moved.addSame(place, start);
      else moved.addWhole(place, start, end);
    }
    rewrittenText += text.slice(from, to);
  };
  for (const piece of pieces) {
    keep(piece.start);
    moved.addWhole(rewrittenText.length, offsets.startOf(piece.start), offsets.endOf(piece.end));
    rewrittenText += piece.text;
    from = piece.end;
  }
  keep(text.length);
  return { text: rewrittenText, offsets: moved, ruby: movedRuby(normal.ruby, pieces) };
}

function movedRuby(ruby: readonly Ruby[], pieces: readonly Rewriting[]): readonly Ruby[] {
  const move = (offset: number): number => {
    let shift = 0;
    for (const { start, end, text } of pieces) {
      if (end > offset) break;
      shift += text.length - (end - start);
    }
    return offset + shift;
  };
  return ruby.map(({ start, end, text }) => ({ start: move(start), end: move(end), text }));
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

/** Returns a word of a normal text, where it is in the original. */
export function placeWord(word: Word, offsets: OffsetMap): Word {
  const { basic, reading, pos, isContent, extra } = word;
  const start = offsets.startOf(word.start);
  const end = offsets.endOf(word.end);
  if (!extra) return { start, end, basic, reading, pos, isContent };
  return { start, end, basic, reading, pos, isContent, extra };
}

/**
 * Adds the ruby of a text to its words, each to the first one that it is next to: as a term, and
 * as the reading if it is that of the whole word.
 */
export function addRuby(words: Word[], { offsets, ruby }: NormalText): readonly Word[] {
  let index = 0;
  for (const { start, end, text } of ruby) {
    const [from, to] = [offsets.startOf(start), offsets.endOf(end)];
    while ((words[index]?.end ?? Infinity) <= from) index++;
    const word = words[index];
    const kana = toWordText(text).text.replace(/\s/g, '');
    if (!word || word.start >= to || kana === '') continue;
    const isOfWord = word.start === from && word.end === to && isKana(kana);
    words[index] = {
      ...word,
      reading: isOfWord ? toKatakana(kana) : word.reading,
      extra: [...(word.extra ?? []), kana],
    };
  }
  return words;
}

/**
 * Makes one word of those that came from one character, such as `株式` and `会社` from `㍿`: the first
 * that can be searched for, with the others as its terms.
 */
export function joinOverlaps(words: Word[]): Word[] {
  let reached = 0;
  const overlaps = words.some(({ start, end }) => {
    const isInside = start < reached;
    reached = end;
    return isInside;
  });
  if (!overlaps) return words;
  const joined: Word[] = [];
  for (const word of words) {
    const last = joined.at(-1);
    if (!last || word.start >= last.end) joined.push(word);
    else joined[joined.length - 1] = joinWords(last, word);
  }
  return joined;
}

function joinWords(first: Word, second: Word): Word {
  const place = { start: first.start, end: Math.max(first.end, second.end) };
  if (!second.isContent) return { ...first, ...place };
  if (!first.isContent) return { ...second, ...place };
  const extra = [...(first.extra ?? []), second.basic, ...(second.extra ?? [])];
  return { ...first, ...place, extra };
}

/** Where the pieces of a changed text came from. Offsets must be added in rising order. */
export class OffsetMap {
  readonly #starts: number[] = [];
  readonly #originalStarts: number[] = [];
  /** The end of the original piece if it counts as a whole; -1 if its units correspond. */
  readonly #originalEnds: number[] = [];
  /** The piece that was asked for last: the next one is mostly the same. */
  #last = 0;

  /** From `at` on, units correspond to those from `original` on, one to one. */
  addSame(at: number, original: number): void {
    const last = this.#starts.length - 1;
    const isInStep =
      this.#originalEnds[last] === -1 &&
      (this.#originalStarts[last] ?? 0) - (this.#starts[last] ?? 0) === original - at;
    if (!isInStep) this.#add(at, original, -1);
  }

  /** From `at` on, units represent all of `[originalStart, originalEnd)`. */
  addWhole(at: number, originalStart: number, originalEnd: number): void {
    this.#add(at, originalStart, originalEnd);
  }

  /** Returns the offset in the original where the unit at `at` begins. */
  startOf(at: number): number {
    const piece = this.#pieceOf(at);
    const original = this.#originalStarts[piece] ?? 0;
    if (this.#originalEnds[piece] !== -1) return original;
    return original + at - (this.#starts[piece] ?? 0);
  }

  /** Returns the offset in the original after the unit that ends before `at`. */
  endOf(at: number): number {
    if (at === 0) return 0;
    const piece = this.#pieceOf(at - 1);
    const end = this.#originalEnds[piece] ?? -1;
    if (end !== -1) return end;
    return (this.#originalStarts[piece] ?? 0) + at - (this.#starts[piece] ?? 0);
  }

  #add(at: number, original: number, end: number): void {
    this.#starts.push(at);
    this.#originalStarts.push(original);
    this.#originalEnds.push(end);
  }

  /** Returns the last piece that begins at or before an offset. */
  #pieceOf(at: number): number {
    const starts = this.#starts;
    let low = this.#last;
    let high = low + 1;
    if ((starts[low] ?? 0) > at || (starts[high] ?? Infinity) <= at) {
      low = 0;
      high = starts.length;
    }
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= at) low = middle;
      else high = middle;
    }
    return (this.#last = low);
  }
}
