import type { Command } from '@commander-js/extra-typings';
import type { NovelFile } from '@vizprompt/rag';
import type { Cli } from '../../frame/cli.ts';
import { wholeNumber } from '../../frame/option-values.ts';
import { remark } from '../../frame/remark.ts';
import { warn } from '../../frame/warn.ts';
import type { DialogoiMessages } from '../messages/dialogoi-messages.ts';
import { openNovels } from '../open-novels.ts';
import { placeOf, whichProject } from '../place-of.ts';
import { addSettings } from '../settings-options.ts';

export const examples: readonly string[] = [
  'dialogoi files',
  'dialogoi files settings --project 灯台 --limit 20',
];

export function define(command: Command, cli: Cli<DialogoiMessages>): void {
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
}

const MAX = Number.MAX_SAFE_INTEGER;

function fileText({ out }: Cli<DialogoiMessages>, file: NovelFile): string {
  const { path, preview, problem } = file;
  return `${path}  ${problem === undefined ? out.style('dim', preview) : out.style('red', problem)}`;
}
