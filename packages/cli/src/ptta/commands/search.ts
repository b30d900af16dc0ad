import { Option, type Command } from '@commander-js/extra-typings';
import type { SearchHit } from '@vizprompt/memory';
import type { Cli } from '../../frame/cli.ts';
import { timeValue, wholeNumber, pathValue } from '../../frame/option-values.ts';
import { remark } from '../../frame/remark.ts';
import { EVENT_TYPES } from '../event-types.ts';
import { localTime } from '../local-time.ts';
import type { PttaMessages } from '../messages/ptta-messages.ts';
import { openMemory } from '../open-memory.ts';

export const examples: readonly string[] = [
  'ptta search "JWT 検証"',
  'ptta search middleware --type file_edit --workspace . --json',
];

export function define(command: Command, cli: Cli<PttaMessages>): void {
  command
    .argument('<query>', cli.text.query)
    .option('--session <id>', cli.text.inSession)
    .addOption(new Option('--type <type>', cli.text.type).choices(EVENT_TYPES))
    .option('--workspace <path>', cli.text.inWorkspace, pathValue(cli))
    .option('--path <file>', cli.text.ofFile)
    .option('--after <time>', cli.text.after, timeValue(cli))
    .option('--before <time>', cli.text.before, timeValue(cli))
    .option('--around', cli.text.around)
    .option('--limit <n>', cli.text.limit, wholeNumber(cli, { min: 1 }), 10)
    .action(async (query, { limit, ...filter }) => {
      await using store = await openMemory(cli);
      const hits = await store.search(query, { ...filter, k: limit, signal: cli.signal });
      if (cli.isJson) return await cli.out.jsonArray(hits);
      if (hits.length === 0) await remark(cli, cli.frame.nothingFound);
      for (const hit of hits) await cli.out.line(hitText(cli, hit));
    });
}

function hitText(cli: Cli<PttaMessages>, { event, snippet }: SearchHit): string {
  let text = '';
  let end = 0;
  for (const [from, to] of snippet.highlights) {
    text += snippet.text.slice(end, from) + cli.out.style('bold', snippet.text.slice(from, to));
    end = to;
  }
  text += snippet.text.slice(end);
  const head = `${cli.out.style('yellow', event.id)}  ${localTime(event.timestamp)}  ${event.type}`;
  return `${head}\n    ${text.trim().replaceAll('\n', '\n    ')}`;
}
