import type { Command } from '@commander-js/extra-typings';
import type { SearchHit } from '@vizprompt/memory';
import { SEARCH_OPTIONS } from '@vizprompt/memory/internal';
import type { Cli } from '../../frame/cli.ts';
import { withInput } from '../../frame/input-options.ts';
import { remark } from '../../frame/remark.ts';
import { localTime } from '../local-time.ts';
import type { PttaMessages } from '../messages/ptta-messages.ts';
import { openMemory } from '../open-memory.ts';
import { CliError } from '../../errors.ts';

export const examples: readonly string[] = [
  'ptta search "JWT 検証"',
  'ptta search middleware --type file_edit --workspace . --json',
];

// A memory that is opened from a command line has no embeddings.
const { vectors: _vectors, ...FIELDS } = SEARCH_OPTIONS;

export function define(command: Command, cli: Cli<PttaMessages>): void {
  withInput(command.argument('<query>', cli.text.query), cli, FIELDS).action(
    async (query, options) => {
      if (query.trim() === '') throw new CliError('usage', cli.frame.queryEmpty);
      await using store = await openMemory(cli);
      const hits = await store.search(query, { ...options, signal: cli.signal });
      if (cli.isJson) return await cli.out.jsonArray(hits);
      if (hits.length === 0) await remark(cli, cli.frame.nothingFound);
      for (const hit of hits) await cli.out.line(hitText(cli, hit));
    },
  );
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
