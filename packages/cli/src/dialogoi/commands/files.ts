import type { NovelFile, NovelText } from '@vizprompt/rag';
import { CliError } from '../../errors.ts';
import { type Cli, remark, warn } from '../../frame/cli.ts';
import { wholeNumber } from '../../frame/option-values.ts';
import { readSource } from '../../frame/read-input.ts';
import { omitUndefined as defined } from '@vizprompt/providers/internal';
import type { CommandModule } from '../../frame/tool.ts';
import type { DialogoiMessages } from '../messages/en.ts';
import { openNovels } from '../open-novels.ts';
import { placeOf, whichProject } from '../place-of.ts';
import { addSettings } from '../settings.ts';

const MAX = Number.MAX_SAFE_INTEGER;

export const filesCommand: CommandModule<DialogoiMessages> = {
  examples: ['dialogoi files', 'dialogoi files settings --project 灯台 --limit 20'],
  define(command, cli) {
    command
      .argument('[place]', cli.text.place)
      .option('--project <id>', cli.text.project)
      .option('--offset <n>', cli.text.offset, wholeNumber(cli))
      .option('--limit <n>', cli.text.limit, wholeNumber(cli, { min: 1 }))
      .action(async (given, { project, offset = 0, limit = Number.MAX_SAFE_INTEGER }) => {
        await using opened = await openNovels(cli, command);
        const id = await whichProject(cli, opened, project);
        const places =
          given === undefined
            ? (['settings', 'contents', 'instructions'] as const)
            : [placeOf(cli, given).place];
        const lists = [];
        for (const place of places) lists.push(await opened.novels.list(id, place, { limit: MAX }));
        const all = lists.flatMap(({ files }) => files);
        const files = all.slice(offset, offset + limit);
        const hasMore = offset + files.length < all.length;
        const next = hasMore ? { nextOffset: offset + files.length } : {};
        if (cli.isJson) return await cli.out.json({ files, total: all.length, ...next });
        if (files.length === 0) await remark(cli, cli.frame.nothingFound);
        for (const file of files) await cli.out.line(fileText(cli, file));
        if (hasMore) await warn(cli, cli.text.more(offset + files.length));
      });
    addSettings(command, cli);
  },
};

function fileText({ out }: Cli<DialogoiMessages>, file: NovelFile): string {
  const { path, preview, problem } = file;
  return `${path}  ${problem === undefined ? out.style('dim', preview) : out.style('red', problem)}`;
}

const ALL = Number.MAX_SAFE_INTEGER;

export const getCommand: CommandModule<DialogoiMessages> = {
  examples: [
    'dialogoi get settings/人物.md',
    'dialogoi get contents/01.md --start-line 10 --end-line 20',
    'dialogoi get settings --project 灯台 --json',
  ],
  define(command, cli) {
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
        const {
          project,
          startLine,
          endLine,
          startColumn,
          endColumn,
          maxCharacters = ALL,
        } = options;
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
  },
};

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

export const addCommand: CommandModule<DialogoiMessages> = {
  examples: [
    'dialogoi add settings/人物.md --content "# 灯"',
    'dialogoi add contents/第三章.md --content-file draft.md --overwrite',
    'dialogoi add contents/第三章.md --content - < draft.md',
  ],
  define(command, cli) {
    const { add: text } = cli.text;
    command
      .argument('<path>', text.file)
      .option('--project <id>', cli.text.project)
      .option('--content <text>', text.content)
      .option('--content-file <file>', text.contentFile)
      .option('--overwrite', text.overwrite)
      .action(async (path, { project, content, contentFile, overwrite = false }) => {
        const { place, file } = placeOf(cli, path);
        if (place === 'instructions' || file === undefined) {
          throw new CliError('usage', cli.text.notAPlace(path), { context: { path } });
        }
        const fileOption = '--content-file';
        const source = { option: '--content', text: content, fileOption, file: contentFile };
        const words = await readSource(cli, source);
        if (words === undefined) {
          throw new CliError('usage', cli.frame.giveOne('--content, --content-file'));
        }
        await using opened = await openNovels(cli, command);
        const id = await whichProject(cli, opened, project);
        const written = await opened.novels.add(id, place, file, words, { overwrite });
        await cli.print({ project: id, ...written }, () =>
          text.written(written.path, written.created),
        );
      });
    addSettings(command, cli);
  },
};
