import type { Command } from '@commander-js/extra-typings';
import type { Cli } from '../../frame/cli.ts';
import { wholeNumber, pathValue } from '../../frame/option-values.ts';
import { readWord } from '../../frame/read-input.ts';
import { remark } from '../../frame/remark.ts';
import { workspaceHere } from '../current-session.ts';
import type { PttaMessages } from '../messages/ptta-messages.ts';
import { openMemory } from '../open-memory.ts';

export const examples: readonly string[] = [
  'ptta recall "JWTの検証" --path src/auth.ts',
  'ptta recall --budget 4000',
];

export function define(command: Command, cli: Cli<PttaMessages>): void {
  command
    .argument('[query]', cli.text.recallQuery)
    .option('--workspace <path>', cli.text.workspace, pathValue(cli))
    .option('--path <file>', cli.text.recallFile)
    .option('--budget <tokens>', cli.text.budget, wholeNumber(cli, { min: 1 }), 2000)
    .action(async (query, { workspace, path, budget }) => {
      const words = query === undefined ? undefined : await readWord(cli, query);
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
}
