import { type Command, Option } from '@commander-js/extra-typings';
import type {
  EventFilter,
  EventType,
  MemoryEvent,
  MemoryStore,
  SessionInfo,
} from '@vizprompt/memory';
import type { Cli } from '../../frame/cli.ts';
import { wholeNumber } from '../../frame/option-values.ts';
import { remark } from '../../frame/remark.ts';
import { sessionToRead } from '../current-session.ts';
import { eventText } from '../event-text.ts';
import type { PttaMessages } from '../messages/ptta-messages.ts';
import { openMemory } from '../open-memory.ts';

export const examples: readonly string[] = [
  'ptta history --limit 20',
  'ptta history --type file_edit --json',
  'ptta history | head',
];

export function define(command: Command, cli: Cli<PttaMessages>): void {
  command
    .option('--session <id>', cli.text.sessionToRead)
    .addOption(new Option('--type <type>', cli.text.type).choices(EVENT_TYPES))
    .option('--limit <n>', cli.text.lastEvents, wholeNumber(cli, { min: 1 }))
    .action(async ({ session: given, type, limit }) => {
      await using store = await openMemory(cli);
      const session = await sessionToRead(cli, store, given);
      const filter = { contents: 'omit', signal: cli.signal, ...(type ? { type } : {}) } as const;
      const events =
        limit === undefined
          ? store.events(session.id, filter)
          : await lastEvents(store, session, limit, filter);
      if (cli.isJson) return await cli.out.jsonArray(events);
      let isEmpty = true;
      for await (const event of events) {
        isEmpty = false;
        await cli.out.line(eventText(cli, event));
      }
      if (isEmpty) await remark(cli, cli.frame.nothingFound);
    });
}

/** All types of events, here so that the memory need not be loaded to name them. */
const EVENT_TYPES: readonly EventType[] = [
  'user_message',
  'assistant_message',
  'thinking',
  'code_intention',
  'file_edit',
  'tool_use',
];

/** Returns the newest events of a session that fit a filter, in their order. */
async function lastEvents(
  store: MemoryStore,
  session: SessionInfo,
  count: number,
  filter: EventFilter,
): Promise<readonly MemoryEvent[]> {
  // Without a type the numbers, which have no gaps, say where to begin.
  const after = filter.type === undefined ? Math.max(0, session.event_count - count) : 0;
  const last: MemoryEvent[] = [];
  for await (const event of store.events(session.id, { ...filter, after })) {
    last.push(event);
    if (last.length > count * 2) last.splice(0, last.length - count);
  }
  return last.slice(-count);
}
