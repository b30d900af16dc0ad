import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { VizPrompt } from '@vizprompt/core';
import { temporaryFolder } from './open-project.ts';

const run = promisify(execFile);

/** Settings of git, without a process for each. */
const SETTINGS: NodeJS.ProcessEnv = Object.fromEntries(
  Object.entries({
    'user.name': 'だれか',
    'user.email': 'somebody@example.com',
    'core.quotePath': 'false',
  }).flatMap(([key, value], at) => [
    [`GIT_CONFIG_KEY_${at}`, key],
    [`GIT_CONFIG_VALUE_${at}`, value],
    ['GIT_CONFIG_COUNT', `${at + 1}`],
  ]),
);

/** A person's clone of a project. */
export interface Clone {
  readonly folder: string;
  git(...args: string[]): Promise<string>;
  /** Opens the project for some work. */
  work<T>(task: (vizprompt: VizPrompt) => Promise<T>): Promise<T>;
  /** Commits everything that is there. */
  commit(message: string): Promise<void>;
  /** Merges what another clone has; `false` if git reports a conflict. */
  merge(other: Clone): Promise<boolean>;
  read(file: string): Promise<string>;
  write(file: string, text: string): Promise<void>;
}

/** Returns a repository without a project. */
export async function repository(name = '共有 🐈'): Promise<Clone> {
  const folder = join(await temporaryFolder(), name);
  await run('git', ['init', '-q', '-b', 'main', folder]);
  return cloneAt(folder);
}

/** Returns a clone of a repository, in which the merge driver is registered or not. */
export async function cloneOf(
  origin: Clone,
  { driver = true }: { readonly driver?: boolean } = {},
): Promise<Clone> {
  const folder = join(await temporaryFolder(), "複製 'b' 🐾");
  await run('git', ['clone', '-q', origin.folder, folder]);
  if (driver) await VizPrompt.init(folder, { git: true });
  return cloneAt(folder);
}

function cloneAt(folder: string): Clone {
  const env = { ...process.env, ...SETTINGS };
  const git = async (...args: string[]): Promise<string> =>
    (await run('git', args, { cwd: folder, env })).stdout;
  return {
    folder,
    git,
    async work(task) {
      const vizprompt = await VizPrompt.open(folder);
      try {
        return await task(vizprompt);
      } finally {
        await vizprompt.close();
      }
    },
    async commit(message) {
      await git('add', '-A');
      await git('commit', '-q', '--allow-empty', '-m', message);
    },
    async merge(other) {
      await git('fetch', '-q', other.folder, 'HEAD');
      try {
        await git('merge', '-q', '-m', 'merge', 'FETCH_HEAD');
        return true;
      } catch {
        return false;
      }
    },
    read: (file) => readFile(join(folder, file), 'utf8'),
    write: (file, text) => writeFile(join(folder, file), text),
  };
}

/** Returns a repository with a shared project of one node, and two clones of it. */
export async function sharedProject(
  options: { readonly driver?: boolean } = {},
): Promise<{ origin: Clone; a: Clone; b: Clone; root: string }> {
  const origin = await repository();
  await VizPrompt.init(origin.folder, { git: true });
  const root = await origin.work(
    async (vizprompt) => (await vizprompt.createNode({ prompt: '始め 🌱' })).id,
  );
  await origin.commit('始め');
  return { origin, root, a: await cloneOf(origin, options), b: await cloneOf(origin, options) };
}
