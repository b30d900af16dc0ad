import { setImmediate as nextTurn } from 'node:timers/promises';
import { isCharacterBorder, isInsidePair } from '@vizprompt/providers/internal';
import { lowerBound } from '../binary/packed-tables.ts';
import type { ChunkLimits } from './chunking-strategy.ts';

/** A half-open range of UTF-16 code units. */
export interface TextRange {
  readonly from: number;
  readonly to: number;
}

const BYTE_ORDER_MARK = 0xfe_ff;
const CARRIAGE_RETURN = 13;
const LINE_FEED = 10;

/** A text with its lines, which end with LF, CRLF or CR. */
export class SourceText {
  readonly text: string;
  /** The first character after a byte order mark. */
  readonly from: number;
  readonly #starts: readonly number[];

  constructor(text: string) {
    this.text = text;
    this.from = text.charCodeAt(0) === BYTE_ORDER_MARK ? 1 : 0;
    this.#starts = lineStarts(text);
  }

  /** The number of lines; an end of line at the end of the text opens no further one. */
  get lines(): number {
    return this.#starts.length;
  }

  /** Where a line starts, from 1; the end of the text for lines after it. */
  startOf(line: number): number {
    const start = this.#starts[line - 1] ?? this.text.length;
    return Math.max(start, this.from);
  }

  /** Returns the line that an offset is in, from 1. */
  lineOf(offset: number): number {
    const starts = this.#starts;
    return Math.max(
      1,
      lowerBound(starts.length, (at) => (starts[at] ?? 0) <= offset),
    );
  }

  /** Returns where an offset is in its line, from 1, in UTF-16 code units; a byte order mark does not count. */
  columnOf(offset: number): number {
    return offset - this.startOf(this.lineOf(offset)) + 1;
  }

  /**
   * Returns a range without the blank lines around it and the blanks at its end. The indent of its first
   * line stays, where the range holds it.
   */
  trim({ from, to }: TextRange): TextRange {
    const { text } = this;
    let end = to;
    while (end > from && isBlank(text.charCodeAt(end - 1))) end -= 1;
    let start = from;
    for (let at = from; at < end; at += 1) {
      const code = text.charCodeAt(at);
      if (!isBlank(code)) break;
      if (code === LINE_FEED || code === CARRIAGE_RETURN) start = at + 1;
    }
    if (start === from && !this.#isLineStart(from)) {
      while (start < end && isBlank(text.charCodeAt(start))) start += 1;
    }
    return { from: start, to: end };
  }

  #isLineStart(offset: number): boolean {
    return this.startOf(this.lineOf(offset)) === offset;
  }
}

/** Checks whether a UTF-16 code unit is white space, as `\s` has it. */
function isBlank(code: number): boolean {
  if (code <= 32) return code === 32 || (code >= 9 && code <= 13);
  if (code < 160) return false;
  if (code >= 0x20_00 && code <= 0x20_0a) return true;
  return RARE_BLANKS.has(code);
}

const RARE_BLANKS: ReadonlySet<number> = new Set([
  0xa0, 0x16_80, 0x20_28, 0x20_29, 0x20_2f, 0x20_5f, 0x30_00, 0xfe_ff,
]);

function lineStarts(text: string): number[] {
  const starts = [0];
  // A match for each line would cost ten times as much.
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code !== LINE_FEED && code !== CARRIAGE_RETURN) continue;
    if (code === CARRIAGE_RETURN && text.charCodeAt(at + 1) === LINE_FEED) at += 1;
    starts.push(at + 1);
  }
  if (starts.length > 1 && starts.at(-1) === text.length) starts.pop();
  return starts;
}

/** A heading is part of the id of each chunk below it. No real one is longer, but a chapter over a rule is. */
const LONGEST_HEADING = 200;

/** Returns a heading or title as it is in ids; of a very long one, the first 200 characters. */
export function headingText(text: string): string {
  return firstCharacters(text, LONGEST_HEADING).trimEnd();
}

/** Returns the beginning of a text, not longer than this many UTF-16 code units. Characters stay whole. */
export function firstCharacters(text: string, longest: number): string {
  if (text.length <= longest) return text;
  let end = longest;
  while (end > 0 && !isCharacterBorder(text, end)) end -= 1;
  // Nothing but marks.
  if (end === 0) end = isInsidePair(text, longest) ? longest - 1 : longest;
  return text.slice(0, end);
}

/** Work in steps of bounded size: what it yields is a place where others may have a turn. */
export type Steps<Result = void> = Generator<undefined, Result, undefined>;

