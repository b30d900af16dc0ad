import type { ImportLimits } from '../limits.ts';

/** Nesting and strings: everything that decides where an entry ends. */
const STRUCTURE = /["[\]{}]/g;
const STRING_END = /["\\]/g;

/** White space is shortened where a piece begins or ends: within an entry no more of it is kept than a piece has. */
const PIECE_LENGTH = 65_536;

/** How much text before a `[` is kept to recognize the key `conversations`. */
const KEY_LENGTH = 100;

/**
 * Splits a large JSON document into its entries while it is read: the elements of a top-level array,
 * or of the array `conversations` of a top-level object; any other document is one entry. Entries
 * are not parsed, so that a broken one does not hide the others.
 *
 * Each character is scanned once. An entry beyond the limits is read to its end, but not kept.
 *
 * @param chunks - The document in pieces.
 * @returns The text of each entry.
 */
export async function* splitJson(
  chunks: AsyncIterable<string>,
  limits: ImportLimits,
): AsyncGenerator<EntryText> {
  const splitter = new JsonSplitter(limits);
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length; at += PIECE_LENGTH) {
      yield* splitter.push(chunk.slice(at, at + PIECE_LENGTH));
    }
  }
  yield* splitter.end();
}

/** The state between two characters of a document. */
class JsonSplitter {
  readonly #limits: ImportLimits;
  /** The entry that is being read, or the whole document while it is not known to be a list. */
  readonly #entry: EntryPieces;
  #chunk = '';
  /** The start of the part of the chunk that is in no entry yet. */
  #start = 0;
  /** The end of the scanned part of the chunk. */
  #at = 0;
  /** The end of the text before the chunk. */
  #before = '';
  #depth = 0;
  #isInString = false;
  /** The same at the start of the part of the chunk that is in no entry yet. */
  #wasInString = false;
  /** `true`: the last character was a backslash in a string. */
  #isEscaped = false;
  /** The depth of the entries: 1 in an array, 2 in the `conversations` of an object. */
  #entryDepth: number | undefined;
  #isDone = false;
  /** The text before the `conversations` of an object, and then the text after them. */
  readonly #beside: EntryPieces;

  constructor(limits: ImportLimits) {
    this.#limits = limits;
    this.#entry = new EntryPieces(limits.entryCharacters);
    this.#beside = new EntryPieces(limits.entryCharacters);
  }

