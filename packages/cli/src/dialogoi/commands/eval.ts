import type { Command } from '@commander-js/extra-typings';
import { messageOf } from '@vizprompt/providers';
import type { EvaluationQuestion } from '@vizprompt/rag';
import { CliError } from '../../errors.ts';
import type { Cli } from '../../frame/cli.ts';
import { wholeNumber } from '../../frame/option-values.ts';
import { ProgressBar } from '../../frame/progress-bar.ts';
import { readInput } from '../../frame/read-input.ts';
import type { DialogoiMessages } from '../messages/dialogoi-messages.ts';
import { openNovels } from '../open-novels.ts';
import { addSettings } from '../settings-options.ts';
import { whichProject } from '../which-project.ts';

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
      const questions = questionsOf(cli, path, await readInput(cli, path));
      await using opened = await openNovels(cli, command);
      const { novels } = opened;
      const id = await whichProject(cli, opened, project);
      const { evaluate, formatEvaluation } = await import('@vizprompt/rag');
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
      await cli.print(evaluation, () => formatEvaluation({ [id]: evaluation }));
    });
  addSettings(command, cli);
}

/** A JSON array, or JSON on each line. What is in them is checked by `evaluate`. */
function questionsOf(
  cli: Cli<DialogoiMessages>,
  path: string,
  text: string,
): readonly EvaluationQuestion[] {
  try {
    const isArray = text.trimStart().startsWith('[');
    const lines = text.split('\n').filter((line) => line.trim() !== '');
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- evaluate looks at each
    return JSON.parse(isArray ? text : `[${lines.join(',')}]`) as readonly EvaluationQuestion[];
  } catch (error) {
    const message = cli.text.eval.notQuestions(path, messageOf(error));
    throw new CliError('input-unreadable', message, { cause: error, context: { path } });
  }
}
