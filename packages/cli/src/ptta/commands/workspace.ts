import { resolve } from 'node:path';
import type { CommandModule } from '../../frame/tool.ts';
import { workspaceHere } from '../current-session.ts';
import type { PttaMessages } from '../messages/en.ts';
import { openMemory } from '../open-memory.ts';

export const workspaceJoinCommand: CommandModule<PttaMessages> = {
  examples: ['ptta workspace:join ../other-clone'],
  define(command, cli) {
    command.argument('<folders...>', cli.text.joinFolders).action(async (folders) => {
      await using store = await openMemory(cli, { make: true });
      const here = workspaceHere(cli, undefined);
      await store.joinWorkspaces(here, ...folders.map((folder) => resolve(cli.cwd, folder)));
      const workspaces = await store.workspaceGroup(here);
      await cli.print({ workspaces }, () => workspaces.join('\n'));
    });
  },
};

export const workspacePartCommand: CommandModule<PttaMessages> = {
  examples: ['ptta workspace:part packages/own-project'],
  define(command, cli) {
    command.argument('<folder>', cli.text.partFolder).action(async (folder) => {
      await using store = await openMemory(cli, { make: true });
      const workspace = resolve(cli.cwd, folder);
      await store.leaveWorkspaces(workspace);
      const workspaces = await store.workspaceGroup(workspace);
      await cli.print({ workspaces }, () => workspaces.join('\n'));
    });
  },
};
