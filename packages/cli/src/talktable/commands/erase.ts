import { existsSync } from 'node:fs';
import type { Command } from '@commander-js/extra-typings';
import { CliError } from '../../errors.ts';
import type { Cli } from '../../frame/cli.ts';
import { defineErase } from '../../frame/erase-command.ts';
import { logPathGiven, logPathHere } from '../log-path.ts';
import type { TalktableMessages } from '../messages/talktable-messages.ts';

export const examples: readonly string[] = [
  'talktable erase --speaker Alice --dry-run',
  'talktable erase --speaker Alice --log-path logs/conversation.db',
];

export function define(command: Command, cli: Cli<TalktableMessages>): void {
  const own = command.option('--log-path <file>', cli.text.logPath);
  defineErase(command, cli, async (options) => {
    const { logPath } = own.opts();
    const path = logPathGiven(cli, logPath) ?? logPathHere(cli);
    if (!existsSync(path)) {
      throw new CliError('not-found', cli.text.noTalk(path), { context: { path } });
    }
    const { eraseSpeaker } = await import('@vizprompt/talktable');
    return [await eraseSpeaker(path, options)];
  });
}