  *push(chunk: string): Generator<EntryText> {
    if (this.#isDone && this.#entryDepth === 2) this.#beside.add(chunk);
    if (this.#isDone || chunk === '') return;
    this.#chunk = chunk;
    this.#start = 0;
    this.#at = this.#isEscaped ? 1 : 0;
    this.#isEscaped = false;
    for (;;) {
      const character = this.#next();
      if (character === undefined) break;
      if (character === '"') this.#isInString = !this.#isInString;
      else if (character === '{' || character === '[') yield* this.#open(character);
      else yield* this.#close();
      if (this.#isDone) return;
    }
    this.#keep(chunk.length);
    if (this.#entryDepth === undefined)
      this.#before = (this.#before + chunk.slice(-KEY_LENGTH)).slice(-KEY_LENGTH);
  }

  /** Gives the rest: a document that is not a list, or an entry that was never closed. */
  *end(): Generator<EntryText> {
    if (!this.#isDone) yield* this.#rest();
    if (this.#entryDepth !== 2) return;
    const beside = this.#beside.take();
    if (beside.text === undefined) return;
    // Without its end, the text before the list is all that there is.
    const text = this.#isDone ? beside.text : `${beside.text}]}`;
    yield { text, isRest: true };
  }

  /** Returns the next character that matters; `undefined` where the chunk ends. */
  #next(): string | undefined {
    for (;;) {
      const pattern = this.#isInString ? STRING_END : STRUCTURE;
      pattern.lastIndex = this.#at;
      // `exec` would make a list for each.
      if (!pattern.test(this.#chunk)) return undefined;
      this.#at = pattern.lastIndex;
      const found = this.#chunk.charAt(this.#at - 1);
      if (found !== '\\') return found;
      // The character after a backslash belongs to it, and may be in the next chunk.
      this.#at++;
      this.#isEscaped = this.#at > this.#chunk.length;
    }
  }

  *#open(character: string): Generator<EntryText> {
    this.#depth++;
    if (this.#depth - (this.#entryDepth ?? 0) > this.#limits.depth) {
      this.#entry.refuse(`it is nested deeper than ${this.#limits.depth} levels`);
    }
    if (this.#entryDepth !== undefined) {
      if (this.#depth !== this.#entryDepth + 1) return;
      // Only a comma belongs between two entries; anything else is an entry too.
      this.#keep(this.#at - 1);
      yield* this.#rest();
    } else if (character === '[' && this.#beginsEntries()) {
      this.#entryDepth = this.#depth;
      this.#keep(this.#at);
      const { text = '' } = this.#entry.take();
      if (this.#depth === 2) this.#beside.add(text);
    }
  }

  #beginsEntries(): boolean {
    if (this.#depth > 2) return false;
    if (this.#depth === 1)
      return this.#entry.isBlank && this.#chunk.slice(this.#start, this.#at - 1).trim() === '';
    const own = this.#chunk.slice(Math.max(0, this.#at - 1 - KEY_LENGTH), this.#at - 1);
    return endsWithKey(this.#before + own);
  }

  *#close(): Generator<EntryText> {
    this.#depth--;
    if (this.#entryDepth === undefined || this.#depth > this.#entryDepth) return;
    if (this.#depth === this.#entryDepth) {
      this.#keep(this.#at);
      yield this.#entry.take();
      return;
    }
    this.#keep(this.#at - 1);
    yield* this.#rest();
    this.#isDone = true;
    if (this.#entryDepth === 2) this.#beside.add(this.#chunk.slice(this.#at - 1));
  }

  /** Moves the chunk up to a place into the entry. */
  #keep(end: number): void {
    this.#entry.addJson(this.#chunk.slice(this.#start, end), this.#wasInString, this.#isInString);
    this.#wasInString = this.#isInString;
    this.#start = end;
  }

  *#rest(): Generator<EntryText> {
    const entry = this.#entry.take();
    if (entry.text === undefined) yield entry;
    else {
      const text = withoutEnds(entry.text);
      if (text !== '') yield { text };
    }
  }
}

/** Checks whether a text ends with `"conversations":`, in linear time. */
function endsWithKey(text: string): boolean {
  const end = text.trimEnd();
  return end.endsWith(':') && end.slice(0, -1).trimEnd().endsWith('"conversations"');
}

/** Removes white space and commas at both ends, in linear time. */
function withoutEnds(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isBetween(text, start)) start++;
  while (end > start && isBetween(text, end - 1)) end--;
  return text.slice(start, end);
}

function isBetween(text: string, at: number): boolean {
  const character = text.charAt(at);
  return character === ',' || character.trim() === '';
}

/** A line with text, with its number, from 1. */
export type NumberedLine = EntryText & { readonly number: number };

/**
 * Splits a document into its lines while it is read. Lines without text are left out, but count.
 *
 * @param chunks - The document in pieces.
 */
export async function* splitLines(
  chunks: AsyncIterable<string>,
  limits: ImportLimits,
): AsyncGenerator<NumberedLine> {
  const line = new EntryPieces(limits.entryCharacters);
  let number = 0;
  const take = (): NumberedLine | undefined => {
    number++;
    const entry = line.take();
    if (entry.text === undefined) return { number, ...entry };
    const text = entry.text.trim();
    return text === '' ? undefined : { number, text };
  };
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf('\n'); end >= 0; end = chunk.indexOf('\n', start)) {
      line.add(chunk.slice(start, end));
      start = end + 1;
      const taken = take();
      if (taken) yield taken;
    }
    if (start < chunk.length) line.add(chunk.slice(start));
  }
  const last = take();
  if (last) yield last;
}

/** The text of an entry, or why there is none. */
export type EntryText = (
  | { readonly text: string; readonly problem?: undefined }
  | { readonly text?: undefined; readonly problem: string }
) & {
  /** It is the document without its entries. */
  readonly isRest?: boolean;
};

/** The pieces of one entry, which are joined once. */
class EntryPieces {
  readonly #max: number;
  #pieces: string[] = [];
  #length = 0;
  #problem: string | undefined;

  constructor(max: number) {
    this.#max = max;
  }

  /** Checks whether nothing but white space was added. */
  get isBlank(): boolean {
    return this.#pieces.length === 0 && this.#problem === undefined;
  }

  /** Adds the next piece as it is. */
  add(piece: string): void {
    if (piece === '' || this.#problem !== undefined) return;
    this.#length += piece.length;
    if (this.#length <= this.#max) this.#pieces.push(piece);
    else {
      this.refuse(
        `it has more than ${this.#max} characters: split it, or raise limits.entryCharacters`,
      );
    }
  }

  /**
   * Adds the next piece of a JSON document. White space between two values means nothing, however long: of what a
   * piece begins and ends with, one space is kept.
   *
   * @param startsInString - True if its beginning is in a string, and so every space counts; the same for its end.
   */
  addJson(piece: string, startsInString: boolean, endsInString: boolean): void {
    const start = startsInString ? piece : shortenedStart(piece);
    const kept = endsInString ? start : shortenedEnd(start);
    if (
      kept === ' ' &&
      !startsInString &&
      (this.#pieces.length === 0 || this.#pieces.at(-1) === ' ')
    )
      return;
    this.add(kept);
  }

  /** Drops what was added; the rest is read, and not kept. */
  refuse(problem: string): void {
    this.#problem ??= problem;
    this.#pieces = [];
  }

  /** Returns the entry, and begins the next one. */
  take(): EntryText {
    const [problem, text] = [this.#problem, this.#pieces.join('')];
    this.#pieces = [];
    this.#length = 0;
    this.#problem = undefined;
    return problem === undefined ? { text } : { problem };
  }
}

function shortenedStart(text: string): string {
  const trimmed = text.trimStart();
  return trimmed.length < text.length ? ` ${trimmed}` : text;
}

function shortenedEnd(text: string): string {
  const trimmed = text.trimEnd();
  return trimmed.length < text.length ? `${trimmed} ` : text;
}
