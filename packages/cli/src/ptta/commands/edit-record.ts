import { resolve } from 'node:path';
import type { Command } from '@commander-js/extra-typings';
import { CliError } from '../../errors.ts';
import type { Cli } from '../../frame/cli.ts';
import { runProgram } from '../../frame/run-program.ts';
import { sessionId } from '../current-session.ts';
import type { PttaMessages } from '../messages/ptta-messages.ts';
import { openMemory } from '../open-memory.ts';
import { recordedText } from '../recorded-text.ts';

export const examples: readonly string[] = [
  `ptta edit:record src/auth.ts --reason "one format" -- npx prettier --write src/auth.ts`,
  `ptta edit:record notes.md --reason "日付を直す" -- sed -i s/2025/2026/ notes.md`,
];

export function define(command: Command, cli: Cli<PttaMessages>): void {
  command
    .argument('<file_path>', cli.text.file)
    .argument('<command...>', cli.text.editCommand)
    .requiredOption('--reason <reason>', cli.text.reason)
    .option('--session <id>', cli.text.session)
    .action(async (file, [program, ...args], { reason, session }) => {
      if (program === undefined) throw new CliError('usage', cli.text.editCommand);
      await using store = await openMemory(cli);
      const recorded = await store.recordEdit({
        session: await sessionId(cli, store, session),
        path: resolve(cli.cwd, file),
        reason,
        run: () => runProgram(cli, { file: program, args }),
      });
      await cli.print(recorded, () => recordedText(cli, recorded));
    });
}
