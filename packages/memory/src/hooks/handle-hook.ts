import { homedir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { JsonObject } from '@vizprompt/providers';
import { sessionIdOf } from '../capture/keys.ts';
import { type HookInput, readHookInput } from '../capture/live/hook-input.ts';
import { logFailure } from '../capture/live/hook-log.ts';
import { recordCall } from '../capture/live/record-call.ts';
import { MemoryError } from '../errors.ts';
import type { MemoryStore } from '../memory-store.ts';
import type { HookAgent } from './agent-hooks.ts';
import type { HookAnswer, HookOptions } from './hook-options.ts';
import { recallText } from './recall-text.ts';

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
    const work = withStore(memory, (store) => recordAndRecall(store, read, options));
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

/** Records a call. Returns what to print. */
async function recordAndRecall(
  store: MemoryStore,
  input: HookInput,
  options: HookOptions,
): Promise<string> {
  const { agent = 'claude-code' } = options;
  await recordCall(store, agent, input, options);
  if (input.event !== 'SessionStart') return '';
  const text = await recallText(store, sessionIdOf(agent, input.sessionId), input, options);
  return text === '' ? '' : answerOf(agent, text);
}

/** The form in which an agent takes context. */
function answerOf(agent: HookAgent, additionalContext: string): string {
  if (agent !== 'gemini' && agent !== 'copilot') return additionalContext;
  const hookSpecificOutput = { hookEventName: 'SessionStart', additionalContext };
  return JSON.stringify(agent === 'gemini' ? { hookSpecificOutput } : { additionalContext });
}
