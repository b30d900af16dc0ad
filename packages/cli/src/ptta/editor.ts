import type { Program } from '../frame/run-program.ts';

/**
 * Returns the editor on a file: `--editor`, or `$VISUAL`, or `$EDITOR`, or `vi`. It may have arguments, such as
 * `code --wait`, and is read by a shell, as git does it.
 */
export function editorOn(
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
