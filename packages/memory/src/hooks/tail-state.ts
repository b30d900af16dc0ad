import { createHash } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { JsonObject } from '@vizprompt/providers';
import { makeFolders, replaceFile } from '@vizprompt/providers/internal';
import { loadTranscriptState, saveTranscriptState } from '@vizprompt/providers/transcripts';
import { numberAt, objectAt, objectOf, parseJson } from '../capture/fields.ts';
import { newReaderState, type ReaderState } from '../capture/reader-state.ts';

const FORM = 1;

/** How far a transcript was read, and what was known there. */
export interface TailState {
  /** Byte offset of the first line that was not read. */
  readonly offset: number;
  readonly reader: ReaderState;
}

/** The file that keeps how far a transcript was read; only this user can read it. */
export function statePath(folder: string, transcript: string): string {
  const name = createHash('sha256').update(transcript).digest('hex').slice(0, 32);
  return join(folder, `${name}.json`);
}

/** What was kept; the beginning if there is nothing, or nothing that can be read. */
export async function loadTailState(path: string): Promise<TailState> {
  const fresh = { offset: 0, reader: newReaderState() };
  try {
    const saved = objectOf(parseJson(await readFile(path, 'utf8')));
    if (saved['form'] !== FORM) return fresh;
    const offset = numberAt(saved, 'offset') ?? 0;
    return { offset, reader: loadTranscriptState(objectAt(saved, 'reader'), newReaderState()) };
  } catch {
    // What was read before is read again, and found to be there.
    return fresh;
  }
}

/** Keeps how far a transcript was read, as a whole or not at all. */
export async function saveTailState(path: string, { offset, reader }: TailState): Promise<void> {
  const saved: JsonObject = { form: FORM, offset, reader: saveTranscriptState(reader) };
  makeFolders(dirname(path), 0o700);
  await replaceFile(path, JSON.stringify(saved), { mode: 0o600, durable: false });
}

/** Forgets it. */
export async function dropTailState(path: string): Promise<void> {
  await rm(path, { force: true });
}
