import { resolve } from 'node:path';
import type { Command } from '@commander-js/extra-typings';
import type { Cli } from '../../frame/cli.ts';
import { type Program, runProgram } from '../../frame/run-program.ts';
import { sessionId } from '../current-session.ts';
import type { PttaMessages } from '../messages/ptta-messages.ts';
import { openMemory } from '../open-memory.ts';
import { recordedText } from '../recorded-text.ts';

export const examples: readonly string[] = [
  'ptta edit src/auth.ts --reason "期限切れの判定を直す"',
  'ptta edit src/auth.ts --reason "fix the expiry" --editor "code --wait"',
];

export function define(command: Command, cli: Cli<PttaMessages>): void {
  command
    .argument('<file_path>', cli.text.file)
    .requiredOption('--reason <reason>', cli.text.reason)
    .option('--editor <editor>', cli.text.editor)
    .option('--session <id>', cli.text.session)
    .action(async (file, { reason, editor, session }) => {
      const path = resolve(cli.cwd, file);
      await using store = await openMemory(cli);
      const recorded = await store.recordEdit({
        session: await sessionId(cli, store, session),
        path,
        reason,
        run: () => runProgram(cli, editorOn(path, editor, cli.env)),
      });
      await cli.print(recorded, () => recordedText(cli, recorded));
    });
}

/**
 * Returns the editor on a file: `--editor`, or `$VISUAL`, or `$EDITOR`, or `vi`. It may have arguments, such as
 * `code --wait`, and is read by a shell, as git does it.
 */
function editorOn(
  path: string,
  given: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform = process.platform,
): Program {
  const isWindows = platform === 'win32';
  const named = [given, env['VISUAL'], env['EDITOR']].find((name) => name?.trim());
  const editor = named ?? (isWindows ? 'notepad' : 'vi');
  if (isWindows) return { file: 'cmd.exe', args: ['/d', '/c', ...editor.split(/\s+/), path] };
  return { file: '/bin/sh', args: ['-c', `${editor} "$@"`, editor, path] };
}
