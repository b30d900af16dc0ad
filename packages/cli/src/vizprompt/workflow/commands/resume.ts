import type { Command } from '@commander-js/extra-typings';
import { omitUndefined as defined } from '@vizprompt/providers/internal';
import type { RunSummary } from '@vizprompt/workflow';
import { CliError } from '../../../errors.ts';
import type { Cli } from '../../../frame/cli.ts';
import { wholeNumber } from '../../../frame/option-values.ts';
import type { VizpromptMessages } from '../../messages/vizprompt-messages.ts';
import { addDbosOptions } from '../dbos-options.ts';
import { leadParts } from '../lead-options.ts';
import { leadRun } from '../lead-run.ts';
import { openEngine, type OpenedEngine } from '../open-engine.ts';
import { amount, pairs } from '../option-values.ts';

export const examples: readonly string[] = [
  'vizprompt workflow resume',
  'vizprompt workflow resume 0198c7a2-0000-7000-8000-000000000000 --answer ask=true',
];

export function define(command: Command, cli: Cli<VizpromptMessages>): void {
  const { workflow: text } = cli.text;
  command
    .argument('[run]', text.newestRun)
    .option('--module <file>', text.module)
    .option('--model <model>', text.model)
    .option('--answer <step=value>', text.answer, pairs(cli, 'STEP=VALUE'))
    .option('--tokens <n>', text.tokens, wholeNumber(cli, { min: 1 }))
    .option('--cost-usd <amount>', text.costUsd, amount(cli))
    .option('--prices <file>', text.prices)
    .option('--record', text.record)
    .option('--quiet', text.quiet)
    .action(async (given, options) => {
      const { record = false } = options;
      const { parts, workers, budget } = await leadParts(command, cli, options);
      await using opened = await openEngine(cli, {
        // A run brings the definition that it was started with.
        options: { files: [], ...parts },
        record,
        workers,
      });
      const { engine } = opened;
      const id = given ?? (await newestUnfinished(cli, opened));
      const run = await engine.resume(id, defined({ budget }));
      const { answer: answers = [], quiet: isQuiet = false } = options;
      await leadRun(cli, { engine, run, answers, isQuiet, isRemote: workers !== undefined });
    });
  addDbosOptions(command, cli);
}

async function newestUnfinished(
  cli: Cli<VizpromptMessages>,
  { engine, folder }: OpenedEngine,
): Promise<string> {
  const found = (await engine.runs()).find(isUnfinished);
  if (found) return found.id;
  throw new CliError('not-found', cli.text.workflow.noUnfinished(folder), { context: { folder } });
}

/** A damaged one cannot be resumed. */
function isUnfinished({ status, damaged }: RunSummary): boolean {
  return status !== 'done' && damaged === undefined;
}
