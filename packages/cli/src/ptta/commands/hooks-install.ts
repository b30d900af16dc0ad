import { join, resolve } from 'node:path';
import type { Command } from '@commander-js/extra-typings';
import type { Cli } from '../../frame/cli.ts';
import { refuseOutside } from '../hook-settings.ts';
import type { PttaMessages } from '../messages/ptta-messages.ts';

export const examples: readonly string[] = [
  'ptta hooks:install',
  'ptta hooks:install --project',
  'ptta hooks:install --remove',
];

export function define(command: Command, cli: Cli<PttaMessages>): void {
  command
    .option('--settings <file>', cli.text.settingsFile)
    .option('--project', cli.text.projectSettings)
    .option('--command <command>', cli.text.hookCommand)
    .option('--remove', cli.text.removeHooks)
    .action(async ({ settings, project, command: given, remove }) => {
      const { installHooks, uninstallHooks } = await import('@vizprompt/memory/hooks');
      const named = settings ?? (project ? join('.claude', 'settings.json') : undefined);
      // The project may come from elsewhere; a link of this user in their home folder is followed.
      if (settings === undefined && named !== undefined) await refuseOutside(cli, named);
      const options = {
        command: given ?? defaultCommand(cli),
        ...(named === undefined ? {} : { settingsFile: resolve(cli.cwd, named) }),
      };
      const report = remove ? await uninstallHooks(options) : await installHooks(options);
      const { settingsFile, hooks } = report;
      await cli.print(report, () =>
        remove
          ? cli.text.hooksRemoved(hooks.join(', '), settingsFile)
          : cli.text.hooksInstalled(hooks.join(', '), settingsFile),
      );
    });
}

function defaultCommand(cli: Cli<PttaMessages>): string {
  if (cli.data === undefined) return 'ptta hook';
  return `ptta hook --data '${resolve(cli.cwd, cli.data).replaceAll("'", `'\\''`)}'`;
}
