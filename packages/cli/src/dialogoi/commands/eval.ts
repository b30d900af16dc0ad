import type { Command } from '@commander-js/extra-typings';
import type { Cli } from '../../frame/cli.ts';
import { wholeNumber } from '../../frame/option-values.ts';
import { ProgressBar } from '../../frame/progress-bar.ts';
import { readInput } from '../../frame/read-input.ts';
import type { DialogoiMessages } from '../messages/dialogoi-messages.ts';
import { openNovels } from '../open-novels.ts';
import { readQuestions } from '../read-questions.ts';
import { addSettings } from '../settings-options.ts';
import { whichProject } from '../place-of.ts';

export const examples: readonly string[] = [
  'dialogoi eval questions.jsonl',
  'dialogoi eval questions.json --project 灯台 --k 5 --json',
];

export function define(command: Command, cli: Cli<DialogoiMessages>): void {
  command
    .argument('<questions>', cli.text.eval.questions)
    .option('--project <id>', cli.text.project)
    .option('--k <n>', cli.text.eval.k, wholeNumber(cli, { min: 1 }))
    .action(async (path, { project, k = 10 }) => {
      const questions = readQuestions(cli, path, await readInput(cli, path));
      await using opened = await openNovels(cli, command);
      const { novels } = opened;
      const id = await whichProject(cli, opened, project);
      const { evaluate, formatEvaluation, formatProposal } = await import('@vizprompt/rag');
      await novels.index(id, { signal: cli.signal });
      using bar = new ProgressBar(cli.err, id);
      let done = 0;
      const evaluation = await evaluate(
        {
          search: (query, { filter: _, ...options } = {}) => {
            bar.update(++done, questions.length);
            return novels.search(id, query, options);
          },
        },
        questions,
        { k, signal: cli.signal },
      );
      bar.close();
      const fusion = await novels.proposeFusion(id, questions, { k, signal: cli.signal });
      const table = formatEvaluation({ [id]: evaluation });
      await cli.print({ ...evaluation, ...(fusion ? { fusion } : {}) }, () =>
        fusion ? `${table}\n\n${formatProposal(fusion)}` : table,
      );
    });
  addSettings(command, cli);
}
