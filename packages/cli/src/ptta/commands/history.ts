import { Option } from '@commander-js/extra-typings';
import type {
  EventFilter,
  EventType,
  FileChange,
  MemoryEvent,
  MemoryStore,
  SessionInfo,
} from '@vizprompt/memory';
import { FILE_HISTORY_OPTIONS } from '@vizprompt/memory/internal';
import { type Cli, remark } from '../../frame/cli.ts';
import { withInput } from '../../frame/input-options.ts';
import { wholeNumber } from '../../frame/option-values.ts';
import type { CommandModule } from '../../frame/tool.ts';
import { sessionToRead } from '../current-session.ts';
import { diffText, eventText, localTime } from '../event-text.ts';
import type { PttaMessages } from '../messages/en.ts';
import { openMemory } from '../open-memory.ts';

/** All types of events, here so that the memory need not be loaded to name them. */
const EVENT_TYPES: readonly EventType[] = [
  'user_message',
  'assistant_message',
  'thinking',
  'code_intention',
  'file_edit',
  'tool_use',
];

export const historyCommand: CommandModule<PttaMessages> = {
  examples: [
    'ptta history --limit 20',
    'ptta history --type file_edit --json',
    'ptta history | head',
  ],
  define(command, cli) {
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
  },
};

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

export const fileHistoryCommand: CommandModule<PttaMessages> = {
  examples: [
    'ptta file:history src/index.ts',
    'ptta file:history src/auth.ts --workspace ~/app --json',
  ],
  define(command, cli) {
    const withFile = command.argument('<file_path>', cli.text.file);
    withInput(withFile, cli, FILE_HISTORY_OPTIONS).action(async (file, options) => {
      await using store = await openMemory(cli);
      const changes = await store.fileHistory(file, { workspace: cli.cwd, ...options });
      if (cli.isJson) return await cli.out.jsonArray(changes);
      if (changes.length === 0) await remark(cli, cli.frame.nothingFound);
      for (const change of changes) await cli.out.line(changeText(cli, change));
    });
  },
};

function changeText(cli: Cli<PttaMessages>, { timestamp, intention, edit }: FileChange): string {
  const event = edit ?? intention;
  const what = edit ? edit.data.action : cli.text.onlyIntended;
  const head = `${cli.out.style('yellow', event?.id ?? '')}  ${localTime(timestamp)}  ${what}`;
  const parts = [
    head,
    ...(intention ? [`    ${intention.data.reason.replaceAll('\n', '\n    ')}`] : []),
    ...(edit?.data.success === false ? [`    ✗ ${edit.data.error_message ?? ''}`] : []),
    ...(edit && edit.data.diff !== '' ? [diffText(cli, edit.data.diff)] : []),
  ];
  return `${parts.join('\n')}\n`;
}
