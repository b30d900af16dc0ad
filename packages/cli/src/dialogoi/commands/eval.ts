import type { Command } from '@commander-js/extra-typings';
import { messageOf, type JsonValue } from '@vizprompt/providers';
import { JsonSyntaxError, parseJsonText, type TextPlace } from '@vizprompt/providers/config';
import { hasCode } from '@vizprompt/providers/internal';
import type { EvaluationQuestion, NovelService } from '@vizprompt/rag';
import { CliError } from '../../errors.ts';
import { type Cli, warn } from '../../frame/cli.ts';
import { wholeNumber } from '../../frame/option-values.ts';
import { ProgressBar } from '../../frame/progress-bar.ts';
import { readInput } from '../../frame/read-input.ts';
import type { DialogoiMessages } from '../messages/en.ts';
import { openNovels } from '../open-novels.ts';
import { placeOf as placeInProject, whichProject } from '../place-of.ts';
import { addSettings } from '../settings.ts';

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
      await warnOfMissing(cli, novels, id, questions);
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

/** Warns of answers that are not in the project: no search can find them, and the metrics do not show it. */
async function warnOfMissing(
  cli: Cli<DialogoiMessages>,
  novels: NovelService,
  id: string,
  questions: readonly EvaluationQuestion[],
): Promise<void> {
  // An id of a chunk has the path, and a hash after its headings.
  const paths = questions.flatMap(({ relevant }) => relevant.filter((one) => !one.includes('#')));
  for (const path of new Set(paths)) {
    try {
      const { place, file } = placeInProject(cli, path);
      if (place === 'instructions') continue;
      await novels.read(id, place, { file: file ?? '', startLine: 1, endLine: 1 });
    } catch (error) {
      // The evaluation searches on, whatever else is wrong with a file.
      if (hasCode(error, 'file-not-found', 'usage')) await warn(cli, messageOf(error));
    }
  }
}

interface PlacedValue {
  readonly value: JsonValue;
  readonly place: TextPlace;
}

/**
 * Reads questions: a JSON array of them, or one on each line.
 *
 * @param path - Where the text is from; `-` is standard input.
 * @throws CliError `input-unreadable` with file, line and column of what is not JSON or no question.
 */
function readQuestions(
  cli: Cli<DialogoiMessages>,
  path: string,
  text: string,
): readonly EvaluationQuestion[] {
  const file = path === '-' ? cli.frame.standardInput : path;
  const fail = ({ line, column }: TextPlace, why: string, cause?: unknown): CliError => {
    const message = cli.text.eval.notQuestions(`${file}:${line}:${column}`, why);
    return new CliError('input-unreadable', message, { cause, context: { path, line, column } });
  };
  try {
    const isArray = text
      .replace(/^\uFEFF/, '')
      .trimStart()
      .startsWith('[');
    const found = isArray ? inArray(text) : inLines(text);
    if (found.length === 0) throw fail({ line: 1, column: 1 }, cli.text.eval.noQuestions);
    return found.map(({ value, place }) => {
      if (isQuestion(value)) return value;
      throw fail(place, cli.text.eval.notOne);
    });
  } catch (error) {
    if (JsonSyntaxError.isInstance(error)) throw fail(error.place, error.message, error);
    throw error;
  }
}

function inArray(text: string): readonly PlacedValue[] {
  const { value, placeOf } = parseJsonText(text);
  const values = Array.isArray(value) ? value : [];
  return values.map((one: JsonValue, at) => ({ value: one, place: placeOf([at]) }));
}

function inLines(text: string): readonly PlacedValue[] {
  return text.split('\n').flatMap((words, at) => {
    if (words.trim() === '') return [];
    try {
      const { value, placeOf } = parseJsonText(words);
      return [{ value, place: { ...placeOf([]), line: at + 1 } }];
    } catch (error) {
      if (!JsonSyntaxError.isInstance(error)) throw error;
      throw new JsonSyntaxError(error.message, { ...error.place, line: at + 1 });
    }
  });
}

const KEYS = ['question', 'relevant', 'group'];

function isQuestion(value: unknown): value is EvaluationQuestion {
  if (typeof value !== 'object' || value === null) return false;
  if (!('question' in value) || !('relevant' in value)) return false;
  const { question, relevant } = value;
  const group = 'group' in value ? value.group : '';
  const isAnswered = Array.isArray(relevant) && relevant.length > 0;
  return (
    [question, group].every((one) => typeof one === 'string') &&
    isAnswered &&
    relevant.every((one) => typeof one === 'string') &&
    Object.keys(value).every((key) => KEYS.includes(key))
  );
}
