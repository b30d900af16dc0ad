import { Option, type Command } from '@commander-js/extra-typings';
import { omitUndefined as defined } from '@vizprompt/providers/internal';
import type { SearchHit } from '@vizprompt/rag';
import type { Cli } from '../../frame/cli.ts';
import { commaList, wholeNumber } from '../../frame/option-values.ts';
import { readWord } from '../../frame/read-input.ts';
import { warn } from '../../frame/warn.ts';
import { hitText } from '../hit-text.ts';
import type { DialogoiMessages } from '../messages/dialogoi-messages.ts';
import { openNovels } from '../open-novels.ts';
import { addSettings } from '../settings-options.ts';
import { whichProject } from '../which-project.ts';

export const examples: readonly string[] = [
  'dialogoi search "箱の鍵はどこに埋めた？"',
  'dialogoi search "灯台 -tag:草稿" --project 灯台 --area contents --limit 5',
  'dialogoi search 灯台 --all --json',
  'dialogoi search - --files "第*.md" --before 1 --after 1 --json < question.txt',
];

export function define(command: Command, cli: Cli<DialogoiMessages>): void {
  const { search: text } = cli.text;
  command
    .argument('<query>', text.query)
    .option('--project <id>', cli.text.project)
    .addOption(new Option('--area <area>', text.area).choices(['settings', 'contents'] as const))
    .option('--files <patterns...>', text.files)
    .option('--tags <tags>', text.tags, commaList)
    .option('--limit <n>', text.limit, wholeNumber(cli, { min: 1 }))
    .addOption(new Option('--k <n>', text.limit).argParser(wholeNumber(cli, { min: 1 })).hideHelp())
    .option('--all', text.all)
    .option('--offset <n>', cli.text.offset, wholeNumber(cli))
    .option('--before <n>', text.before, wholeNumber(cli))
    .option('--after <n>', text.after, wholeNumber(cli))
    .option('--explain', text.explain)
    .action(async (given, { project, before, after, ...options }) => {
      const query = await readWord(cli, given);
      await using opened = await openNovels(cli, command);
      const id = await whichProject(cli, opened, project);
      const { area, files, tags, k, limit = k, offset = 0, explain, all = false } = options;
      const isExpanded = before !== undefined || after !== undefined;
      const asked = {
        ...defined({ area, files, tags, limit, explain }),
        ...(isExpanded ? { expand: { before: before ?? 0, after: after ?? 0 } } : {}),
        offset,
        signal: cli.signal,
      };
      if (all) {
        await printAll(cli, opened.novels.searchAll(id, query, asked));
        return;
      }
      const results = await opened.novels.search(id, query, asked);
      if (cli.isJson) return await cli.out.json(results);
      for (const hit of results.hits) await cli.out.line(`${hitText(cli.out, hit)}\n`);
      await cli.err.line(cli.err.style('dim', text.found(results.hits.length, results.total)));
      if (results.incomplete === true) await warn(cli, text.incomplete);
      if (results.hint !== undefined) await warn(cli, results.hint);
    });
  addSettings(command, cli);
}

/** Each hit is written as it comes: a reader that has enough, such as `head`, ends the search. */
async function printAll(cli: Cli<DialogoiMessages>, hits: AsyncIterable<SearchHit>): Promise<void> {
  if (cli.isJson) return cli.out.jsonArray(hits);
  let count = 0;
  for await (const hit of hits) {
    await cli.out.line(`${hitText(cli.out, hit)}\n`);
    count++;
  }
  await cli.err.line(cli.err.style('dim', cli.text.search.found(count, count)));
}
