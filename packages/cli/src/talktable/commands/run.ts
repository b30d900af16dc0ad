import { existsSync } from 'node:fs';
import { Option } from '@commander-js/extra-typings';
import { omitUndefined as defined } from '@vizprompt/providers/internal';
import type { Conversation, ConversationManager } from '@vizprompt/talktable';
import { CliError } from '../../errors.ts';
import type { Cli } from '../../frame/cli.ts';
import { InputLines } from '../../frame/input-lines.ts';
import { commaList, wholeNumber } from '../../frame/option-values.ts';
import { pathHere } from '../../frame/paths.ts';
import { readWord } from '../../frame/read-input.ts';
import type { CommandModule } from '../../frame/tool.ts';
import { askInTerminal, leadTalk } from '../lead-talk.ts';
import type { TalktableMessages } from '../messages/en.ts';
import { logPathGiven, logPathHere, openLog } from '../open-log.ts';
import { openManager } from '../open-manager.ts';

export const runCommand: CommandModule<TalktableMessages> = {
  examples: [
    'talktable run config.yaml',
    'talktable run config.yaml --topic "猫と犬" --rounds 2',
    'talktable run - --json < config.yaml',
  ],
  define(command, cli) {
    const { text } = cli;
    const ORDERS = ['roundRobin', 'moderator', 'mention'] as const;
    command
      .argument('<config>', text.config)
      .option('--topic <text>', text.topic)
      .option('--language <language>', text.language)
      .addOption(new Option('--order <order>', text.order).choices(ORDERS))
      .option('--rounds <n>', text.rounds, wholeNumber(cli, { min: 1 }))
      .option('--max-turns <n>', text.maxTurns, wholeNumber(cli, { min: 1 }))
      .option('--interval-ms <n>', text.intervalMs, wholeNumber(cli))
      .option('--retries <n>', text.retries, wholeNumber(cli))
      .option('--log-path <file>', text.logPath)
      .option('--id <id>', text.id)
      .action(async (config, options) => {
        const { topic, language, order, intervalMs, retries, logPath } = options;
        const limits = defined({ rounds: options.rounds, maxTurns: options.maxTurns });
        using lines = new InputLines(cli);
        const ask = askInTerminal(cli, lines, () => void manager.pause());
        const overrides = defined({ topic, language, order, intervalMs, retries });
        await using manager = await openManager(cli, config, { overrides, logPath, ask });
        await leadTalk(cli, {
          manager,
          lines,
          again: (id) => `talktable resume ${config} ${id}`,
          begin: (given) =>
            manager.start({ ...given, ...limits, ...defined({ conversationId: options.id }) }),
        });
      });
  },
};

export const resumeCommand: CommandModule<TalktableMessages> = {
  examples: [
    'talktable resume config.yaml',
    'talktable resume 0198c7a2-0000-7000-8000-000000000000',
    'talktable resume config.yaml 0198c7a2-0000-7000-8000-000000000000 --max-turns 20',
  ],
  define(command, cli) {
    const { text } = cli;
    command
      .argument('<config-or-id>', text.configOrId)
      .argument('[id]', text.unfinished)
      .option('--rounds <n>', text.rounds, wholeNumber(cli, { min: 1 }))
      .option('--max-turns <n>', text.maxTurns, wholeNumber(cli, { min: 1 }))
      .option('--log-path <file>', text.logPath)
      .action(async (first, second, { logPath: givenLog, rounds, maxTurns }) => {
        const {
          config,
          id: given,
          logPath,
        } = await whichTalkAndConfig(cli, first, second, givenLog);
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
  },
};

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

export const sayCommand: CommandModule<TalktableMessages> = {
  examples: [
    'talktable say config.yaml "もっと短く。"',
    'talktable say config.yaml - --as 太郎 --id 0198c7a2-0000-7000-8000-000000000000 < answer.txt',
  ],
  define(command, cli) {
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
  },
};
