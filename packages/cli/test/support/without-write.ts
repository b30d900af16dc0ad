import { spawnSync, type SpawnSyncReturns } from 'node:child_process';
import { chmodSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { binOf, type ToolName } from './run.ts';

/** Root may write everywhere, unless it lets go of that; what is its own it can still read. */
const AS_READER = process.getuid?.() === 0 ? ['setpriv', '--bounding-set=-dac_override', '--'] : [];

/** Runs a command line as a user whom the rights of files bind. */
export function runBound(
  tool: ToolName,
  args: readonly string[],
  { cwd, env }: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): SpawnSyncReturns<string> {
  const [file = '', ...words] = [...AS_READER, process.execPath, binOf(tool), ...args];
  const own = { PATH: process.env['PATH'] ?? '', LANG: 'C.UTF-8', ...env };
  return spawnSync(file, words, { cwd, env: own, encoding: 'utf8' });
}

/** Takes the right to write away from folders and all below them, until it is disposed of. */
export function readOnly(...roots: readonly string[]): Disposable {
  const entries = roots.flatMap((root) =>
    readdirSync(root, { recursive: true, withFileTypes: true }),
  );
  const below = entries.filter((entry) => entry.isDirectory());
  const folders = [...roots, ...below.map(({ parentPath, name }) => join(parentPath, name))];
  for (const path of folders) chmodSync(path, 0o555);
  return {
    [Symbol.dispose]() {
      for (const path of folders) chmodSync(path, 0o755);
    },
  };
}
