import { Option, type Command } from '@commander-js/extra-typings';
import type { Cli } from '../../frame/cli.ts';
import { wholeNumber, pathValue } from '../../frame/option-values.ts';
import { remark } from '../../frame/remark.ts';
import type { PttaMessages } from '../messages/ptta-messages.ts';
import { openMemory } from '../open-memory.ts';
import { sessionLine } from '../session-text.ts';

export const examples: readonly string[] = [
  'ptta session:list --workspace .',
  "ptta session:list --json | jq -r '.[0].id'",
];

export function define(command: Command, cli: Cli<PttaMessages>): void {
  const states = new Option('--state <state>', cli.text.state);
  command
    .option('--workspace <path>', cli.text.inWorkspace, pathValue(cli))
    .option('--tag <tag>', cli.text.tag)
    .addOption(states.choices(['active', 'ended'] as const))
    .option('--before <id>', cli.text.beforeSession)
    .option('--limit <n>', cli.text.limit, wholeNumber(cli, { min: 1 }), 100)
    .action(async (filter) => {
      await using store = await openMemory(cli);
      const sessions = await store.listSessions(filter);
      if (cli.isJson) return await cli.out.jsonArray(sessions);
      if (sessions.length === 0) await remark(cli, cli.frame.nothingFound);
      for (const session of sessions) await cli.out.line(sessionLine(cli, session));
    });
}
