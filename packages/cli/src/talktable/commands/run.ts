import { Option, type Command } from '@commander-js/extra-typings';
import { omitUndefined as defined } from '@vizprompt/providers/internal';
import { InputLines } from '../../frame/input-lines.ts';
import type { Cli } from '../../frame/cli.ts';
import { wholeNumber } from '../../frame/option-values.ts';
import { askInTerminal } from '../ask-in-terminal.ts';
import { leadTalk } from '../lead-talk.ts';
import type { TalktableMessages } from '../messages/talktable-messages.ts';
import { openManager } from '../open-manager.ts';

export const examples: readonly string[] = [
  'talktable run config.yaml',
  'talktable run config.yaml --topic "猫と犬" --rounds 2',
  'talktable run - --json < config.yaml',
];

export function define(command: Command, cli: Cli<TalktableMessages>): void {
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
}
