import type { Command } from '@commander-js/extra-typings';
import type { Cli } from '../../frame/cli.ts';
import { eventLine } from '../event-text.ts';
import type { PttaMessages } from '../messages/ptta-messages.ts';
import { openMemory } from '../open-memory.ts';
import { sessionText } from '../session-text.ts';

export const examples: readonly string[] = [
  'ptta session:show 01a2016e-283e-7000-8314-1d4ce0ed7030',
  "ptta session:show $(ptta session:list --json | jq -r '.[0].id')",
];

export function define(command: Command, cli: Cli<PttaMessages>): void {
  command.argument('<id>', cli.text.sessionId).action(async (id) => {
    await using store = await openMemory(cli);
    const session = await store.getSession(id);
    const events = store.events(id, { contents: 'omit', signal: cli.signal });
    if (cli.isJson) {
      const all: unknown[] = [];
      for await (const event of events) all.push(event);
      return await cli.out.json({ ...session, events: all });
    }
    await cli.out.line(sessionText(cli, session));
    for await (const event of events) await cli.out.line(eventLine(cli, event));
  });
}
