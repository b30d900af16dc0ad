import type { Command } from '@commander-js/extra-typings';
import { omitUndefined as defined } from '@vizprompt/providers/internal';
import type { Cli } from '../../../frame/cli.ts';
import { wholeNumber } from '../../../frame/option-values.ts';
import type { VizpromptMessages } from '../../messages/vizprompt-messages.ts';
import { addDbosOptions } from '../dbos-options.ts';
import { leadParts } from '../lead-options.ts';
import { leadRun } from '../lead-run.ts';
import { openEngine } from '../open-engine.ts';
import { amount, pairs } from '../option-values.ts';
import { inputOf } from '../read-json.ts';
import { addSources, sourcesOf } from '../sources.ts';

export const examples: readonly string[] = [
  'vizprompt workflow run story "a cat that learns to write" --file flows.yaml',
  'vizprompt workflow run review --input \'{"topic": "猫"}\' --prompt-set haiku --tokens 100000',
  'vizprompt workflow run review --input-file input.json --answer ask=true --json',
];

export function define(command: Command, cli: Cli<VizpromptMessages>): void {
  const { workflow: text } = cli.text;
  command
    .argument('<workflow>', text.workflow)
    .argument('[text]', text.text)
    .option('--input <json>', text.input)
    .option('--input-file <file>', text.inputFile)
    .option('--prompt-set <name>', text.promptSet)
    .option('--module <file>', text.module)
    .option('--model <model>', text.model)
    .option('--answer <step=value>', text.answer, pairs(cli, 'STEP=VALUE'))
    .option('--tokens <n>', text.tokens, wholeNumber(cli, { min: 1 }))
    .option('--cost-usd <amount>', text.costUsd, amount(cli))
    .option('--prices <file>', text.prices)
    .option('--id <id>', text.id)
    .option('--record', text.record)
    .option('--quiet', text.quiet)
    .action(async (name, word, options) => {
      const { promptSet, id: runId, record = false } = options;
      const sources = sourcesOf(command, cli);
      const input = await inputOf(cli, { ...options, text: word });
      const { parts, workers, budget } = await leadParts(command, cli, options);
      await using opened = await openEngine(cli, {
        options: { ...sources, ...parts },
        make: true,
        record,
        workers,
      });
      const { engine } = opened;
      const run = await engine.start(name, input, defined({ promptSet, runId, budget }));
      const { answer: answers = [], quiet: isQuiet = false } = options;
      await leadRun(cli, { engine, run, answers, isQuiet, isRemote: workers !== undefined });
    });
  addSources(command, cli);
  addDbosOptions(command, cli);
}
