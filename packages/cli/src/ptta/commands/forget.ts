import type { Command } from '@commander-js/extra-typings';
import { CliError } from '../../errors.ts';
import type { Cli } from '../../frame/cli.ts';
import type { PttaMessages } from '../messages/ptta-messages.ts';
import { openMemory } from '../open-memory.ts';

export const examples: readonly string[] = [
  'ptta forget 01a2016e-28bb-7000-8574-ad16360819b4',
  'ptta forget --session 01a2016e-283e-7000-8314-1d4ce0ed7030',
];

export function define(command: Command, cli: Cli<PttaMessages>): void {
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
}