/** Maximum time of consecutive steps, in milliseconds. */
const SLICE_MS = 15;
/** Steps between two looks at the clock, which costs more than a small step. */
const STEPS = 64;

/**
 * Runs work step by step; timers, sockets and signals of the process get their turn in between.
 *
 * @throws The signal's reason.
 */
export async function inTurns<Result>(steps: Steps<Result>, signal?: AbortSignal): Promise<Result> {
  signal?.throwIfAborted();
  let sliceEnd = performance.now() + SLICE_MS;
  for (let count = 1; ; count++) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (count % STEPS > 0 || performance.now() < sliceEnd) continue;
    // oxlint-disable-next-line no-await-in-loop -- the turn of others
    await nextTurn();
    signal?.throwIfAborted();
    sliceEnd = performance.now() + SLICE_MS;
  }
}

/** How good a place between two units is for a cut: the lower, the better. */
export const Border = {
  /** A change of scene: a line of stars, a thematic break, several blank lines. */
  scene: 0,
  /** The end of a block, or a blank line. */
  block: 1,
  /** The end of a line that ends a paragraph, or of an item of a list. */
  line: 2,
  /** The end of a line, item or block inside another block. */
  inner: 3,
  sentence: 4,
  /** The end of a line in the middle of a sentence. */
  wrap: 5,
  /** A comma or a blank. */
  clause: 6,
  /** Between two characters. */
  character: 7,
  /** After a heading, which belongs to what follows. */
  glue: 8,
} as const;

export type Border = (typeof Border)[keyof typeof Border];

/** This much text on either side of a border takes part in its rank. */
const CONTEXT = 16;

/**
 * Returns the rank of a border among others: its kind first, then a hash of the text around it. Since nothing
 * else counts, the same text is cut in the same places wherever it is.
 */
export function rankOf(text: string, offset: number, border: Border): number {
  return border * 2 ** 32 + hashOf(text, offset - CONTEXT, offset + CONTEXT);
}

/** FNV-1a over code units, with the final mix of MurmurHash3. */
function hashOf(text: string, from: number, to: number): number {
  let hash = 0x81_1c_9d_c5;
  for (let at = Math.max(0, from); at < Math.min(to, text.length); at += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01_00_01_93);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85_eb_ca_6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2_b2_ae_35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** A part of a section that is never cut. */
export interface Unit {
  readonly from: number;
  readonly to: number;
  /** Counted alone. */
  readonly tokens: number;
  /** The border after it. */
  readonly border: Border;
  /** A code block or table that is worth a chunk larger than usual. */
  readonly whole: boolean;
}

/** Larger texts are not counted before they are cut: no counter makes this many characters few tokens. */
const CHARACTERS_PER_TOKEN = 16;

/** More blanks than these after a text are a unit, and a token each: no chunk holds a mass of them. */
const MOST_BLANKS = 250;

/** Pieces are counted this many characters at a time, since each count is rounded up. */
const BATCH = 256;

/** The units of one section, side by side without gaps. */
export class UnitList {
  readonly source: SourceText;
  readonly limits: ChunkLimits;
  readonly #units: Unit[] = [];
  readonly #from: number;
  /** Where the last unit ends, without blanks after it. */
  #textEnd: number;

  constructor(source: SourceText, limits: ChunkLimits, from: number) {
    this.source = source;
    this.limits = limits;
    this.#from = from;
    this.#textEnd = from;
  }

  get units(): readonly Unit[] {
    return this.#units;
  }

  /** Where the next unit starts. */
  get end(): number {
    return this.#units.at(-1)?.to ?? this.#from;
  }

  /** Adds the text up to an offset; in pieces, if it is too long for one unit. */
  *add(to: number, border: Border): Steps {
    const { maxTokens } = this.limits;
    const tokens = this.#count(to);
    if (tokens <= maxTokens / 2) {
      this.#push(to, tokens, border, false);
      return;
    }
    let batch: PieceEnd[] = [];
    for (const piece of pieceEnds(this.source.text, this.end, to, this.limits)) {
      batch.push(piece);
      if (piece.to - this.end < BATCH) continue;
      this.#pushPieces(batch);
      batch = [];
      yield;
    }
    this.#pushPieces(batch);
    this.set(border);
  }

  /** Adds the text up to an offset as one unit, if it is not larger than two chunks. */
  addWhole(to: number, border: Border): boolean {
    const { maxTokens } = this.limits;
    const tokens = this.#count(to);
    if (tokens > maxTokens * 2) return false;
    this.#push(to, tokens, border, tokens > maxTokens / 2);
    return true;
  }

  /** Gives blanks up to an offset to the last unit; at the beginning, the first one takes them. */
  extend(to: number): void {
    const last = this.#units.at(-1);
    if (last === undefined) return;
    if (to - this.#textEnd <= MOST_BLANKS) {
      this.#units[this.#units.length - 1] = { ...last, to };
      return;
    }
    if (last.from >= this.#textEnd) this.#units.pop();
    const from = this.end;
    this.#units.push({ from, to, tokens: to - from, border: last.border, whole: false });
  }

  /** Sets the border after the last unit. */
  set(border: Border): void {
    const last = this.#units.at(-1);
    if (last !== undefined) this.#units[this.#units.length - 1] = { ...last, border };
  }

  /** Makes the border after the last unit at least so good; what is glued stays so. */
  raise(border: Border): void {
    const last = this.#units.at(-1);
    if (last !== undefined && last.border > border && last.border !== Border.glue) this.set(border);
  }

  #pushPieces(pieces: readonly PieceEnd[]): void {
    const last = pieces.at(-1);
    if (last === undefined) return;
    const share = this.#count(last.to) / (last.to - this.end);
    for (const { to, border } of pieces) this.#push(to, (to - this.end) * share, border, false);
  }

  #count(to: number): number {
    const { maxTokens, count } = this.limits;
    if (to - this.end > maxTokens * CHARACTERS_PER_TOKEN) return Infinity;
    return count(this.source.text.slice(this.end, to));
  }

  #push(to: number, tokens: number, border: Border, whole: boolean): void {
    if (to > this.end) this.#units.push({ from: this.end, to, tokens, border, whole });
    this.#textEnd = this.end;
  }
}

