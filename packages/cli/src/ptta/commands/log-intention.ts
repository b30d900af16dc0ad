import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { Option, type Command } from '@commander-js/extra-typings';
import type { Cli } from '../../frame/cli.ts';
import { logEvent, textOfFile } from '../log-event.ts';
import type { PttaMessages } from '../messages/ptta-messages.ts';

export const examples: readonly string[] = [
  'ptta log:intention src/auth.ts --reason "JWT検証ミドルウェアを追加"',
];

export function define(command: Command, cli: Cli<PttaMessages>): void {
  const action = new Option('--action <action>', cli.text.intendedAction);
  command
    .argument('<file_path>', cli.text.file)
    .requiredOption('--reason <reason>', cli.text.reason)
    .addOption(action.choices(['create', 'edit', 'delete'] as const))
    .option('--session <id>', cli.text.session)
    .option('--parent <id>', cli.text.parent)
    .action(async (file, { reason, action: given, ...options }) => {
      const path = resolve(cli.cwd, file);
      const before = await textOfFile(path);
      await logEvent(cli, options, 'code_intention', {
        action: given ?? (existsSync(path) ? 'edit' : 'create'),
        file_path: path,
        reason,
        ...(before === undefined ? {} : { old_content: before }),
      });
    });
}
