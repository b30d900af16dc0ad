import { resolve } from 'node:path';
import type { RecordedEdit } from '@vizprompt/memory';
import { CliError } from '../../errors.ts';
import type { Cli } from '../../frame/cli.ts';
import { type Program, runProgram } from '../../frame/run-program.ts';
import type { CommandModule } from '../../frame/tool.ts';
import { sessionId } from '../current-session.ts';
import { diffText } from '../event-text.ts';
import type { PttaMessages } from '../messages/en.ts';
import { openMemory } from '../open-memory.ts';

export const editCommand: CommandModule<PttaMessages> = {
  examples: [
    'ptta edit src/auth.ts --reason "期限切れの判定を直す"',
    'ptta edit src/auth.ts --reason "fix the expiry" --editor "code --wait"',
  ],
  define(command, cli) {
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
  },
};

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
  const name = named ?? (isWindows ? 'notepad' : 'vi');
  if (isWindows) {
    return { file: 'cmd.exe', args: ['/d', '/c', ...name.split(/\s+/), path], name };
  }
  return { file: '/bin/sh', args: ['-c', `${name} "$@"`, name, path], name };
}

export const editRecordCommand: CommandModule<PttaMessages> = {
  examples: [
    `ptta edit:record src/auth.ts --reason "one format" -- npx prettier --write src/auth.ts`,
    `ptta edit:record notes.md --reason "日付を直す" -- sed -i s/2025/2026/ notes.md`,
  ],
  define(command, cli) {
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
  },
};

/** Returns a change of a file as it was recorded, with its diff. */
function recordedText(cli: Cli<PttaMessages>, { intention, edit }: RecordedEdit): string {
  const { logged, unchanged } = cli.text;
  const { diff } = edit.data;
  return [
    logged(intention.sequence, intention.type, intention.id),
    logged(edit.sequence, edit.type, edit.id),
    diff === '' ? unchanged : diffText(cli, diff),
  ].join('\n');
}
