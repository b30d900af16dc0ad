import { createTokenEstimator } from '@vizprompt/providers';
import { textAt } from '@vizprompt/providers/internal';
import { sessionIdOf } from '../capture/keys.ts';
import type { HookInput } from '../capture/live/hook-input.ts';
import { MemoryError } from '../errors.ts';
import type { MemoryStore } from '../memory-store.ts';
import type { RecalledEvent } from '../recall/recall-options.ts';
import { FRAME_TOKENS, framedText } from '../recall/recalled-text.ts';
import type { HookOptions, HookRecallRequest } from './hook-options.ts';

/** Sources of continued conversations, which still contain the context of their start. */
const CONTINUED: ReadonlySet<string> = new Set(['resume', 'fork']);

/** Returns the context that a session begins with. */
export async function recallText(
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
