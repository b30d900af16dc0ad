import { existsSync } from 'node:fs';
import type { Command } from '@commander-js/extra-typings';
import type { Conversation, ConversationManager } from '@vizprompt/talktable';
import { omitUndefined as defined } from '@vizprompt/providers/internal';
import { CliError } from '../../errors.ts';
import { InputLines } from '../../frame/input-lines.ts';
import type { Cli } from '../../frame/cli.ts';
import { wholeNumber } from '../../frame/option-values.ts';
import { askInTerminal } from '../ask-in-terminal.ts';
import { leadTalk } from '../lead-talk.ts';
import { pathHere } from '../../frame/path-here.ts';
import { logPathGiven, logPathHere } from '../log-path.ts';
import type { TalktableMessages } from '../messages/talktable-messages.ts';
import { openLog } from '../open-log.ts';
import { openManager } from '../open-manager.ts';

export const examples: readonly string[] = [
  'talktable resume config.yaml',
  'talktable resume 0198c7a2-0000-7000-8000-000000000000',
  'talktable resume config.yaml 0198c7a2-0000-7000-8000-000000000000 --max-turns 20',
];

export function define(command: Command, cli: Cli<TalktableMessages>): void {
  const { text } = cli;
  command
    .argument('<config-or-id>', text.configOrId)
    .argument('[id]', text.unfinished)
    .option('--rounds <n>', text.rounds, wholeNumber(cli, { min: 1 }))
    .option('--max-turns <n>', text.maxTurns, wholeNumber(cli, { min: 1 }))
    .option('--log-path <file>', text.logPath)
    .action(async (first, second, { logPath: givenLog, rounds, maxTurns }) => {
      const { config, id: given, logPath } = await whichTalkAndConfig(cli, first, second, givenLog);
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

/** Resolves the first argument: a file, or else the id of a talk, whose log stores the path of its file. */
async function whichTalkAndConfig(
  cli: Cli<TalktableMessages>,
  first: string,
  second: string | undefined,
  logPath: string | undefined,
): Promise<{
  readonly config: string;
  readonly id: string | undefined;
  readonly logPath: string | undefined;
}> {
  if (second !== undefined || first === '-' || existsSync(pathHere(cli, first))) {
    return { config: first, id: second, logPath };
  }
  const path = logPathGiven(cli, logPath) ?? logPathHere(cli);
  if (!existsSync(path)) return { config: first, id: undefined, logPath };
  await using log = await openLog(cli, logPath);
  const found = (await log.conversations()).find(({ id }) => id === first);
  // Neither a file nor a talk: the command reports it as a missing file.
  if (!found) return { config: first, id: undefined, logPath };
  const { configPath } = found;
  if (configPath !== undefined) return { config: configPath, id: first, logPath: path };
  throw new CliError('usage', cli.text.whichConfig(first), { context: { id: first } });
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
