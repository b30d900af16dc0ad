import type { Command } from '@commander-js/extra-typings';
import { omitUndefined as defined } from '@vizprompt/providers/internal';
import { CliError } from '../../errors.ts';
import type { Cli } from '../../frame/cli.ts';
import { commaList } from '../../frame/option-values.ts';
import { readWord } from '../../frame/read-input.ts';
import { logPathGiven, logPathHere } from '../log-path.ts';
import type { TalktableMessages } from '../messages/talktable-messages.ts';
import { openManager } from '../open-manager.ts';

export const examples: readonly string[] = [
  'talktable say config.yaml "もっと短く。"',
  'talktable say config.yaml - --as 太郎 --id 0198c7a2-0000-7000-8000-000000000000 < answer.txt',
];

export function define(command: Command, cli: Cli<TalktableMessages>): void {
  const { text } = cli;
  command
    .argument('<config>', text.config)
    .argument('<text>', text.text)
    .option('--id <id>', text.unfinished)
    .option('--as <name>', text.speaker)
    .option('--visible-to <names>', text.visibleTo, commaList)
    .option('--log-path <file>', text.logPath)
    .action(async (config, given, { id, as, visibleTo, logPath }) => {
      const words = await readWord(cli, given);
      await using manager = await openManager(cli, config, { logPath });
      const talks = id === undefined ? await manager.conversations() : [];
      const conversationId = id ?? talks.find(({ status }) => status !== 'done')?.id;
      if (conversationId === undefined) {
        const path = logPathGiven(cli, logPath) ?? logPathHere(cli);
        throw new CliError('not-found', text.noUnfinishedTalk(path), { context: { path } });
      }
      await manager.say(words, { conversationId, ...defined({ as, visibleTo }) });
      await cli.print({ conversationId, said: words }, () => text.said);
    });
}
