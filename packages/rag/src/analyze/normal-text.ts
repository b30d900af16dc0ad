import { commonForm, toModernKanji } from '@vizprompt/providers/internal';
import { expandIterationMark, isKana, toKatakana } from '../dictionary/kana-and-scripts.ts';
import { referredCharacter } from '../encoding/named-characters.ts';
import { rewriteOldOrthography, type Rewriting } from '../spelling/old-orthography.ts';
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
/** A run of plain characters, which is captured, or one character with the marks that follow it. */
const PIECE = new RegExp(
  `([${PLAIN}${SIGNS}][${PLAIN}${SIGNS}]*)(?![${MARKS}])|[^][${MARKS}]{0,1000}`,
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
  const read = toReadText(original);
  const common = /[\ud800-\udbff]/.test(read.text) ? withCommonForms(read) : read;
  const modern = toModernKanji(common.text);
  return rewritten({ ...common, text: modern }, rewriteOldOrthography(modern));
}

/** Replaces characters outside of the basic plane by their common forms inside of it. */
function withCommonForms(normal: NormalText): NormalText {
  const pieces: Rewriting[] = [];
  for (const { 0: old, index } of normal.text.matchAll(/[\ud800-\udbff][\udc00-\udfff]/g)) {
    const text = commonForm(old);
    if (text !== old) pieces.push({ start: index, end: index + old.length, text });
  }
  return rewritten(normal, pieces);
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

/** Ruby: a reading next to a piece of text. */
interface Ruby {
  /** Offsets of what it is next to, in normal form. */
  readonly start: number;
  readonly end: number;
  /** The reading as it is written. */
  readonly text: string;
}

/** Kana in brackets, as they follow a word where there is no other way to write ruby. */
const BRACKETED = String.raw`[（(][\u3041-\u3096\u309d\u309e\u30a1-\u30fe]{1,20}[)）]`;
/** `｜` with a base, before the ruby in `《》`, which some type as `≪≫`, or brackets. */
const RUBY_BASE = new RegExp(
  String.raw`[｜|](?=[^｜|《》（）()\n]{1,40}(?:[《≪][^《》≪≫\n]{1,40}[》≫]|${BRACKETED}))`,
  'y',
);
const BRACKETED_RUBY = new RegExp(BRACKETED, 'y');
/** No kanji has a longer reading. */
const MOST_KANA = 5;
/** Emphasis of Kakuyomi, `《《強調》》`. */
const EMPHASIS_START = /《《(?=[^《》\n]{1,100}》》)/y;
const EMPHASIS_END = /(?<=《《[^《》\n]{1,100})》》/y;
/** Any ruby, whose base was marked. */
const RUBY = /[《≪](?<ruby>[^《》≪≫\n]{1,40})[》≫]/y;
/** Ruby in kana, whose base is the kanji before it. */
const KANA_RUBY = /[《≪](?<ruby>[\u3041-\u3096\u309d\u309e\u30a1-\u30fe\u3000 ]{1,40})[》≫]/y;
/** A note of Aozora Bunko: `［＃改ページ］`, `［＃「漢字」に傍点］`. */
const NOTE = /［＃[^［］\n]{1,200}］/y;
/** Ruby of HTML as a whole, and the start of one that is not closed. */
const HTML_WHOLE = /<ruby(?:\s[^<>]{0,200})?>(?<inner>[^]{1,1000}?)<\/ruby\s*>/iy;
const HTML_BASE = /<ruby(?:\s[^<>\n]{0,100})?>(?:<rb>)?/iy;
/** Ruby of DenDen Markdown, pixiv, wikis and AlphaPolis, whose bases are short: `{漢字|かんじ}`, `[[rb:漢字 > かんじ]]`, `{{ruby|漢字|かんじ}}`, `#漢字__かんじ__#`. */
const WHOLE_RUBY =
  /\{(?<denden>[^{}|｜\s<>]{1,40})[|｜](?<read>[\u3041-\u3096\u30a1-\u30fc|｜]{1,80}|(?<=\p{sc=Han}[|｜])[^{}\s<>]{1,80})\}|\[\[rb:\s*(?<pixiv>[^[\]\s<>＞]{1,40})\s*[>＞]\s*(?<ruby>[^[\]\n]{1,40})\]\]|\{\{(?:ruby|r)\|(?<wiki>[^{}|\s<>]{1,40})\|(?<note>[^{}|\n<>]{1,40})\}\}|#(?<alpha>[^#_\s<>]{1,40})__(?<kana>[\u3041-\u3096\u30a1-\u30fc]{1,40})__#/uy;
/** Its ruby, after a base. */
const HTML_RUBY =
  /(?:<\/rb>)?(?:<rp>[^<>\n]{0,4}<\/rp>)?<rt(?:\s[^<>\n]{0,100})?>(?<ruby>[^<>\n]{1,40})(?:<\/rt>)?(?:<rp>[^<>\n]{0,4}<\/rp>)?(?<ends><\/ruby>)?/iy;
/** A tag of HTML, and a comment. Other things in angle brackets are text: `<嵐>`, `Map<string>`. */
const TAG =
  /<(?:!--[^]{0,2000}?--|\/?(?<name>a|abbr|article|aside|b|big|blockquote|br|caption|center|cite|code|col|colgroup|dd|del|details|div|dl|dt|em|figcaption|figure|font|footer|h[1-6]|header|hr|i|img|ins|kbd|li|main|mark|nav|ol|p|pre|q|rb|rp|rt|rtc|ruby|s|samp|section|small|span|strike|strong|sub|summary|sup|table|tbody|td|tfoot|th|thead|tr|tt|u|ul|wbr)(?:\s[^<>]{0,500})?\s*\/?)>/iy;
/** Those that end a line. */
const ENDS_LINE =
  /^(?:article|aside|blockquote|br|caption|center|dd|details|div|dl|dt|figcaption|figure|footer|h[1-6r]|header|li|main|nav|ol|p|pre|section|summary|table|tbody|td|tfoot|th|thead|tr|ul)$/i;
const REFERENCE = /&(?<name>#\d{1,7}|#[xX][\da-fA-F]{1,6}|[a-zA-Z][a-zA-Z\d]{1,31});/y;
const KANJI_AT_END = /[\p{sc=Han}ヶ〆]+$/u;

/** A piece of markup: it is not read, but its ruby is kept. */
interface Markup {
  readonly length: number;
  readonly ruby?: Omit<Ruby, 'end'>;
  /** The pieces of the base in the markup, and where they begin in the text. */
  readonly bases?: readonly { readonly start: number; readonly text: string }[];
  /** The text in its place: a character, or the end of a line. */
  readonly shown?: string;
  /** True if the text up to the ruby is its base; another one may follow a ruby. */
  readonly opensBase?: true;
}

/** The text that was read before an offset. */
interface ReadBefore {
  /** How long it is in normal form. */
  readonly length: number;
  /** Its last characters. */
  readonly tail: string;
  /** Where the base of a ruby begins that was marked. */
  readonly openBase: number | undefined;
}

/** Returns the markup of Aozora Bunko, HTML or web novels at an offset, if there is any. */
function markupAt(text: string, at: number, before: ReadBefore): Markup | undefined {
  const sign = text.charAt(at);
  if (sign === '&') return characterAt(text, at);
  const [note] = matchAt(NOTE, text, at) ?? [];
  if (note !== undefined) return { length: note.length };
  const [base] = matchAt(RUBY_BASE, text, at) ?? [];
  if (base !== undefined) return { length: base.length, opensBase: true };
  if (sign === '<') return htmlAt(text, at, before);
  if (sign === '{' || sign === '[' || sign === '#') return webMarkup(text, at, before);
  const [emphasis] = matchAt(sign === '《' ? EMPHASIS_START : EMPHASIS_END, text, at) ?? [];
  if (emphasis !== undefined) return { length: emphasis.length };
  const [kanji = ''] = KANJI_AT_END.exec(before.tail) ?? [];
  const start = before.openBase ?? before.length - kanji.length;
  if (start === before.length) return undefined;
  if (sign === '（' || sign === '(') {
    const [bracketed = ''] = matchAt(BRACKETED_RUBY, text, at) ?? [];
    const ruby = bracketed.slice(1, -1);
    const isReading = before.openBase !== undefined || ruby.length <= MOST_KANA * kanji.length;
    return ruby !== '' && isReading
      ? { length: bracketed.length, ruby: { start, text: ruby } }
      : undefined;
  }
  const match = matchAt(before.openBase === undefined ? KANA_RUBY : RUBY, text, at);
  const ruby = match?.groups?.['ruby'];
  return match && ruby !== undefined
    ? { length: match[0].length, ruby: { start, text: ruby } }
    : undefined;
}

const NO_MATCH: Pick<RegExpExecArray, 'groups'> & { readonly 0?: string } = {};

function characterAt(text: string, at: number): Markup | undefined {
  const { 0: all = '', groups } = matchAt(REFERENCE, text, at) ?? NO_MATCH;
  const character = referredCharacter(groups?.['name'] ?? '');
  return character === undefined ? undefined : { length: all.length, shown: character };
}

function webMarkup(text: string, at: number, { length }: ReadBefore): Markup | undefined {
  const { 0: all = '', groups } = matchAt(WHOLE_RUBY, text, at) ?? NO_MATCH;
  const { denden, pixiv, wiki, alpha, read, ruby: written, note, kana } = groups ?? {};
  const base = denden ?? pixiv ?? wiki ?? alpha;
  const ruby = read?.replaceAll(/[|｜]/g, '') ?? (written ?? note ?? kana)?.trim();
  if (base === undefined || ruby === undefined || ruby === '') return undefined;
  const bases = [
    { start: at + all.indexOf(base, wiki === undefined ? 0 : all.indexOf('|')), text: base },
  ];
  return { length: all.length, bases, ruby: { start: length, text: ruby } };
}

function htmlAt(text: string, at: number, before: ReadBefore): Markup | undefined {
  const whole = htmlRuby(text, at, before);
  if (whole) return whole;
  const [base] = matchAt(HTML_BASE, text, at) ?? [];
  if (base !== undefined) return { length: base.length, opensBase: true };
  const { openBase, length } = before;
  if (openBase !== undefined && openBase < length) {
    const { 0: all = '', groups } = matchAt(HTML_RUBY, text, at) ?? NO_MATCH;
    const ruby = groups?.['ruby'];
    if (ruby !== undefined) {
      const found = { length: all.length, ruby: { start: openBase, text: ruby } };
      return groups?.['ends'] === undefined ? { ...found, opensBase: true } : found;
    }
  }
  const { 0: tag, groups } = matchAt(TAG, text, at) ?? NO_MATCH;
  if (tag === undefined) return undefined;
  const endsLine = ENDS_LINE.test(groups?.['name'] ?? '');
  return { length: tag.length, ...(endsLine ? { shown: '\n' } : {}) };
}

/** Ruby of HTML: all of its base as one run, with all of its readings as one, whichever way they are interleaved. */
function htmlRuby(text: string, at: number, { length }: ReadBefore): Markup | undefined {
  const { 0: all = '', groups } = matchAt(HTML_WHOLE, text, at) ?? NO_MATCH;
  const inner = groups?.['inner'];
  if (inner === undefined || /<ruby[\s>]/i.test(inner)) return undefined;
  const from = at + all.indexOf('>') + 1;
  const bases: { start: number; text: string }[] = [];
  let reading = '';
  let mode = 'rb';
  for (const { 0: piece, index } of inner.matchAll(/<[^<>]*>|[^<][^<]*|</g)) {
    const name = /^<(?<close>\/?)\s*(?<name>[a-z][a-z]*)/i.exec(piece)?.groups;
    const tag = name?.['name']?.toLowerCase() ?? '';
    if (/^(?:rt|rp)$/.test(tag)) mode = name?.['close'] === '/' ? 'rb' : tag;
    else if (tag === 'rb') mode = 'rb';
    else if (name === undefined && mode === 'rt') reading += piece.trim();
    else if (name === undefined && mode === 'rb' && piece.trim() !== '') {
      const indent = piece.length - piece.trimStart().length;
      bases.push({ start: from + index + indent, text: piece.trim() });
    }
  }
  if (bases.length === 0) return undefined;
  const ruby = reading === '' ? {} : { ruby: { start: length, text: reading } };
  return { length: all.length, bases, ...ruby };
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}
