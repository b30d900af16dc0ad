import { isAscii, isUtf8, transcode } from 'node:buffer';
import { createReadStream } from 'node:fs';
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

/** A line of a file, with the place where it begins. */
export interface FileLine {
  readonly text: string;
  /** From 1, counted from where reading began. */
  readonly line: number;
  /** Byte offset of its beginning. */
  readonly offset: number;
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
const NEWLINE = 0x0a;

const KINDS: Kinds<ReadLinesOptions> = {
  start: optional(COUNT),
  maxLineBytes: optional(POSITIVE),
  skipEmpty: optional(FLAG),
  signal: optional(SIGNAL),
};

/**
 * Reads the lines of a file as they come: in batches, one for each chunk of a megabyte. Memory holds
 * a chunk and the longest line.
 *
 * @throws The signal's reason, and what the file system says.
 */
export async function* readLines(
  path: string,
  options: ReadLinesOptions = {},
): AsyncGenerator<readonly FileLine[]> {
  checkArgument('the path of readLines', path, NONEMPTY);
  checkOptions('readLines', options, KINDS);
  const { start = 0, maxLineBytes = 1 << 28, skipEmpty = false, signal } = options;
  const stream = createReadStream(path, {
    highWaterMark: CHUNK_BYTES,
    start,
    ...(signal ? { signal } : {}),
  });
  let line = 0;
  let offset = start;
  let held: Buffer[] = [];
  let heldBytes = 0;
  let lineBytes = 0;
  const take = (isWhole: boolean): FileLine => {
    const text = textOf(held, heldBytes, line === 0 && start === 0);
    line += 1;
    const taken = { text, line, offset, isWhole, bytes: lineBytes };
    offset += lineBytes + (isWhole ? 1 : 0);
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
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    const lines: FileLine[] = [];
    let from = 0;
    for (;;) {
      if (skipEmpty && lineBytes === 0 && line > 0) {
        for (; chunk[from] === NEWLINE; from += 1) {
          line += 1;
          offset += 1;
        }
      }
      const at = chunk.indexOf(NEWLINE, from);
      if (at === -1) break;
      hold(chunk.subarray(from, at));
      lines.push(take(true));
      from = at + 1;
    }
    if (from < chunk.length) hold(chunk.subarray(from));
    if (lines.length > 0) yield lines;
    signal?.throwIfAborted();
  }
  if (lineBytes > 0) yield [take(false)];
}

function textOf(parts: readonly Buffer[], bytes: number, isFirst: boolean): string {
  const [only] = parts;
  const all = parts.length === 1 && only ? only : Buffer.concat(parts, bytes);
  const text = decoded(all);
  const end = text.endsWith('\r') ? -1 : undefined;
  return isFirst && text.startsWith('\uFEFF') ? text.slice(1, end) : text.slice(0, end);
}

/** Takes a third of the time of `toString('utf8')`, which does the rest: bytes that are not UTF-8. */
function decoded(bytes: Buffer): string {
  if (isAscii(bytes)) return bytes.toString('latin1');
  if (!isUtf8(bytes)) return bytes.toString('utf8');
  return transcode(bytes, 'utf8', 'utf16le').toString('utf16le');
}
