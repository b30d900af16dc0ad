import type { Command } from '@commander-js/extra-typings';
import type { NovelText } from '@vizprompt/rag';
import { omitUndefined as defined } from '@vizprompt/providers/internal';
import type { Cli } from '../../frame/cli.ts';
import { wholeNumber } from '../../frame/option-values.ts';
import { warn } from '../../frame/warn.ts';
import type { DialogoiMessages } from '../messages/dialogoi-messages.ts';
import { openNovels } from '../open-novels.ts';
import { placeOf, whichProject } from '../place-of.ts';
import { addSettings } from '../settings-options.ts';

export const examples: readonly string[] = [
  'dialogoi get settings/人物.md',
  'dialogoi get contents/01.md --start-line 10 --end-line 20',
  'dialogoi get settings --project 灯台 --json',
];

const ALL = Number.MAX_SAFE_INTEGER;

export function define(command: Command, cli: Cli<DialogoiMessages>): void {
  const { get: text } = cli.text;
  command
    .argument('<path>', cli.text.path)
    .option('--project <id>', cli.text.project)
    .option('--start-line <n>', text.startLine, wholeNumber(cli, { min: 1 }))
    .option('--end-line <n>', text.endLine, wholeNumber(cli, { min: 1 }))
    .option('--start-column <n>', text.startColumn, wholeNumber(cli, { min: 1 }))
    .option('--end-column <n>', text.endColumn, wholeNumber(cli, { min: 1 }))
    .option('--max-characters <n>', text.maxCharacters, wholeNumber(cli, { min: 1 }))
    .option('--offset <n>', cli.text.offset, wholeNumber(cli))
    .option('--limit <n>', cli.text.limit, wholeNumber(cli, { min: 1 }))
    .action(async (path, options) => {
      const { project, startLine, endLine, startColumn, endColumn, maxCharacters = ALL } = options;
      const { offset, limit = ALL } = options;
      const { place, file } = placeOf(cli, path);
      await using opened = await openNovels(cli, command);
      const id = await whichProject(cli, opened, project);
      const texts = await opened.novels.read(id, place, {
        ...defined({ file, startLine, endLine, startColumn, endColumn, offset }),
        maxCharacters,
        limit,
      });
      if (cli.isJson) return await cli.out.json(texts);
      const isOne = file !== undefined || place === 'instructions';
      for (const one of texts.files) await printText(cli, one, isOne);
      if (texts.nextOffset !== undefined) await warn(cli, cli.text.more(texts.nextOffset));
    });
  addSettings(command, cli);
}

/** One file is written as it is, so that it can be kept; a terminal is guarded from what is in it. */
async function printText(
  cli: Cli<DialogoiMessages>,
  { path, text, problem, nextLine, nextColumn }: NovelText,
  isOne: boolean,
): Promise<void> {
  if (problem !== undefined) return warn(cli, `${path}: ${problem}`);
  if (!isOne) await cli.out.line(cli.out.style('cyan', `── ${path}`));
  await cli.out.write(text);
  if (!isOne && !text.endsWith('\n')) await cli.out.write('\n');
  if (nextLine !== undefined) await warn(cli, cli.text.get.goesOn(path, nextLine, nextColumn));
}
