import type { Command } from '@commander-js/extra-typings';
import type { Cli } from '../../frame/cli.ts';
import type { PttaMessages } from '../messages/ptta-messages.ts';
import { openMemory } from '../open-memory.ts';

export const examples: readonly string[] = ['ptta hooks:ingest', 'ptta hooks:ingest --dry-run'];

/** Hooks that end a turn start it; it is for people who want to know what waits, too. */
export function define(command: Command, cli: Cli<PttaMessages>): void {
  command.option('--dry-run', cli.text.ingestDryRun).action(async ({ dryRun = false }) => {
    await using store = await openMemory(cli, { make: true, fallsBack: true, patienceMs: 0 });
    const { signal } = cli;
    const report = await store.ingestHooks({ signal, dryRun });
    await cli.print(report, () => cli.text.ingested(report.stored, report.failed, report.waiting));
  });
}
