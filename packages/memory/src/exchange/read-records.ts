import { type Kinds, optional, POSITIVE, SIGNAL } from '@vizprompt/providers/config/internal';
import { isDeeperThan, isJsonObject, jsonEncoding } from '@vizprompt/providers/internal';
import { MemoryError } from '../errors.ts';
import { EXPORT_FORMAT, EXPORT_VERSION } from './export-json.ts';

/** The source of an export: the text or its bytes in UTF-8 or UTF-16, whole or in pieces, such as those of a file. */
export type ExportSource =
  | string
  | Uint8Array
  | Iterable<string | Uint8Array>
  | AsyncIterable<string | Uint8Array>;

/** How an export is read. */
export interface ReadRecordsOptions {
  /** Stops between two pieces. */
  readonly signal?: AbortSignal | undefined;
  /** The longest record, or the longest document that is not on lines of its own. Default: 268,435,456. */
  readonly maxCharacters?: number | undefined;
}

export const READ_RECORDS_OPTIONS: Kinds<ReadRecordsOptions> = {
  signal: optional(SIGNAL),
  maxCharacters: optional(POSITIVE),
};

/** The longest record that is read, unless set. */
const MAX_RECORD_CHARACTERS: number = 1 << 28;

/** JSON of an export is no deeper: an event in a record is no deeper than 200 levels. */
const MAX_DEPTH = 210;

/**
 * Returns the records of an export. One on the disk as it was written is read line by line; one that
 * was formatted again is read as a whole.
 *
 * @throws MemoryError `invalid-import` with the line.
 */
export async function* readRecords(
  source: ExportSource,
  options: ReadRecordsOptions = {},
): AsyncGenerator {
  const { maxCharacters = MAX_RECORD_CHARACTERS, signal } = options;
  assertSource(source);
  const isWhole = typeof source === 'string' || source instanceof Uint8Array;
  const lines = splitLines(decodePieces(isWhole ? [source] : source, signal), maxCharacters);
  const first = await lines.next();
  const head = first.done ? '' : first.value.text;
  if (!head.trimEnd().endsWith('"records":[')) {
    yield* recordsOfDocument(await readDocument(head, lines, maxCharacters));
    return;
  }
  assertHead(parse(`${head}]}`, 'line 1'));
  let last = 1;
  let isEnded = false;
  for await (const { text: line, number } of lines) {
    last = number;
    const text = line.trim().replace(/,$/, '');
    if (text === '') continue;
    if (isEnded) throw invalid(`line ${number} is after the end`);
    if (text === ']}') isEnded = true;
    else yield parse(text, `line ${number}`);
  }
  if (!isEnded) throw invalid(`it ends after line ${last}, in the middle`);
}

function assertSource(source: unknown): void {
  if (typeof source === 'string') return;
  const isIterable =
    typeof source === 'object' &&
    source !== null &&
    (Symbol.iterator in source || Symbol.asyncIterator in source);
  if (isIterable) return;
  const message = 'the source of an import: expected a string, bytes, or pieces of them';
  throw new MemoryError('invalid-input', message);
}

async function readDocument(
  head: string,
  lines: AsyncIterable<NumberedLine>,
  maxCharacters: number,
): Promise<unknown> {
  const pieces = [head];
  let characters = head.length;
  for await (const { text } of lines) {
    pieces.push(text);
    characters += text.length + 1;
    if (characters > maxCharacters) throw tooLong('the text', maxCharacters);
  }
  return parse(pieces.join('\n'), 'the text');
}

function* recordsOfDocument(document: unknown): Generator {
  assertHead(document);
  yield* document.records;
}

function assertHead(value: unknown): asserts value is { readonly records: readonly unknown[] } {
  if (!isJsonObject(value) || value['format'] !== EXPORT_FORMAT) {
    throw invalid(`it does not begin with {"format":"${EXPORT_FORMAT}"`);
  }
  const { version } = value;
  if (typeof version !== 'number' || version < 1 || version > EXPORT_VERSION) {
    throw invalid(
      `it is of version ${JSON.stringify(version)}, and this package reads up to ${EXPORT_VERSION}`,
    );
  }
  if (!Array.isArray(value['records'])) throw invalid('it has no list of records');
}

function parse(text: string, place: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw invalid(`${place} is no JSON`, cause);
  }
  if (isDeeperThan(value, MAX_DEPTH)) {
    throw invalid(`${place} is nested deeper than ${MAX_DEPTH} levels`);
  }
  return value;
}

function tooLong(place: string, max: number): MemoryError {
  return invalid(`${place} has more than ${max} characters: raise maxCharacters to read it`);
}

/** Returns the error for what cannot be imported. */
export function invalid(why: string, cause?: unknown): MemoryError {
  return new MemoryError('invalid-import', `this is no export of a memory: ${why}`, { cause });
}

const NEWLINE = 0x0a;

interface NumberedLine {
  readonly text: string;
  /** From 1. */
  readonly number: number;
}

/** Each line once it is whole. Blank lines in a row within one piece are left out. */
async function* splitLines(
  pieces: AsyncIterable<string>,
  maxCharacters: number,
): AsyncGenerator<NumberedLine, void, undefined> {
  let held: string[] = [];
  let characters = 0;
  let number = 1;
  const hold = (text: string): void => {
    if (text === '') return;
    characters += text.length;
    if (characters > maxCharacters) throw tooLong(`line ${number}`, maxCharacters);
    held.push(text);
  };
  const take = (): NumberedLine => {
    const text = held.join('');
    [held, characters] = [[], 0];
    return { text: number === 1 ? text.replace(/^\uFEFF/, '') : text, number: number++ };
  };
  for await (const piece of pieces) {
    let start = 0;
    for (;;) {
      while (held.length === 0 && number > 1 && piece.charCodeAt(start) === NEWLINE) {
        number++;
        start++;
      }
      const end = piece.indexOf('\n', start);
      if (end < 0) break;
      hold(piece.slice(start, end));
      yield take();
      start = end + 1;
    }
    hold(piece.slice(start));
  }
  yield take();
}

/** The loop of events turns at least this often while pieces are read. */
const TURN_MS = 50;

/** Pieces as text; a character may be in two of them. */
async function* decodePieces(
  pieces: Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>,
  signal: AbortSignal | undefined,
): AsyncGenerator<string, void, undefined> {
  let decoder: InstanceType<typeof TextDecoder> | undefined;
  const decode = (bytes?: Uint8Array): string => {
    decoder ??= new TextDecoder(jsonEncoding(bytes ?? new Uint8Array()), {
      fatal: true,
      ignoreBOM: true,
    });
    try {
      return decoder.decode(bytes, { stream: bytes !== undefined });
    } catch (cause) {
      throw invalid(`it is not ${decoder.encoding.toUpperCase()}`, cause);
    }
  };
  let turnAt = performance.now() + TURN_MS;
  for await (const piece of pieces) {
    // A source that has all of its pieces would never let a signal through.
    if (performance.now() > turnAt) {
      await new Promise(setImmediate);
      turnAt = performance.now() + TURN_MS;
    }
    signal?.throwIfAborted();
    if (typeof piece !== 'string' && !(piece instanceof Uint8Array)) {
      throw new MemoryError(
        'invalid-input',
        'an export is read from text or bytes, or pieces of them',
      );
    }
    yield typeof piece === 'string' ? piece : decode(piece);
  }
  yield decode();
}
