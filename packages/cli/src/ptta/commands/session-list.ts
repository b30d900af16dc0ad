import type { Command } from '@commander-js/extra-typings';
import { SESSION_FILTER } from '@vizprompt/memory/internal';
import type { Cli } from '../../frame/cli.ts';
import { withInput } from '../../frame/input-options.ts';
import { remark } from '../../frame/remark.ts';
import type { PttaMessages } from '../messages/ptta-messages.ts';
import { openMemory } from '../open-memory.ts';
import { sessionLine } from '../session-text.ts';

export const examples: readonly string[] = [
  'ptta session:list --workspace .',
  "ptta session:list --json | jq -r '.[0].id'",
];

export function define(command: Command, cli: Cli<PttaMessages>): void {
  withInput(command, cli, SESSION_FILTER).action(async (filter) => {
    await using store = await openMemory(cli);
    const sessions = await store.listSessions(filter);
    if (cli.isJson) return await cli.out.jsonArray(sessions);
    if (sessions.length === 0) await remark(cli, cli.frame.nothingFound);
    for (const session of sessions) await cli.out.line(sessionLine(cli, session));
  });
}