/** The end of a piece of a sentence. */
interface PieceEnd {
  readonly to: number;
  readonly border: Border;
}

const CLAUSE_END = /[、，,；;：:…―—\s][、，,；;：:…―—\s]*/gu;

/**
 * Cuts a sentence that is too long for a unit: at commas and blanks, and where there are none,
 * between characters. All of these places depend on the text around them alone.
 */
function* pieceEnds(
  text: string,
  from: number,
  to: number,
  { maxTokens }: ChunkLimits,
): Generator<PieceEnd> {
  const longest = Math.min(64, Math.max(1, Math.floor(maxTokens / 8)));
  let at = from;
  for (const clause of clauseEnds(text, from, to)) {
    while (clause - at > longest) {
      at = characterEnd(text, at, Math.min(clause, at + longest));
      yield { to: at, border: Border.character };
    }
    at = clause;
    yield { to: clause, border: Border.clause };
  }
}

function* clauseEnds(text: string, from: number, to: number): Generator<number> {
  let end = from;
  // Where a sentence has none, a search in the whole text would run to its end.
  for (const { 0: clause, index } of text.slice(from, to).matchAll(CLAUSE_END)) {
    end = from + index + clause.length;
    yield end;
  }
  if (end < to) yield to;
}

/** Returns the first place whose characters before it hash to a mark, or the last one where cuts do no harm. */
function characterEnd(text: string, from: number, limit: number): number {
  const longest = limit - from;
  const mask = 2 ** Math.floor(Math.log2(Math.max(1, longest / 2))) - 1;
  let last = -1;
  for (let at = from + Math.max(1, longest >> 2); at <= limit; at += 1) {
    if (!isCharacterBorder(text, at)) continue;
    last = at;
    if ((hashOf(text, at - 4, at) & mask) === 0) return at;
  }
  if (last > 0) return last;
  return isInsidePair(text, limit) && limit - from > 1 ? limit - 1 : limit;
}

/** Borders at the ends of lines and at blank lines of a text. */
export interface ProseBorders {
  readonly line: Border;
  /** One blank line. */
  readonly blank: Border;
  /** Several blank lines. */
  readonly blanks: Border;
  /** True if lines of stars and the like change the scene. */
  readonly scenes: boolean;
}

export const PLAIN_PROSE: ProseBorders = {
  line: Border.line,
  blank: Border.block,
  blanks: Border.scene,
  scenes: true,
};

