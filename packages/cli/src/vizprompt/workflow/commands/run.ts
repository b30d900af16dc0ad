import type { Command } from '@commander-js/extra-typings';
import { defined } from '@vizprompt/providers';
import type { PriceTable } from '@vizprompt/providers/middleware';
import type { Cli } from '../../../frame/cli.ts';
import { wholeNumber } from '../../../frame/option-values.ts';
import type { VizpromptMessages } from '../../messages/vizprompt-messages.ts';
import { budgetOf } from '../budget-of.ts';
import { addDbosOptions, dbosGiven } from '../dbos-options.ts';
import { leadRun } from '../lead-run.ts';
import { loadModule } from '../load-module.ts';
import { openEngine } from '../open-engine.ts';
import { amount, pairs } from '../option-values.ts';
import { inputOf, jsonFile } from '../read-json.ts';
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
      const { promptSet, model, tokens, costUsd, id: runId, record = false } = options;
      const sources = sourcesOf(command, cli);
      const input = await inputOf(cli, { ...options, text: word });
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the engine looks at it
      const prices = (await jsonFile(cli, options.prices)) as PriceTable | undefined;
      const module = await loadModule(cli, options.module);
      const workers = dbosGiven(command);
      // Workers know prices of their own.
      const isPriced = prices !== undefined || workers !== undefined;
      const budget = await budgetOf(cli, { tokens, costUsd, isPriced });
      await using opened = await openEngine(cli, {
        options: { ...sources, ...module, ...defined({ defaultModel: model, prices }) },
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
