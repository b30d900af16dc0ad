import { open, readFile } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import type { JsonValue } from '@vizprompt/providers';
import { jsonEncoding, untilAborted } from '@vizprompt/providers/internal';
import { readLines, type FileLine } from '@vizprompt/providers/transcripts';
import {
  linesOfBytes,
  parseLine,
  type ParsedLine,
} from '@vizprompt/providers/transcripts/internal';
import { closeOpenCalls } from '../calls.ts';
import { TRANSCRIPT_AGENTS, type EventDraft } from '../draft.ts';
import { OpencodeDatabase } from '../opencode/opencode-database.ts';
import { isStoredSession, storedSession } from '../opencode/opencode-storage.ts';
import { newCounts } from '../reader-state.ts';
import { recordEntry } from '../record-entry.ts';
import { Recording } from '../recording.ts';
import type { FoundFile } from './find-files.ts';
import type { FileEnd } from './import-deduplicator.ts';
import type { ImportTranscriptOptions, LinePlace } from './import-options.ts';
import { isPacked, unpackFile } from './packed-file.ts';
import { placeSession, sessionPlace } from './session-place.ts';

const AGENTS: ReadonlySet<string> = new Set(TRANSCRIPT_AGENTS);
/** Events are written in parts of this many bytes of the file. */
const PART_BYTES = 1 << 19;
/** And with this many characters of edits: a line may change a few of those of a large file. */
const PART_TEXT = 1 << 21;
/** A file that has not changed for this long does not grow any more. */
const CLOSED_AFTER_MS = 24 * 60 * 60 * 1000;
/** Larger files of a single object are not read. */
const MAX_DOCUMENT = 256 << 20;

const LOG_NAME = /\.jsonl?(?:\.zst)?$/i;

/** How a file is read. */
export type ReadFileOptions = Pick<ImportTranscriptOptions, 'agent' | 'closed' | 'signal'>;

/** The content of some lines of a file. */
export interface FilePart {
  readonly drafts: readonly EventDraft[];
  readonly bytes: number;
  /** With the last part. */
  readonly end?: FileEnd;
}

/** Reads one file, part by part. The sessions of the drafts become complete as the lines are read. */
export async function* readFileParts(
  file: FoundFile,
  options: ReadFileOptions,
): AsyncGenerator<FilePart> {
  const { path, modifiedMs, session } = file;
  const { closed = Date.now() - modifiedMs > CLOSED_AFTER_MS, signal } = options;
  const agent = session === undefined ? options.agent : 'opencode';
  const counts = newCounts();
  const facts = { counts, torn: [] as LinePlace[], broken: [] as LinePlace[] };
  const fallback = session ?? basename(path).replace(LOG_NAME, '');
  const recording = new Recording(agent, counts, fallback);
  recording.beside = session === undefined ? path.replace(LOG_NAME, '') : dirname(path);
  const { reader } = recording;
  const place = await sessionPlace(path);
  let isEmpty = true;
  let pending = 0;
  const unpacked = isPacked(path)
    ? await untilAborted(unpackFile(path, MAX_DOCUMENT), signal)
    : undefined;
  if (unpacked && 'reason' in unpacked) {
    const end = { skipped: unpacked.reason, sessions: [], openCalls: 0, ...facts };
    yield { drafts: [], bytes: 0, end };
    return;
  }
  const lines = unpacked
    ? linesIn(unpacked.bytes, file.bytes, signal)
    : session === undefined
      ? linesOf(file, signal)
      : sessionLines(path, session, closed);
  for await (const line of lines) {
    if ('text' in line && isTorn(line)) {
      facts.torn.push(placeOf(path, line));
      continue;
    }
    isEmpty = false;
    for (const entry of reader.read(line)) {
      if (entry.session) placeSession(entry.session, place);
      if (entry.kind === 'broken' && entry.place) facts.broken.push(placeOf(path, entry.place));
      recordEntry(recording, entry);
    }
    if (isForeign(recording)) break;
    pending += line.bytes;
    if (pending < PART_BYTES && recording.textCharacters < PART_TEXT) continue;
    yield { drafts: recording.take(), bytes: pending };
    pending = 0;
  }
  if (reader.agent === undefined || isForeign(recording)) {
    const skipped = isEmpty ? 'it is empty' : 'its lines are of no program that is known';
    yield { drafts: [], bytes: 0, end: { skipped, sessions: [], openCalls: 0, ...facts } };
    return;
  }
  if (closed) {
    closeOpenCalls(recording);
    recording.end();
  }
  const drafts = recording.take();
  const sessions = reader.sessions.map((draft) => {
    const endedAt = closed ? recording.lastTime(draft) : undefined;
    return { draft, ...(endedAt === undefined ? {} : { endedAt }) };
  });
  const end = { sessions, openCalls: recording.state.calls.size, ...facts };
  yield { drafts, bytes: pending, end };
}