/** `＊＊＊`, `◇ ◆ ◇`, `――――`, and Aozora Bunko's page breaks. */
const SCENE_LINE =
  /^\s*(?:(?:[＊*☆★◇◆○●□■△▲▽▼※＃#§†・＝=―─━~～〜_-]\s*){1,80}|［＃改(?:ページ|丁|頁|段|見開き)］\s*)$/u;
const LONGEST_SCENE_LINE = 100;
/** End of a line that ends a sentence, and start of a line that starts a paragraph. */
const ENDED = /[。｡！？!?．.」』）)】〉》”"：:]\s*$/u;
const INDENTED = /^[\s「『（【〈《“"・●○■□◆◇※]/u;

/** Adds the lines of ordinary text from the end of the list up to an offset that ends a line. */
export function* addProse(list: UnitList, to: number, borders: ProseBorders): Steps {
  const { source } = list;
  let blanks = 0;
  for (let line = source.lineOf(list.end); ; line += 1) {
    yield;
    const from = Math.max(source.startOf(line), list.end);
    if (from >= to || line > source.lines) return;
    const end = Math.min(to, source.startOf(line + 1));
    if (isBlankRange(source.text, from, end)) {
      blanks += 1;
      list.extend(end);
      list.raise(blanks > 1 ? borders.blanks : borders.blank);
      continue;
    }
    blanks = 0;
    yield* addLine(list, from, end, to, borders);
  }
}

function* addLine(
  list: UnitList,
  from: number,
  end: number,
  to: number,
  borders: ProseBorders,
): Steps {
  const { text } = list.source;
  const line = text.slice(from, end);
  if (borders.scenes && line.length <= LONGEST_SCENE_LINE && SCENE_LINE.test(line)) {
    // A mark that ends a scene stays with it.
    list.set(Border.glue);
    yield* list.add(end, Border.scene);
    return;
  }
  for (const sentence of sentenceEnds(line)) {
    yield* list.add(from + sentence, Border.sentence);
    yield;
  }
  const isParagraphEnd =
    end >= to || INDENTED.test(text.slice(end, end + 1)) || ENDED.test(line.slice(-8));
  yield* list.add(end, isParagraphEnd ? borders.line : Border.wrap);
}

function isBlankRange(text: string, from: number, to: number): boolean {
  for (let at = from; at < to; at += 1) if (!isBlank(text.charCodeAt(at))) return false;
  return true;
}

/**
 * The end of a sentence, with the closing quotes and annotations of Aozora Bunko that go with it; or
 * a closing quote directly before an opening one.
 */
const SENTENCE_END =
  /(?<mark>[。｡！？!?．.‼⁇⁈⁉][。｡！？!?．.‼⁇⁈⁉]*)(?<close>[」』）】〉》〕］)\]”’"']*(?:［＃[^［］\r\n]{0,80}］[」』）】〉》〕］)\]”’"']*)*)|[」』](?=[\s「『])/gu;

/** After a closing quote, the sentence continues: 「行く。」と言った。 */
const GOES_ON = /^[とってでだなのにはがをもや、，]/u;
/** After a bare mark of exclamation: えっ！と声が出た。 */
const QUOTED = /^[とっ、，…―]/u;
const CJK = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}「『（【〈《　]/u;
const ABBREVIATION =
  /(?:^|[\s("'])(?:[A-Z]|Mrs?|Ms|Dr|St|Prof|Jr|Sr|vs|etc|e\.g|i\.e|cf|No|Fig|Vol|pp?)$/u;

/**
 * Yields the ends of the sentences inside one line, without the end of the line itself. Blanks after a sentence belong
 * to it.
 */
export function* sentenceEnds(line: string): Generator<number> {
  for (const match of line.matchAll(SENTENCE_END)) {
    const end = match.index + match[0].length;
    const { mark, close } = match.groups ?? {};
    if (mark !== undefined && !isEnd(line, match.index, mark, close ?? '', end)) continue;
    const next = end + blanksAt(line, end);
    if (next < line.length) yield next;
  }
}

function isEnd(line: string, start: number, mark: string, close: string, end: number): boolean {
  const after = line.slice(end, end + 2);
  if (close === '' ? /[！？!?]$/u.test(mark) && QUOTED.test(after) : GOES_ON.test(after))
    return false;
  if (/[。｡！？‼⁇⁈⁉]/u.test(mark)) return true;
  if (mark.endsWith('．')) return !/^[0-9０-９a-zA-Z]/u.test(after);
  if (CJK.test(after)) return mark.length > 0 && !mark.startsWith('.');
  if (!/^\s/u.test(after)) return false;
  if (mark !== '.' || close !== '') return true;
  // Lower case continues after an abbreviation that is not listed.
  if (/^\p{Ll}/u.test(line.slice(end).slice(blanksAt(line, end), blanksAt(line, end) + 2)))
    return false;
  return !ABBREVIATION.test(line.slice(Math.max(0, start - 8), start));
}

function blanksAt(line: string, from: number): number {
  let at = from;
  while (/\s/u.test(line.charAt(at))) at += 1;
  return at - from;
}
