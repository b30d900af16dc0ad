import type { Command } from '@commander-js/extra-typings';
import type { Cli } from '../../frame/cli.ts';
import { changeHooks } from '../hook-settings.ts';
import type { PttaMessages } from '../messages/ptta-messages.ts';

export const examples: readonly string[] = [
  'ptta hooks:install',
  'ptta hooks:install --project',
  'ptta hooks:install --remove',
];

/** `ptta setup claude-code`, for settings elsewhere and another command, too. */
export function define(command: Command, cli: Cli<PttaMessages>): void {
  command
    .option('--settings <file>', cli.text.settingsFile)
    .option('--project', cli.text.projectSettings)
    .option('--command <command>', cli.text.hookCommand)
    .option('--remove', cli.text.removeHooks)
    .action((options) => changeHooks(cli, { agent: 'claude-code', ...options }));
}
