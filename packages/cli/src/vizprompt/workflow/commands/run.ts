import { omitUndefined as defined } from '@vizprompt/providers/internal';
import type { RunSummary } from '@vizprompt/workflow';
import { CliError } from '../../../errors.ts';
import type { Cli } from '../../../frame/cli.ts';
import { wholeNumber } from '../../../frame/option-values.ts';
import { readWord } from '../../../frame/read-input.ts';
import type { CommandModule } from '../../../frame/tool.ts';
import type { VizpromptMessages } from '../../messages/en.ts';
import {
  addDbosOptions,
  addSources,
  amount,
  dbosGiven,
  inputOf,
  leadParts,
  pairs,
  sourcesOf,
} from '../options.ts';
import { answerValue, leadRun } from '../lead-run.ts';
import { type OpenedEngine, openEngine } from '../open-engine.ts';

export const runCommand: CommandModule<VizpromptMessages> = {
  examples: [
    'vizprompt workflow run story "a cat that learns to write" --file flows.yaml',
    'vizprompt workflow run review --input \'{"topic": "猫"}\' --prompt-set haiku --tokens 100000',
    'vizprompt workflow run review --input-file input.json --answer ask=true --json',
  ],
  define(command, cli) {
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
  },
};

export const resumeCommand: CommandModule<VizpromptMessages> = {
  examples: [
    'vizprompt workflow resume',
    'vizprompt workflow resume 0198c7a2-0000-7000-8000-000000000000 --answer ask=true',
  ],
  define(command, cli) {
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
  },
};

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

export const answerCommand: CommandModule<VizpromptMessages> = {
  examples: [
    'vizprompt workflow answer 0198c7a2-0000-7000-8000-000000000000 ask true',
    'vizprompt workflow answer 0198c7a2-0000-7000-8000-000000000000 ask#1 - < answer.json',
  ],
  define(command, cli) {
    const { workflow: text } = cli.text;
    command
      .argument('<run>', text.run)
      .argument('<step>', text.step)
      .argument('<value>', text.value)
      .action(async (id, step, given) => {
        const word = await readWord(cli, given);
        await using opened = await openEngine(cli, {
          options: { files: [] },
          workers: dbosGiven(command),
        });
        const { engine } = opened;
        const { waiting } = await engine.run(id);
        const question = waiting.find(({ path, stepId }) => path === step || stepId === step);
        if (!question) {
          throw new CliError('not-found', text.notAsked(step), { context: { runId: id, step } });
        }
        const { path } = question;
        const value = answerValue(word, question);
        await engine.answer(id, value, { path });
        await cli.print({ runId: id, path, value }, () => `${path}  ${text.answered}`);
      });
    addDbosOptions(command, cli);
  },
};
