import type { Command } from '@commander-js/extra-typings';
import type { MemoryStore, RedactReport } from '@vizprompt/memory';
import type { Cli } from '../../frame/cli.ts';
import type { PttaMessages } from '../messages/ptta-messages.ts';
import { openMemory } from '../open-memory.ts';
import { showProgress } from '../show-progress.ts';

export const examples: readonly string[] = ['ptta redact --dry-run', 'ptta redact --json'];

export function define(command: Command, cli: Cli<PttaMessages>): void {
  command.option('--dry-run', cli.text.redactDryRun).action(async ({ dryRun = false }) => {
    cli.interrupts.endAtOnce();
    await using store = await openMemory(cli);
    const report = await redacted(cli, store, dryRun);
    const { secrets, events, contents, sessions, rules } = report;
    const summary = dryRun ? cli.text.wouldRedact : cli.text.redacted;
    await cli.print(report, () =>
      [
        summary(secrets, events, contents, sessions),
        ...Object.entries(rules).map(([rule, count]) => `  ${rule}: ${count}`),
      ].join('\n'),
    );
  });
}

async function redacted(
  cli: Cli<PttaMessages>,
  store: MemoryStore,
  dryRun: boolean,
): Promise<RedactReport> {
  using _ = showProgress(cli, store, cli.text.redacting);
  return await store.redact({ dryRun, signal: cli.signal });
}
