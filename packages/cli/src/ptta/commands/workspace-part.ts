import { resolve } from 'node:path';
import type { Command } from '@commander-js/extra-typings';
import type { Cli } from '../../frame/cli.ts';
import type { PttaMessages } from '../messages/ptta-messages.ts';
import { openMemory } from '../open-memory.ts';

export const examples: readonly string[] = ['ptta workspace:part packages/own-project'];

export function define(command: Command, cli: Cli<PttaMessages>): void {
  command.argument('<folder>', cli.text.partFolder).action(async (folder) => {
    await using store = await openMemory(cli, { make: true });
    const workspace = resolve(cli.cwd, folder);
    await store.leaveWorkspaces(workspace);
    const workspaces = await store.workspaceGroup(workspace);
    await cli.print({ workspaces }, () => workspaces.join('\n'));
  });
}
