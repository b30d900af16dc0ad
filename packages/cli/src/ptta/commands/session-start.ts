import type { Command } from '@commander-js/extra-typings';
import type { Cli } from '../../frame/cli.ts';
import { pathValue } from '../../frame/option-values.ts';
import { workspaceHere } from '../current-session.ts';
import type { PttaMessages } from '../messages/ptta-messages.ts';
import { openMemory } from '../open-memory.ts';

export const examples: readonly string[] = [
  'ptta session:start',
  'ptta session:start --workspace ~/app --branch main',
];

export function define(command: Command, cli: Cli<PttaMessages>): void {
  command
    .option('--workspace <path>', cli.text.workspace, pathValue(cli))
    .option('--branch <branch>', cli.text.branch)
    .action(async ({ workspace, branch }) => {
      await using store = await openMemory(cli, { make: true });
      const session = await store.startSession({
        workspace: workspaceHere(cli, workspace),
        ...(branch === undefined ? {} : { metadata: { branch } }),
      });
      await cli.print(session, () => cli.text.sessionStarted(session.id, session.workspace_path));
    });
}
