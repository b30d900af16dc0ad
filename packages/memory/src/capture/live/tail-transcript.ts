import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { stat, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { JsonObject, JsonValue } from '@vizprompt/providers';
import {
  listAt,
  numberAt,
  objectAt,
  objectOf,
  makeFolders,
  replaceFile,
  textAt,
} from '@vizprompt/providers/internal';
import {
  readLines,
  loadTranscriptState,
  saveTranscriptState,
  type TranscriptAgent,
} from '@vizprompt/providers/transcripts';
import { parseShallowJson } from '@vizprompt/providers/transcripts/internal';
import { OpencodeDatabase } from '../opencode/opencode-database.ts';
import { newCounts, newReaderState, type ReaderState } from '../reader-state.ts';
import { recordEntry } from '../record-entry.ts';
import { Recording } from '../recording.ts';
import { redactionOptions, Redactor } from '../../redact/redactor.ts';

/** The end of a transcript, as far as it was read. */
export interface Tail {
  /** With the drafts of the new lines, and what is known after them. */
  readonly recording: Recording;
  /** Byte offset of the first line that was not read. */
  readonly offset: number;
  /** True if the whole file is read. */
  readonly isWhole: boolean;
  /** True if there is such a file. */
  readonly exists: boolean;
  /** The id of the last call that was stored of those that waited. */
  readonly lastCall?: string | undefined;
}

/** How to read the end of a transcript. */
export interface TailOptions {
  readonly maxBytes: number;
  /** Default: `'claude-code'`. */
  readonly agent?: TranscriptAgent;
  /** The size of the file when the hook was called, -1 if it was missing. Default: the size that it has. */
  readonly sizeThen?: number | undefined;
  /** Texts of files that may be gone, by path. */
  readonly outputs?: ReadonlyMap<string, string> | undefined;
}

/**
 * Reads the new lines of a transcript since the last time, up to a number of bytes. A line that is not
 * whole yet is left for the next time.
 */
export async function tailTranscript(
  transcript: string | undefined,
  sessionId: string,
  stateFile: string,
  { maxBytes, agent = 'claude-code', sizeThen, outputs }: TailOptions,
): Promise<Tail> {
  const size = transcript === undefined || sizeThen === -1 ? undefined : await sizeOf(transcript);
  const saved = await loadTailState(stateFile);
  const isShorter = size !== undefined && size < saved.offset;
  // Another file took its place: what is known of the old one says nothing.
  const state = isShorter ? undefined : saved.reader;
  const recording = new Recording(agent, newCounts(), sessionId, state);
  recording.beside = transcript?.replace(/\.jsonl$/, '');
  for (const [path, text] of isShorter ? [] : (saved.files ?? [])) recording.files.set(path, text);
  for (const [path, text] of outputs ?? []) recording.files.set(path, text);
  let offset = isShorter ? 0 : saved.offset;
  const { lastCall } = saved;
  if (transcript === undefined || size === undefined) {
    return { recording, offset, isWhole: true, exists: false, lastCall };
  }
  const end = offset + maxBytes;
  // Lines that came after the hook belong to the next one, which may know more of their calls.
  const last = sizeThen ?? Infinity;
  let isAtEnd = false;
  for await (const lines of readLines(transcript, { start: offset })) {
    for (const line of lines) {
      isAtEnd = !line.isWhole || line.end > last;
      if (isAtEnd) break;
      offset = line.end;
      for (const entry of recording.reader.read(line)) recordEntry(recording, entry);
    }
    if (isAtEnd || offset >= end) break;
  }
  return { recording, offset, isWhole: offset >= Math.min(size, last), exists: true, lastCall };
}

/**
 * Reads what a session of opencode has got in its database since the last time.
 *
 * @returns As of a file, with the time of the last change as its offset.
 */
export async function tailOpencode(
  path: string,
  session: string,
  stateFile: string,
): Promise<Tail> {
  const saved = await loadTailState(stateFile);
  const recording = new Recording('opencode', newCounts(), session, saved.reader);
  recording.beside = dirname(path);
  for (const [name, text] of saved.files ?? []) recording.files.set(name, text);
  let { offset } = saved;
  let exists = false;
  if (existsSync(path)) {
    await using database = new OpencodeDatabase(path);
    for await (const line of database.lines(session, { since: saved.offset })) {
      exists = true;
      offset = Math.max(offset, line.modifiedMs);
      for (const entry of recording.reader.read(line)) recordEntry(recording, entry);
    }
  }
  return { recording, offset, isWhole: true, exists };
}

async function sizeOf(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).size;
  } catch {
    return undefined;
  }
}

const FORM = 1;

/** Read position in a transcript, and the state of the reader there. */
export interface TailState {
  /** Byte offset of the first line that was not read. */
  readonly offset: number;
  readonly reader: ReaderState;
  /** Texts of files that the lines have shown, by path. */
  readonly files?: readonly (readonly [path: string, text: string])[];
  /** The id of the last call that was stored of those that waited. */
  readonly lastCall?: string | undefined;
}

/** This many characters of texts of files are kept between hooks, the newest. */
const MAX_TEXT = 1 << 20;

/** Returns the texts of files that the next lines may change. One with a secret is not written to a file of its own. */
export function savedFiles({ files }: Recording): TailState['files'] {
  const redactor = new Redactor(redactionOptions());
  const kept: (readonly [string, string])[] = [];
  let room = MAX_TEXT;
  for (const [path, text] of [...files].toReversed()) {
    if (text === undefined || text.length > room) continue;
    if (redactor.text(text, 'a file') !== text) continue;
    room -= text.length;
    kept.unshift([path, text]);
  }
  return kept;
}

/** Returns the file that keeps how far a transcript was read; only this user can read it. */
export function statePath(folder: string, transcript: string): string {
  const name = createHash('sha256').update(transcript).digest('hex').slice(0, 32);
  return join(folder, `${name}.json`);
}

/** Returns the stored state, or that of the beginning if it is missing or cannot be read. */
export async function loadTailState(path: string): Promise<TailState> {
  const fresh = { offset: 0, reader: newReaderState() };
  try {
    const saved = objectOf(parseShallowJson(await readFile(path, 'utf8')));
    if (saved['form'] !== FORM) return fresh;
    const offset = numberAt(saved, 'offset') ?? 0;
    const files = listAt(saved, 'files').flatMap((one): [string, string][] => {
      const [name, text] = Array.isArray(one) ? (one as readonly JsonValue[]) : [];
      return typeof name === 'string' && typeof text === 'string' ? [[name, text]] : [];
    });
    const reader = loadTranscriptState(objectAt(saved, 'reader'), newReaderState());
    return { offset, reader, files, lastCall: textAt(saved, 'call') };
  } catch {
    // The transcript is read again; events that the store has already are skipped.
    return fresh;
  }
}

/** Stores the read position in a transcript atomically. */
export async function saveTailState(
  path: string,
  { offset, reader, files = [], lastCall }: TailState,
): Promise<void> {
  const saved: JsonObject = {
    form: FORM,
    offset,
    reader: saveTranscriptState(reader),
    ...(lastCall === undefined ? {} : { call: lastCall }),
    ...(files.length > 0 ? { files: files.map(([name, text]) => [name, text]) } : {}),
  };
  makeFolders(dirname(path), 0o700);
  await replaceFile(path, JSON.stringify(saved), { mode: 0o600, durable: false });
}

/** Forgets it. */
export async function dropTailState(path: string): Promise<void> {
  await rm(path, { force: true });
}
