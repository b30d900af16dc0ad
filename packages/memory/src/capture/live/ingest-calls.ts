import { existsSync, readFileSync, rmSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { StorageError } from '@vizprompt/providers';
import { isMissing, isTempName, sweepTemp } from '@vizprompt/providers/internal';
import { MemoryError } from '../../errors.ts';
import type { MemoryContext } from '../../store/memory-context.ts';
import type { TranscriptStore } from '../import/import-options.ts';
import { readHookInput } from './hook-input.ts';
import { logFailure } from './hook-log.ts';
import { pastMoment } from './hook-moment.ts';
import { recordCall } from './record-hook.ts';
import { countWaiting, parseCall, spoolsOf, waitingCalls } from './spool.ts';

/** The calls of hooks that waited. */
export interface IngestReport {
  /** Calls that were stored. */
  readonly stored: number;
  /** Calls that cannot be read or recorded; the log of hooks says why. */
  readonly failed: number;
  /** Calls that still wait. */
  readonly waiting: number;
}

/** Another process may store many calls. */
const PATIENCE_MS = 60_000;
/** Failures of the machine or of another process: the call is tried again later. */
const PASSING: ReadonlySet<string> = new Set([
  'busy',
  'closed',
  'connection',
  'io',
  'lock-timeout',
  'newer-schema',
  'no-sqlite',
  'corrupt',
]);

/**
 * Stores the calls of hooks that wait, in their order and each of them once, whichever processes do so at the same time.
 *
 * @param signal - Stops between two calls, and the waiting for another process.
 * @throws StorageError if the memory cannot be written now; the calls wait on.
 */
export async function ingestCalls(
  store: TranscriptStore,
  context: MemoryContext,
  signal?: AbortSignal,
): Promise<IngestReport> {
  const { hooks } = context;
  if (countWaiting(context) === 0) return { stored: 0, failed: 0, waiting: 0 };
  const lock = await context.lock('hooks', { timeoutMs: PATIENCE_MS, signal });
  let stored = 0;
  let failed = 0;
  try {
    const folders = spoolsOf(context);
    const paths = folders.flatMap((folder) =>
      waitingCalls(folder).map((name) => join(folder, name)),
    );
    const outputs = outputsOf(paths);
    for (const path of paths) {
      if (signal?.aborted === true || lock.lost.aborted) break;
      const isStored = await ingestCall(store, path, hooks, outputs);
      if (isStored === true) stored++;
      else if (isStored === false) failed++;
    }
    for (const folder of folders) await sweepAbandoned(folder, hooks);
  } finally {
    await lock.release();
  }
  return { stored, failed, waiting: countWaiting(context) };
}

/** Returns the outputs that calls have brought: a call before them may read the transcript beyond its own time. */
function outputsOf(paths: readonly string[]): ReadonlyMap<string, string> {
  const outputs = new Map<string, string>();
  for (const path of paths) {
    const call = parseCall(textIfThere(path) ?? '');
    if (call === undefined || call === 'newer' || call.agent === 'claude-code') continue;
    for (const [name, text] of Object.entries(call.files)) outputs.set(name, text);
  }
  return outputs;
}

/** Stores a call and deletes it. Returns false if it cannot be recorded, and nothing if it is to wait. */
async function ingestCall(
  store: TranscriptStore,
  path: string,
  hooks: string,
  outputs: ReadonlyMap<string, string>,
): Promise<boolean | undefined> {
  const logFile = join(hooks, 'hooks.log');
  const text = textIfThere(path);
  if (text === undefined) return undefined;
  let event = 'unknown';
  let isStored = false;
  try {
    const call = parseCall(text);
    if (call === 'newer') return undefined;
    if (call === undefined) {
      throw new MemoryError(
        'corrupt',
        `${path}: expected a whole call of a hook, got a part; deleted it`,
      );
    }
    const input = readHookInput(call.input, pastMoment(basename(path), call));
    event = input.event;
    await recordCall(store, call.agent, input, { stateFolder: join(hooks, 'hooks'), outputs });
    isStored = true;
  } catch (error) {
    if (StorageError.isInstance(error) && PASSING.has(error.code)) throw error;
    logFailure(logFile, event, error);
  }
  rmSync(path, { force: true });
  return isStored;
}

function textIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Deletes what a hook that was killed has written of its call, and reports it. */
async function sweepAbandoned(folder: string, hooks: string): Promise<void> {
  for (const name of await namesIn(folder)) {
    if (!isTempName(name)) continue;
    const path = join(folder, name);
    sweepTemp(path, name);
    if (existsSync(path)) continue;
    const error = new MemoryError(
      'corrupt',
      `${path}: a hook was killed while it wrote its call; deleted the part`,
    );
    logFailure(join(hooks, 'hooks.log'), 'unknown', error);
  }
}

async function namesIn(folder: string): Promise<readonly string[]> {
  return readdir(folder).catch(() => []);
}