function isForeign({ reader }: Recording): boolean {
  return reader.isForeign || (reader.agent !== undefined && !AGENTS.has(reader.agent));
}

/** Checks whether a last line without an end is not JSON yet. */
function isTorn({ isWhole, text }: FileLine): boolean {
  return !isWhole && parseLine(text).value === undefined;
}

function placeOf(file: string, { line, offset }: Omit<LinePlace, 'file'>): LinePlace {
  return { file, line, offset };
}

async function* sessionLines(
  path: string,
  session: string,
  isClosed: boolean,
): AsyncGenerator<ParsedLine & { readonly bytes: number }> {
  await using database = new OpencodeDatabase(path);
  yield* database.lines(session, { isClosed });
}

/** Returns the text of a document without its byte order mark. */
function textOf(bytes: Uint8Array): string {
  return new TextDecoder(jsonEncoding(bytes)).decode(bytes);
}

/** Checks whether a file begins with an object or a list over several lines, which is no line of its own. */
async function isIndented(path: string): Promise<boolean> {
  const handle = await open(path);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(64), 0, 64, 0);
    return /^\uFEFF?\s*[[{]\s*\n/.test(buffer.toString('utf8', 0, bytesRead));
  } finally {
    await handle.close();
  }
}

/** Returns the lines of a file that was compressed; their bytes are those of the compressed file. */
async function* linesIn(
  bytes: Uint8Array,
  packedBytes: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<FileLine> {
  const packed = (end: number): number => Math.floor((end * packedBytes) / bytes.length);
  for await (const lines of linesOfBytes(bytes, { skipEmpty: true, signal })) {
    for (const line of lines) {
      if (line.text.trim() !== '') yield { ...line, bytes: packed(line.end) - packed(line.offset) };
    }
  }
}

async function* linesOf(
  { path, bytes }: FoundFile,
  signal: AbortSignal | undefined,
): AsyncGenerator<FileLine | (ParsedLine & { readonly bytes: number })> {
  if (isStoredSession(path)) {
    const value = await storedSession(path);
    if (value) yield { value, bytes };
    return;
  }
  if (/\.json$/i.test(path) || (await isIndented(path))) {
    const document =
      bytes > MAX_DOCUMENT
        ? undefined
        : parseLine(textOf(await readFile(path, signal ? { signal } : {})));
    // Else it is lines after all, or cut off.
    if (document?.value !== undefined && document.broken === undefined) {
      const { value } = document;
      // Some tools write the lines as a list.
      const all = Array.isArray(value) ? (value as readonly JsonValue[]) : [value];
      for (const one of all) yield { value: one, bytes: Math.ceil(bytes / all.length) };
      return;
    }
  }
  for await (const lines of readLines(path, { skipEmpty: true, signal })) {
    for (const line of lines) {
      if (line.text.trim() !== '') yield { ...line, bytes: line.end - line.offset };
    }
  }
}
