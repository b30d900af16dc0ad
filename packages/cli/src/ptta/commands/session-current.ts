import type { Command } from '@commander-js/extra-typings';
import type { Cli } from '../../frame/cli.ts';
import { pathValue } from '../../frame/option-values.ts';
import { currentSession } from '../current-session.ts';
import type { PttaMessages } from '../messages/ptta-messages.ts';
import { openMemory } from '../open-memory.ts';
import { sessionText } from '../session-text.ts';

export const examples: readonly string[] = [
  'ptta session:current',
  'ptta session:current --workspace ~/app --json',
];

export function define(command: Command, cli: Cli<PttaMessages>): void {
  command
    .option('--workspace <path>', cli.text.currentWorkspace, pathValue(cli))
    .action(async ({ workspace }) => {
      await using store = await openMemory(cli);
      const session = await currentSession(cli, store, workspace);
      await cli.print(session, () => sessionText(cli, session));
    });
}
