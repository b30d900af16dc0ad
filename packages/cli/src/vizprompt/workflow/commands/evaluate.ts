import type { Command } from '@commander-js/extra-typings';
import type { Evaluation, Judge } from '@vizprompt/workflow/evaluation';
import { omitUndefined as defined } from '@vizprompt/providers/internal';
import type { Cli } from '../../../frame/cli.ts';
import { wholeNumber } from '../../../frame/option-values.ts';
import { pathHere } from '../../../frame/paths.ts';
import type { VizpromptMessages } from '../../messages/en.ts';
import { addSources, leadParts, several, sourcesOf } from '../options.ts';

export const examples: readonly string[] = [
  'vizprompt workflow evaluate story --file flows.yaml --dataset cases.jsonl --repeat 3',
  'vizprompt workflow evaluate story --file flows.yaml --dataset cases.jsonl --judge flow:grade --against before.yaml',
];

export function define(command: Command, cli: Cli<VizpromptMessages>): void {
  const { workflow: text } = cli.text;
  command
    .argument('<workflow>', text.workflow)
    .requiredOption('--dataset <file>', text.dataset)
    .option('--judge <name>', text.judge, several)
    .option('--repeat <n>', text.repeat, wholeNumber(cli, { min: 1 }))
    .option('--parallel <n>', text.parallel, wholeNumber(cli, { min: 1 }))
    .option('--against <file>', text.against)
    .option('--prompt-set <name>', text.promptSet)
    .option('--module <file>', text.module)
    .option('--model <model>', text.model)
    .option('--prices <file>', text.prices)
    .action(async (workflow, options) => {
      const { against, judge: names = ['exact'], repeat, parallel, promptSet } = options;
      const evaluation = await import('@vizprompt/workflow/evaluation');
      const { parts } = await leadParts(command, cli, options);
      const known: Readonly<Record<string, Judge>> = {
        exact: evaluation.exactMatch,
        contains: evaluation.contains,
      };
      const judges = names.map((name): [string, Judge] => [name, known[name] ?? flowJudge(name)]);
      const common = {
        ...parts,
        workflow,
        dataset: pathHere(cli, options.dataset),
        judges: Object.fromEntries(judges),
        signal: cli.signal,
        ...defined({ repeat, parallel, promptSet }),
      };
      const sources = sourcesOf(command, cli);
      const evaluate = async (files: typeof sources.files): Promise<Evaluation> =>
        evaluation.evaluateWorkflow({ ...common, ...sources, files });
      const before = against === undefined ? undefined : await evaluate(pathHere(cli, against));
      const after = await evaluate(sources.files);
      if (!before) {
        await cli.print(after, () => evaluation.evaluationTable(after).trimEnd());
        return;
      }
      const comparison = evaluation.compareEvaluations(before, after);
      await cli.print(comparison, () => evaluation.comparisonTable(comparison).trimEnd());
    });
  addSources(command, cli);
}

/** The package says which workflows there are. */
function flowJudge(name: string): Judge {
  return name.startsWith('flow:') ? `flow:${name.slice('flow:'.length)}` : `flow:${name}`;
}
