import { isAscii, isUtf8, transcode } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { checkOptions, checkArgument } from '../../input/check-input.ts';
import {
  COUNT,
  FLAG,
  NONEMPTY,
  POSITIVE,
  SIGNAL,
  optional,
  type Kinds,
} from '../../input/kinds.ts';
import { jsonEncoding, type JsonEncoding } from '../../strings/json-encoding.ts';

/** A line of a file, with the place where it begins. */
export interface FileLine {
  readonly text: string;
  /** From 1, counted from where reading began. */
  readonly line: number;
  /** Byte offset of its beginning. */
  readonly offset: number;
  /** Byte offset after it and its line end. */
  readonly end: number;
  /** True if a line end follows it. Only the last line can lack one. */
  readonly isWhole: boolean;
  /** Its bytes, cut off in `text` if there are more than `maxLineBytes`. */
  readonly bytes: number;
}

/** Options of {@link readLines}. */
export interface ReadLinesOptions {
  /** Byte offset of a line's beginning. Default: 0. */
  readonly start?: number | undefined;
  /** Longer lines are cut. Default: 256 MiB. */
  readonly maxLineBytes?: number | undefined;
  /** True if empty lines only count: a file may be millions of them. Default: `false`. */
  readonly skipEmpty?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

const CHUNK_BYTES = 1 << 20;
const NEWLINES: Readonly<Record<JsonEncoding, Buffer>> = {
  'utf-8': Buffer.from([0x0a]),
  'utf-16le': Buffer.from([0x0a, 0]),
  'utf-16be': Buffer.from([0, 0x0a]),
};

const KINDS: Kinds<ReadLinesOptions> = {
  start: optional(COUNT),
  maxLineBytes: optional(POSITIVE),
  skipEmpty: optional(FLAG),
  signal: optional(SIGNAL),
};

/**
 * Reads the lines of a file of JSON as they come: in batches, one for each chunk of a megabyte. Memory holds
 * a chunk and the longest line. UTF-16 is read, too, where the beginning of the file shows it.
 *
 * @throws The signal's reason, and what the file system says.
 */
export async function* readLines(
  path: string,
  options: ReadLinesOptions = {},
): AsyncGenerator<readonly FileLine[]> {
  checkArgument('the path of readLines', path, NONEMPTY);
  checkOptions('readLines', options, KINDS);
  const { start = 0, signal } = options;
  const encoding = start === 0 ? undefined : await encodingOf(path);
  const stream = createReadStream(path, {
    highWaterMark: CHUNK_BYTES,
    start,
    ...(signal ? { signal } : {}),
  });
  yield* linesOfChunks(stream as AsyncIterable<Buffer>, options, encoding);
}

/** Returns the lines of bytes in memory, in batches as {@link readLines} does. */
export function linesOfBytes(
  bytes: Uint8Array,
  options: Omit<ReadLinesOptions, 'start'> = {},
): AsyncGenerator<readonly FileLine[]> {
  return linesOfChunks(chunksOf(bytes), options, jsonEncoding(bytes));
}

function* chunksOf({ buffer, byteOffset, length }: Uint8Array): Generator<Buffer> {
  const all = Buffer.from(buffer, byteOffset, length);
  for (let at = 0; at < length; at += CHUNK_BYTES) yield all.subarray(at, at + CHUNK_BYTES);
}

/** Without an encoding, the first chunk shows it. */
async function* linesOfChunks(
  chunks: AsyncIterable<Buffer> | Iterable<Buffer>,
  { start = 0, maxLineBytes = 1 << 28, skipEmpty = false, signal }: ReadLinesOptions,
  known: JsonEncoding | undefined,
): AsyncGenerator<readonly FileLine[]> {
  let encoding = known;
  let line = 0;
  let offset = start;
  let held: Buffer[] = [];
  let heldBytes = 0;
  let lineBytes = 0;
  const take = (used: JsonEncoding, endBytes: number): FileLine => {
    const [only] = held;
    const all = held.length === 1 && only ? only : Buffer.concat(held, heldBytes);
    const text = textOf(all, used, line === 0 && start === 0);
    line += 1;
    const end = offset + lineBytes + endBytes;
    const taken = { text, line, offset, end, isWhole: endBytes > 0, bytes: lineBytes };
    offset = end;
    held = [];
    heldBytes = 0;
    lineBytes = 0;
    return taken;
  };
  const hold = (part: Buffer): void => {
    lineBytes += part.length;
    const kept = part.subarray(0, Math.max(0, maxLineBytes - heldBytes));
    if (kept.length === 0) return;
    held.push(kept);
    heldBytes += kept.length;
  };
  let half: Buffer | undefined;
  for await (const read of chunks) {
    encoding ??= jsonEncoding(read);
    const newline = NEWLINES[encoding];
    const width = newline.length;
    let chunk = half ? Buffer.concat([half, read]) : read;
    half = chunk.length % width === 0 ? undefined : chunk.subarray(-1);
    if (half) chunk = chunk.subarray(0, -1);
    const lines: FileLine[] = [];
    let from = 0;
    for (;;) {
      if (skipEmpty && lineBytes === 0 && line > 0) {
        for (; chunk[from] === newline[0] && chunk[from + width - 1] === newline.at(-1);) {
          from += width;
          line += 1;
          offset += width;
        }
      }
      const at = newlineFrom(chunk, newline, from);
      if (at === -1) break;
      hold(chunk.subarray(from, at));
      lines.push(take(encoding, width));
      from = at + width;
    }
    if (from < chunk.length) hold(chunk.subarray(from));
    if (lines.length > 0) yield lines;
    signal?.throwIfAborted();
  }
  if (half) hold(half);
  if (lineBytes > 0) yield [take(encoding ?? 'utf-8', 0)];
}

async function encodingOf(path: string): Promise<JsonEncoding> {
  await using file = await open(path);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(2), 0, 2, 0);
  return jsonEncoding(buffer.subarray(0, bytesRead));
}

/** Returns the place of the next newline; -1 if there is none. In UTF-16 others are the halves of two characters. */
function newlineFrom(chunk: Buffer, newline: Buffer, from: number): number {
  if (newline.length === 1) return chunk.indexOf(newline[0] ?? 0, from);
  let at = chunk.indexOf(newline, from);
  while (at % 2 === 1) at = chunk.indexOf(newline, at + 1);
  return at;
}

function textOf(bytes: Buffer, encoding: JsonEncoding, isFirst: boolean): string {
  const text = encoding === 'utf-8' ? decoded(bytes) : wideText(bytes, encoding);
  const end = text.endsWith('\r') ? -1 : undefined;
  return isFirst && text.startsWith('\uFEFF') ? text.slice(1, end) : text.slice(0, end);
}

function wideText(bytes: Buffer, encoding: JsonEncoding): string {
  return new TextDecoder(encoding, { ignoreBOM: true }).decode(bytes);
}

/** Takes a third of the time of `toString('utf8')`, which does the rest: bytes that are not UTF-8. */
function decoded(bytes: Buffer): string {
  if (isAscii(bytes)) return bytes.toString('latin1');
  if (!isUtf8(bytes)) return bytes.toString('utf8');
  return transcode(bytes, 'utf8', 'utf16le').toString('utf16le');
}
