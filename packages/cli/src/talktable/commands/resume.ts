import type { Command } from '@commander-js/extra-typings';
import type { Conversation, ConversationManager } from '@vizprompt/talktable';
import { omitUndefined as defined } from '@vizprompt/providers/internal';
import { CliError } from '../../errors.ts';
import { InputLines } from '../../frame/input-lines.ts';
import type { Cli } from '../../frame/cli.ts';
import { wholeNumber } from '../../frame/option-values.ts';
import { askInTerminal } from '../ask-in-terminal.ts';
import { leadTalk } from '../lead-talk.ts';
import { logPathGiven, logPathHere } from '../log-path.ts';
import type { TalktableMessages } from '../messages/talktable-messages.ts';
import { openManager } from '../open-manager.ts';

export const examples: readonly string[] = [
  'talktable resume config.yaml',
  'talktable resume config.yaml 0198c7a2-0000-7000-8000-000000000000 --max-turns 20',
];

export function define(command: Command, cli: Cli<TalktableMessages>): void {
  const { text } = cli;
  command
    .argument('<config>', text.config)
    .argument('[id]', text.unfinished)
    .option('--rounds <n>', text.rounds, wholeNumber(cli, { min: 1 }))
    .option('--max-turns <n>', text.maxTurns, wholeNumber(cli, { min: 1 }))
    .option('--log-path <file>', text.logPath)
    .action(async (config, given, { logPath, rounds, maxTurns }) => {
      using lines = new InputLines(cli);
      const ask = askInTerminal(cli, lines, () => void manager.pause());
      await using manager = await openManager(cli, config, { logPath, ask });
      const id = given ?? (await newestUnfinished(cli, manager, logPath));
      await leadTalk(cli, {
        manager,
        lines,
        again: (one) => `talktable resume ${config} ${one}`,
        begin: (options) => manager.resume(id, { ...options, ...defined({ rounds, maxTurns }) }),
      });
    });
}

async function newestUnfinished(
  cli: Cli<TalktableMessages>,
  manager: ConversationManager,
  logPath: string | undefined,
): Promise<string> {
  const found = (await manager.conversations()).find(isUnfinished);
  if (found) return found.id;
  const path = logPathGiven(cli, logPath) ?? logPathHere(cli);
  throw new CliError('not-found', cli.text.noUnfinishedTalk(path), { context: { path } });
}

/** A damaged one cannot be resumed. */
function isUnfinished({ status, damaged }: Conversation): boolean {
  return status !== 'done' && damaged === undefined;
}
