import type { SearchHit } from '@vizprompt/memory';
import { SEARCH_OPTIONS } from '@vizprompt/memory/internal';
import { CliError } from '../../errors.ts';
import { type Cli, remark } from '../../frame/cli.ts';
import { withInput } from '../../frame/input-options.ts';
import { pathValue, wholeNumber } from '../../frame/option-values.ts';
import { readWords } from '../../frame/read-input.ts';
import type { CommandModule } from '../../frame/tool.ts';
import { workspaceHere } from '../current-session.ts';
import { localTime } from '../event-text.ts';
import type { PttaMessages } from '../messages/en.ts';
import { openMemory } from '../open-memory.ts';

// A memory that is opened from a command line has no embeddings.
const { vectors: _vectors, ...FIELDS } = SEARCH_OPTIONS;

export const searchCommand: CommandModule<PttaMessages> = {
  examples: [
    'ptta search "JWT 検証"',
    'ptta search middleware --type file_edit --workspace . --json',
  ],
  define(command, cli) {
    withInput(command.argument('<query...>', cli.text.query), cli, FIELDS).action(
      async (words, options) => {
        const query = words.join(' ');
        if (query.trim() === '') throw new CliError('usage', cli.frame.queryEmpty);
        await using store = await openMemory(cli);
        const hits = await store.search(query, { ...options, signal: cli.signal });
        if (cli.isJson) return await cli.out.jsonArray(hits);
        if (hits.length === 0) await remark(cli, cli.frame.nothingFound);
        for (const hit of hits) await cli.out.line(hitText(cli, hit));
      },
    );
  },
};

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

export const recallCommand: CommandModule<PttaMessages> = {
  examples: ['ptta recall "JWTの検証" --path src/auth.ts', 'ptta recall --budget 4000'],
  define(command, cli) {
    command
      .argument('[query...]', cli.text.recallQuery)
      .option('--workspace <path>', cli.text.workspace, pathValue(cli))
      .option('--path <file>', cli.text.recallFile)
      .option('--budget <tokens>', cli.text.budget, wholeNumber(cli, { min: 1 }), 2000)
      .action(async (given, { workspace, path, budget }) => {
        const words = await readWords(cli, given);
        await using store = await openMemory(cli);
        const recalled = await store.recall({
          workspace: workspaceHere(cli, workspace),
          budgetTokens: budget,
          ...(words === undefined ? {} : { query: words }),
          ...(path === undefined ? {} : { path }),
          signal: cli.signal,
        });
        if (cli.isJson) await cli.out.json(recalled);
        else if (recalled.text === '') await remark(cli, cli.frame.nothingFound);
        else await cli.out.line(recalled.text);
      });
  },
};
