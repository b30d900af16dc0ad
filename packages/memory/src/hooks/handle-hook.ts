import { homedir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createTokenEstimator, type JsonObject } from '@vizprompt/providers';
import { textAt } from '@vizprompt/providers/internal';
import { sessionIdOf } from '../capture/keys.ts';
import { type HookInput, readHookInput } from '../capture/live/hook-input.ts';
import { logFailure } from '../capture/live/hook-log.ts';
import { recordCall } from '../capture/live/record-hook.ts';
import { MemoryError } from '../errors.ts';
import type { MemoryStore } from '../memory-store.ts';
import type { RecalledEvent } from '../recall/recall-options.ts';
import { FRAME_TOKENS, framedText } from '../recall/recalled-text.ts';
import type { HookAgent } from './agent-hooks.ts';
import type { HookAnswer, HookOptions, HookRecallRequest } from './hook-options.ts';

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

/** Sources of continued conversations, which still contain the context of their start. */
const CONTINUED: ReadonlySet<string> = new Set(['resume', 'fork']);

/** Returns the context that a session begins with. */
async function recallText(
  store: MemoryStore,
  session: string,
  input: HookInput,
  { recall = ownRecall, budgetTokens = 2000 }: HookOptions,
): Promise<string> {
  if (input.cwd === undefined) return '';
  const source = textAt(input.fields, 'source') ?? 'startup';
  return recall(store, { workspace: input.cwd, budgetTokens, source, session });
}

const MORE =
  'More of it: the tools search, timeline and get_events of the MCP server ptta, or the command `ptta search WORDS`.';

async function ownRecall(store: MemoryStore, request: HookRecallRequest): Promise<string> {
  const { workspace, budgetTokens, session, source } = request;
  const since = CONTINUED.has(source) ? await lastTime(store, session) : '';
  // A fork whose beginning is not known here may hold all of it.
  if (since === undefined) return '';
  const recalled = await store.recall({
    workspace,
    exceptSession: session,
    budgetTokens: Math.max(1, budgetTokens - FRAME_TOKENS),
  });
  const own = await subagentsOf(store, recalled.events, session);
  const events = recalled.events.filter(({ event }) => {
    return event.timestamp > since && !own.has(event.session_id);
  });
  const estimator = createTokenEstimator();
  // The estimate of a frame is one, too: the least useful go until all of it fits.
  for (let count = events.length; count > 0; count--) {
    const text = framedText(`${MORE}\n\n${inOrder(events.slice(0, count))}`, { workspace });
    if (estimator.count(text).tokens <= budgetTokens) return text;
  }
  return '';
}

/** Returns the sessions of events that are subagents of another session. */
async function subagentsOf(
  store: MemoryStore,
  events: readonly RecalledEvent[],
  session: string,
): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for (const id of new Set(events.map(({ event }) => event.session_id))) {
    const { metadata } = await store.getSession(id);
    const parent = textAt(metadata, 'parent_session');
    const agent = textAt(metadata, 'agent') ?? '';
    if (parent !== undefined && sessionIdOf(agent, parent) === session) found.add(id);
  }
  return found;
}

/** When the last event of a session happened that the memory has. */
async function lastTime(store: MemoryStore, session: string): Promise<string | undefined> {
  try {
    const { event_count: count } = await store.getSession(session);
    const { events } = await store.events(session, { after: Math.max(0, count - 1) }).page();
    return events.at(-1)?.timestamp;
  } catch (error) {
    if (MemoryError.isInstance(error) && error.code === 'session-not-found') return undefined;
    throw error;
  }
}

/** Sessions in the order of time, each with its events in theirs. */
function inOrder(events: readonly RecalledEvent[]): string {
  const sorted = events.toSorted((a, b) => {
    const [one, other] = [a.event, b.event];
    return one.timestamp < other.timestamp ? -1 : one.timestamp > other.timestamp ? 1 : 0;
  });
  return [...groupsOf(sorted).values()]
    .map((some) => some.map(({ text }) => text).join('\n\n'))
    .join('\n\n');
}

function groupsOf(events: readonly RecalledEvent[]): Map<string, RecalledEvent[]> {
  const groups = new Map<string, RecalledEvent[]>();
  for (const event of events) {
    const own = groups.get(event.event.session_id);
    if (own) own.push(event);
    else groups.set(event.event.session_id, [event]);
  }
  return groups;
}
