import { createHash } from 'node:crypto';
import type { McpServer } from '@modelcontextprotocol/server';
import { listOf, optional, snakeInput, TEXT } from '@vizprompt/providers/config/internal';
import { MemoryError } from '../errors.ts';
import type { MemoryEvent } from '../model/memory-event.ts';
import { EVENT_ID, forgottenEvents, SESSION_ID } from './schemas.ts';
import {
  briefEvent,
  fitting,
  REMOVES,
  runTool,
  storedResult,
  toolResult,
  type ToolHost,
} from './tool-host.ts';

const INPUT = snakeInput(
  {
    ids: optional(listOf('1 to 50 ids', EVENT_ID, 1, 50), {
      en: 'The events, as search and timeline give them',
    }),
    session: { ...SESSION_ID, en: 'Or all of this session' },
    confirm: optional(TEXT, {
      en: 'The code from the first call, once the user has agreed. Without it nothing is forgotten',
    }),
  },
  { ids: 'event_ids', session: 'session_id' },
);

/** `forget`. */
export function addForgetTool(server: McpServer, host: ToolHost): void {
  server.registerTool(
    'forget',
    {
      title: 'Forget for good',
      description:
        'Forgets events or a session, so that nothing of them is left. The first call shows what would go, and gives a code: show that to the user, and call again with confirm only when they agree.',
      inputSchema: INPUT,
      outputSchema: forgottenEvents,
      annotations: REMOVES,
    },
    ({ ids, session, confirm }) => {
      return runTool(host, async () => {
        const events = await eventsOf(host, ids, session);
        const code = codeOf(events);
        if (confirm === undefined) return planned(host, events, code);
        if (confirm !== code) {
          throw new MemoryError(
            'invalid-input',
            `confirm: expected the code of these events, got '${confirm}': call forget without confirm, and show the user what it gives`,
          );
        }
        await forgetAll(host, events, session);
        const text = `Forgotten: ${events.length} events. No byte of them remains in the memory.`;
        return toolResult(text, { forgotten: true, total: events.length, events: [] });
      });
    },
  );
}

async function eventsOf(
  { store }: ToolHost,
  ids: readonly string[] | undefined,
  session: string | undefined,
): Promise<readonly MemoryEvent[]> {
  if ((ids === undefined) === (session === undefined)) {
    throw new MemoryError('invalid-input', 'forget takes either event_ids or session_id');
  }
  const events: MemoryEvent[] = [];
  for (const id of new Set(ids ?? [])) events.push(await store.getEvent(id));
  if (session !== undefined) {
    await store.getSession(session);
    for await (const event of store.events(session, { contents: 'omit' })) events.push(event);
  }
  return events.filter(({ type }) => type !== 'forgotten');
}

/** A code for these events as they are now: what is added later is not agreed to. */
function codeOf(events: readonly MemoryEvent[]): string {
  const names = events.map(({ id }) => id).toSorted();
  return createHash('sha256').update(JSON.stringify(names)).digest('hex').slice(0, 8);
}

function planned(
  { workspace }: ToolHost,
  events: readonly MemoryEvent[],
  code: string,
): ReturnType<typeof toolResult> {
  const all = events.map((event) => ({
    event_id: event.id,
    session_id: event.session_id,
    sequence: event.sequence,
    timestamp: event.timestamp,
    type: event.type,
    brief: briefEvent(event, workspace),
  }));
  const shown = fitting(all, (event) => event);
  const lines = shown.map(({ timestamp, type, brief }) => `- ${timestamp} ${type}: ${brief}`);
  const rest = all.length - shown.length;
  const text = [
    `Nothing is forgotten yet. These ${all.length} events would be, for good:`,
    ...lines,
    ...(rest > 0 ? [`(and ${rest} more)`] : []),
    `Ask the user. If they agree, call forget again with confirm: ${code}`,
  ].join('\n');
  return storedResult(workspace, text, {
    forgotten: false,
    total: all.length,
    events: shown,
    confirm: code,
  });
}

/** The memory is rewritten once, with the last of them. */
async function forgetAll(
  { store }: ToolHost,
  events: readonly MemoryEvent[],
  session: string | undefined,
): Promise<void> {
  if (session !== undefined) {
    await store.forget({ session });
    return;
  }
  const last = events.at(-1);
  for (const event of events) {
    await store.forget({ event: event.id }, { purge: event === last });
  }
}
