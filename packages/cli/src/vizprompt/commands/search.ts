import type { Command } from '@commander-js/extra-typings';
import type { NodeHit } from '@vizprompt/core';
import { omitUndefined as defined } from '@vizprompt/providers/internal';
import { CliError } from '../../errors.ts';
import { type Cli, remark } from '../../frame/cli.ts';
import { commaList, timeValue, wholeNumber } from '../../frame/option-values.ts';
import { readWords } from '../../frame/read-input.ts';
import type { VizpromptMessages } from '../messages/en.ts';
import { openProject } from '../open-project.ts';

export const examples: readonly string[] = [
  'vizprompt search --tags "タグ1,タグ2"',
  'vizprompt search 認証 --keywords JWT --after 2026-01-01',
  'vizprompt search --text "\\"リフレッシュトークン\\" 期限" --limit 5 --json',
];

export function define(command: Command, cli: Cli<VizpromptMessages>): void {
  const { options: text } = cli.text;
  command
    .argument('[text...]', cli.text.args.text)
    .option('--text <words>', text.text)
    .option('--tags <list>', text.tags, commaList)
    .option('--keywords <list>', text.keywords, commaList)
    .option('--model <name>', text.answeredBy)
    .option('--after <time>', text.since, timeValue(cli))
    .option('--before <time>', text.before, timeValue(cli))
    .option('--limit <n>', text.limit, wholeNumber(cli, { min: 1 }))
    .action(async (given, { text: option, ...rest }) => {
      if (given.length > 0 && option !== undefined) {
        throw new CliError('usage', cli.frame.onlyOne('TEXT, --text'));
      }
      const { tags, keywords, model, after, before, limit } = rest;
      const words = await readWords(cli, option === undefined ? given : [option]);
      if (words?.trim() === '') throw new CliError('usage', cli.frame.queryEmpty);
      await using vizprompt = await openProject(cli, { onlyReads: true });
      const hits = await vizprompt.searchNodes(
        defined({ text: words, tags, keywords, model, after, before, limit }),
      );
      if (hits.length === 0) await remark(cli, cli.frame.nothingFound);
      if (cli.isJson) return cli.out.json(hits);
      for (const hit of hits) await cli.out.line(shown(cli, hit));
    });
}

/** Returns the id and what the node is about, and below it where the words are. */
function shown({ out }: Cli<VizpromptMessages>, hit: NodeHit): string {
  const tags = hit.tags.map((tag) => ` #${tag}`).join('');
  const head = `${hit.id}  ${out.style('bold', hit.title)}${out.style('cyan', tags)}`;
  const text = hit.snippet?.text ?? hit.summary;
  return text === '' ? head : `${head}\n    ${text.replaceAll(/\s+/g, ' ').trim()}`;
}
