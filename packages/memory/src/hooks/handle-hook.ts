import { appendFileSync, renameSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf, type JsonObject } from '@vizprompt/providers';
import { makeFolders } from '@vizprompt/providers/internal';
import { MemoryError } from '../errors.ts';
import type { MemoryStore } from '../memory-store.ts';
import { followHook } from './follow-hook.ts';
import { readHookInput } from './hook-input.ts';
import type { HookAnswer, HookOptions } from './hook-options.ts';
import { recordHook } from './record-hook.ts';

/**
 * Handles one call of a Claude Code hook: notes its content, and the new lines of the transcript. It
 * never fails: an error becomes a line in a log file, and the agent continues.
 *
 * @param memory - The store, or how to open it; a store that is opened here is closed.
 * @param input - The hook's standard input.
 *
 * @example
 * ```ts
 * const { stdout } = await handleHook(() => MemoryStore.open(), await readAll(process.stdin));
 * process.stdout.write(stdout);
 * ```
 */
export async function handleHook(
  memory: MemoryStore | (() => Promise<MemoryStore>),
  input: JsonObject | string,
  options: HookOptions = {},
): Promise<HookAnswer> {
  const { logFile = join(homedir(), '.ptta', 'hooks.log'), timeoutMs = 2000 } = options;
  let event = 'unknown';
  try {
    const read = readHookInput(input);
    event = read.event;
    const timer = new AbortController();
    const late = sleep(timeoutMs, undefined, { signal: timer.signal, ref: false }).then(() => {
      throw new MemoryError('closed', `hook timed out after ${timeoutMs} ms`);
    });
    late.catch(() => undefined);
    const { agent = 'claude-code' } = options;
    const work = withStore(memory, (store) =>
      agent === 'claude-code'
        ? recordHook(store, read, options)
        : followHook(store, agent, read, options),
    );
    work.catch(() => undefined);
    try {
      return { exitCode: 0, stdout: await Promise.race([work, late]) };
    } finally {
      timer.abort();
    }
  } catch (error) {
    logFailure(logFile, event, error);
    return { exitCode: 0, stdout: '' };
  }
}

async function withStore<Result>(
  memory: MemoryStore | (() => Promise<MemoryStore>),
  work: (store: MemoryStore) => Promise<Result>,
): Promise<Result> {
  if (typeof memory !== 'function') return work(memory);
  const store = await memory();
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

const MAX_BYTES = 1 << 20;

/** Adds a line of JSON to the log of hooks. It never throws: there is no caller left to report to. */
function logFailure(logFile: string, event: string, error: unknown): void {
  const code =
    typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : undefined;
  const line = { time: new Date().toISOString(), event, code, message: messageOf(error) };
  try {
    makeFolders(dirname(logFile));
    const size = statSync(logFile, { throwIfNoEntry: false })?.size ?? 0;
    if (size > MAX_BYTES) renameSync(logFile, `${logFile}.1`);
    appendFileSync(logFile, `${JSON.stringify(line)}\n`, { mode: 0o600 });
  } catch {
    // See above.
  }
}
