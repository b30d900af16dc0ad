import type { Command } from '@commander-js/extra-typings';
import type { Cli } from '../../frame/cli.ts';
import { sessionId } from '../current-session.ts';
import type { PttaMessages } from '../messages/ptta-messages.ts';
import { openMemory } from '../open-memory.ts';

export const examples: readonly string[] = [
  'ptta session:end',
  'ptta session:end --session 01a2016e-283e-7000-8314-1d4ce0ed7030',
];

export function define(command: Command, cli: Cli<PttaMessages>): void {
  command.option('--session <id>', cli.text.session).action(async ({ session: given }) => {
    await using store = await openMemory(cli);
    const session = await store.endSession(await sessionId(cli, store, given));
    await cli.print(session, () => cli.text.sessionEnded(session.id, session.event_count));
  });
}
