import { type Command, Option } from '@commander-js/extra-typings';
import { omitUndefined as defined } from '@vizprompt/providers/internal';
import type { SearchHit } from '@vizprompt/rag';
import { type Cli, warn } from '../../frame/cli.ts';
import { commaList, wholeNumber } from '../../frame/option-values.ts';
import type { Output } from '../../frame/output.ts';
import { readWord } from '../../frame/read-input.ts';
import type { DialogoiMessages } from '../messages/en.ts';
import { openNovels } from '../open-novels.ts';
import { addSettings } from '../settings.ts';
import { whichProject } from '../place-of.ts';

export const examples: readonly string[] = [
  'dialogoi search "箱の鍵はどこに埋めた？"',
  'dialogoi search "灯台 -tag:草稿" --project 灯台 --area contents --limit 5',
  'dialogoi search 灯台 鍵 --all --json',
  'dialogoi search - --files "第*.md" --before 1 --after 1 --json < question.txt',
];

export function define(command: Command, cli: Cli<DialogoiMessages>): void {
  const { search: text } = cli.text;
  command
    .argument('<query...>', text.query)
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
      const query = await readWord(cli, given.join(' '));
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

/** Returns a hit for people: its place, and its text with the found words. */
function hitText(out: Output, hit: SearchHit): string {
  const { payload, headingPath, score, context, explanation = [] } = hit;
  const place = out.style(
    'cyan',
    `${payload.file}:${context ? linesOf(context) : placeIn(payload)}`,
  );
  const head = [place, headingPath.join(' › '), out.style('dim', score.toFixed(3))];
  const parts = explanation.map(({ name, value }) =>
    out.style('dim', `${value.toFixed(3)}  ${name}`),
  );
  const text = context ? context.text : highlighted(out, hit);
  const body = [...text.trimEnd().split(/\r\n?|\n/), ...parts];
  return [
    head.filter((part) => part !== '').join('  '),
    ...body.map((line) => (line === '' ? '' : `  ${line}`)),
  ].join('\n');
}

function linesOf({ start, end }: { readonly start: number; readonly end: number }): string {
  return `${start}-${end}`;
}

/** The lines; of a part of one line, as in a file of a single line, its columns. */
function placeIn({ start, end, startColumn = 1, endColumn }: SearchHit['payload']): string {
  const isPart = start === end && startColumn > 1 && endColumn !== undefined;
  return isPart ? `${start}:${startColumn}-${endColumn}` : linesOf({ start, end });
}

function highlighted(out: Output, { match: { text, highlights } }: SearchHit): string {
  let marked = '';
  let at = 0;
  for (const [start, end] of highlights) {
    marked += text.slice(at, start) + out.style('bold', text.slice(start, end));
    at = end;
  }
  return marked + text.slice(at);
}
