import type { Command } from '@commander-js/extra-typings';
import type { DryRun, DryRunPrice, DryRunPrompt, Range } from '@vizprompt/workflow';
import { omitUndefined as defined } from '@vizprompt/providers/internal';
import { CliError } from '../../../errors.ts';
import { type Cli, warn } from '../../../frame/cli.ts';
import { wholeNumber } from '../../../frame/option-values.ts';
import type { VizpromptMessages } from '../../messages/en.ts';
import { addSources, inputOf, jsonFile, sourcesOf } from '../options.ts';

export const examples: readonly string[] = [
  'vizprompt workflow dry-run story "a cat" --file flows.yaml',
  'vizprompt workflow dry-run story --input-file input.json --prices prices.json --json',
];

export function define(command: Command, cli: Cli<VizpromptMessages>): void {
  const { workflow: text } = cli.text;
  command
    .argument('<workflow>', text.workflow)
    .argument('[text]', text.text)
    .option('--input <json>', text.input)
    .option('--input-file <file>', text.inputFile)
    .option('--prompt-set <name>', text.promptSet)
    .option('--model <model>', text.model)
    .option('--prices <file>', text.prices)
    .option('--output-tokens <n>', text.outputTokens, wholeNumber(cli, { min: 1 }))
    .action(async (name, word, options) => {
      const { promptSet, model: defaultModel, outputTokens } = options;
      const sources = sourcesOf(command, cli);
      const input = await inputOf(cli, { ...options, text: word });
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- looked at by dryRun
      const prices = (await jsonFile(cli, options.prices)) as
        | Readonly<Record<string, DryRunPrice>>
        | undefined;
      const { dryRun } = await import('@vizprompt/workflow');
      const assumed = defined({ promptSet, defaultModel, prices, outputTokens });
      const plan = await dryRun(sources, name, input, assumed);
      await cli.print(plan, () => planText(cli, plan));
      if (plan.unpriced.length > 0 && !cli.isJson) {
        await warn(cli, text.unpriced(plan.unpriced.join(', ')));
      }
      if (plan.withoutModel.length > 0 && !cli.isJson) {
        await warn(cli, text.withoutModel(plan.withoutModel.join(', ')));
      }
      if (plan.unbounded.length > 0 && !cli.isJson) {
        await warn(cli, text.unbounded(plan.unbounded.join(', ')));
      }
      const unrendered = plan.prompts.filter(({ problem }) => problem !== undefined);
      if (unrendered.length > 0) {
        const context = { steps: unrendered.map(({ stepId }) => stepId) };
        throw new CliError('found-problems', text.unrendered(unrendered.length), { context });
      }
    });
  addSources(command, cli);
}

function planText(cli: Cli<VizpromptMessages>, plan: DryRun): string {
  const { prompts, calls, inputTokens, outputTokens, costUsd } = plan;
  const totals = cli.text.workflow.totals(
    rangeText(calls),
    rangeText(inputTokens),
    rangeText(outputTokens),
    rangeText(costUsd),
  );
  return [...prompts.map((prompt) => promptText(cli, prompt)), totals].join('\n');
}

function promptText({ out }: Cli<VizpromptMessages>, one: DryRunPrompt): string {
  const { workflow, stepId, agent = '', model = '', prompt, system, problem, inputTokens } = one;
  const place = out.style('cyan', `${workflow}/${stepId}`);
  return [
    [place, agent, model, out.style('dim', rangeText(inputTokens))].filter(Boolean).join('  '),
    ...(problem === undefined ? [] : [out.style('red', `  ${problem}`)]),
    ...(system === undefined ? [] : [out.style('dim', system.replaceAll(/^/gm, '  '))]),
    prompt.replaceAll(/^/gm, '  '),
    '',
  ].join('\n');
}

function rangeText({ min, max }: Range): string {
  const [low, high] = [min, max].map((value) => String(Math.round(value * 1e6) / 1e6));
  return low === high ? `${low}` : `${low}-${high}`;
}
