import { textAt } from '@vizprompt/providers/internal';
import type { MemoryStore } from '../memory-store.ts';
import type { RecalledEvent } from '../recall/recall-options.ts';
import { FRAME_TOKENS, framedText } from '../recall/recalled-text.ts';
import type { HookInput } from './hook-input.ts';
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
  if (CONTINUED.has(source)) return '';
  return recall(store, { workspace: input.cwd, budgetTokens, source, session });
}

/** Estimated tokens of the heading of a session. */
const HEADING_TOKENS = 40;

const MORE =
  'More of it: the tools search, timeline and get_events of the MCP server ptta, or the command `ptta search WORDS`.';

async function ownRecall(store: MemoryStore, request: HookRecallRequest): Promise<string> {
  if (!hasRecall(store)) return '';
  const { workspace, budgetTokens, session } = request;
  const { events } = await store.recall({
    workspace,
    exceptSession: session,
    budgetTokens: Math.max(0, budgetTokens - FRAME_TOKENS - HEADING_TOKENS * 2),
  });
  if (events.length === 0) return '';
  return framedText(`${MORE}\n\n${inOrder(events)}`, { workspace });
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

/** The part of the store that recalls. */
interface Recalling {
  recall(request: {
    readonly workspace: string;
    readonly exceptSession: string;
    readonly budgetTokens: number;
  }): Promise<{ readonly events: readonly RecalledEvent[] }>;
}

function hasRecall(store: object): store is Recalling {
  return 'recall' in store && typeof store.recall === 'function';
}
