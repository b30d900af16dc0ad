import type { Command } from '@commander-js/extra-typings';
import type { Cli } from '../../frame/cli.ts';
import { pathValue } from '../../frame/option-values.ts';
import { writeOutput } from '../../frame/write-output.ts';
import type { PttaMessages } from '../messages/ptta-messages.ts';
import { openMemory } from '../open-memory.ts';

export const examples: readonly string[] = [
  'ptta export:file src/auth.ts --output auth_history.json',
];

export function define(command: Command, cli: Cli<PttaMessages>): void {
  command
    .argument('<file_path>', cli.text.file)
    .option('--workspace <path>', cli.text.fileWorkspace, pathValue(cli))
    .option('--output <file>', cli.text.output)
    .action(async (file, { workspace = cli.cwd, output }) => {
      await using store = await openMemory(cli);
      const pieces = store.exportFile(file, { workspace, signal: cli.signal });
      const path = await writeOutput(cli, output, pieces);
      if (path !== undefined) await cli.print({ path }, () => cli.text.written(path));
    });
}
