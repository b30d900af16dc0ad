import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Whether git will merge nodes and flows by what they mean. */
export type MergeDriver =
  /** It is in the configuration of the repository. */
  | 'registered'
  /** The folder is in no repository: initialise again when it is. */
  | 'no-repository'
  /** There is no git on this machine. */
  | 'no-git';

const DRIVERS = {
  'vizprompt-node': ['VizPrompt: merges nodes by their fields', 'node'],
  'vizprompt-flow': ['VizPrompt: merges flows by what they mean', 'flow'],
  'vizprompt-metadata': ['VizPrompt: merges tags.yaml and index.yaml', 'metadata'],
} as const;

/** Tells the repository of a folder, if it is in one, how flows and metadata are merged. */
export async function registerMergeDriver(folder: string): Promise<MergeDriver> {
  const git = (...args: string[]): Promise<unknown> => run('git', ['-C', folder, ...args]);
  try {
    await git('rev-parse', '--git-dir');
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    return isMissing ? 'no-git' : 'no-repository';
  }
  const program = programPath();
  for (const [driver, [name, kind]] of Object.entries(DRIVERS)) {
    await git('config', '--local', `merge.${driver}.name`, name);
    await git('config', '--local', `merge.${driver}.driver`, `${program} ${kind} %O %A %B %P`);
  }
  return 'registered';
}

/** The program of this package as git's shell calls it: by its place, as it is in no `PATH`. */
function programPath(): string {
  try {
    const manifest = createRequire(import.meta.url).resolve('@vizprompt/core/package.json');
    return [process.execPath, join(dirname(manifest), 'dist', 'vizprompt-merge.js')]
      .map(quoted)
      .join(' ');
  } catch {
    // Whoever bundled the package has it elsewhere.
    return 'vizprompt-merge';
  }
}

/** For the shell that git brings along, on Windows too, where it takes `/` for `\`. */
function quoted(path: string): string {
  const portable = process.platform === 'win32' ? path.replaceAll('\\', '/') : path;
  return `'${portable.replaceAll("'", String.raw`'\''`)}'`;
}
