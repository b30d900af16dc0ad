import type { MemoryStore, RedactReport } from '@vizprompt/memory';
import { CliError } from '../../errors.ts';
import type { Cli } from '../../frame/cli.ts';
import { defineErase } from '../../frame/erase-command.ts';
import type { CommandModule } from '../../frame/tool.ts';
import type { PttaMessages } from '../messages/en.ts';
import { openMemory } from '../open-memory.ts';
import { showProgress } from '../show-progress.ts';

export const forgetCommand: CommandModule<PttaMessages> = {
  examples: [
    'ptta forget 01a2016e-28bb-7000-8574-ad16360819b4',
    'ptta forget --session 01a2016e-283e-7000-8314-1d4ce0ed7030',
  ],
  define(command, cli) {
    command
      .argument('[events...]', cli.text.forgetEvents)
      .option('--session <id>', cli.text.forgetSession)
      .option('--vacuum', cli.text.vacuum)
      .action(async (events, { session }) => {
        if ((session === undefined) === (events.length === 0)) {
          throw new CliError('usage', cli.text.forgetOne);
        }
        cli.interrupts.endAtOnce();
        await using store = await openMemory(cli);
        if (session !== undefined) await store.forget({ session });
        for (const [at, event] of events.entries()) {
          // One rewriting of the file is enough for all.
          await store.forget({ event }, { purge: at === events.length - 1 });
        }
        const forgotten = session === undefined ? { events } : { session };
        await cli.print(forgotten, () => cli.text.forgotten(session ?? events.join(', ')));
      });
  },
};

export const eraseCommand: CommandModule<PttaMessages> = {
  examples: [
    'ptta erase --speaker Alice --dry-run',
    'ptta erase --speaker Alice --text "my address is"',
  ],
  define(command, cli) {
    defineErase(command, cli, async (options) => {
      await using store = await openMemory(cli);
      return [await store.eraseSpeaker(options)];
    });
  },
};

export const redactCommand: CommandModule<PttaMessages> = {
  examples: ['ptta redact --dry-run', 'ptta redact --json'],
  define(command, cli) {
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
  },
};

async function redacted(
  cli: Cli<PttaMessages>,
  store: MemoryStore,
  dryRun: boolean,
): Promise<RedactReport> {
  using _ = showProgress(cli, store, cli.text.redacting);
  return await store.redact({ dryRun, signal: cli.signal });
}
