import { resolve } from 'node:path';
import type { Command } from '@commander-js/extra-typings';
import type { Cli } from '../../frame/cli.ts';
import { workspaceHere } from '../current-session.ts';
import type { PttaMessages } from '../messages/ptta-messages.ts';
import { openMemory } from '../open-memory.ts';

export const examples: readonly string[] = ['ptta workspace:join ../other-clone'];

export function define(command: Command, cli: Cli<PttaMessages>): void {
  command.argument('<folders...>', cli.text.joinFolders).action(async (folders) => {
    await using store = await openMemory(cli, { make: true });
    const here = workspaceHere(cli, undefined);
    await store.joinWorkspaces(here, ...folders.map((folder) => resolve(cli.cwd, folder)));
    const workspaces = await store.workspaceGroup(here);
    await cli.print({ workspaces }, () => workspaces.join('\n'));
  });
}
