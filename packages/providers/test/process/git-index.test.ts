import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../support/subjects.ts';
import { isTrackedByGit } from '../../src/trust/git-index.ts';

async function repository(...options: readonly string[]): Promise<{
  folder: string;
  git: (...args: readonly string[]) => string;
}> {
  const { path: folder, remove } = await temporaryFolder();
  onTestFinished(remove);
  const git = (...args: readonly string[]): string =>
    execFileSync('git', ['-C', folder, '-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], HOME: folder, GIT_CONFIG_GLOBAL: '/dev/null' },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  git('init', '-q', ...options);
  for (let at = 0; at < 60; at++) {
    mkdirSync(join(folder, `d${at % 7}`), { recursive: true });
    writeFileSync(join(folder, `d${at % 7}`, `ファイル${at}.txt`), `${at}`);
  }
  for (const name of ['.ptta', 'sub/.ptta', 'free/.ptta']) {
    mkdirSync(join(folder, name), { recursive: true });
    writeFileSync(join(folder, name, 'ptta.db'), name);
  }
  return { folder, git };
}

/** Which memories of a folder git tracks: its own, one below, one next to that, and a name that is like it. */
function trackedIn(folder: string): readonly boolean[] {
  const names = ['.ptta/ptta.db', 'sub/.ptta/ptta.db', 'free/.ptta/ptta.db', '.ptta/ptta.d'];
  return names.map((name) => isTrackedByGit(join(folder, name)));
}

it.each([
  [[], []],
  [[], ['update-index', '--index-version', '3']],
  [[], ['update-index', '--index-version', '4']],
  [[], ['update-index', '--split-index']],
  [['--object-format=sha256'], []],
  [['--object-format=sha256'], ['update-index', '--index-version', '4']],
])('git tracks what its index names: %j %j', async (init, update) => {
  const { folder, git } = await repository(...init);
  expect(trackedIn(folder)).toEqual([false, false, false, false]);
  git('add', 'd1', 'sub');
  if (update.length > 0) git(...update);
  expect(trackedIn(folder)).toEqual([false, true, false, false]);
  git('add', '-f', '.ptta', 'd3');
  expect(trackedIn(folder)).toEqual([true, true, false, false]);
  git('commit', '-qm', 'x');
  expect(trackedIn(folder)).toEqual([true, true, false, false]);
  git('rm', '-q', '--cached', '.ptta/ptta.db');
  // A split index says apart which of its entries are gone: one of them too many is on the safe side.
  expect(trackedIn(folder)).toEqual([update.includes('--split-index'), true, false, false]);
});

it('git tracks files of linked work trees and submodules, and runs nothing to say so', async () => {
  const { folder, git } = await repository();
  git('add', '.ptta', 'sub');
  git('commit', '-qm', 'x');
  const tree = join(folder, 'tree');
  git('worktree', 'add', '-q', tree);
  mkdirSync(join(tree, 'free', '.ptta'), { recursive: true });
  expect(trackedIn(tree)).toEqual([true, true, false, false]);
  const mark = join(folder, 'ran');
  git('config', 'core.fsmonitor', `touch '${mark}'; false`);
  git('config', 'core.hooksPath', '/nonexistent');
  expect(isTrackedByGit(join(folder, '.ptta', 'ptta.db'))).toBe(true);
  expect(existsSync(mark)).toBe(false);
});

it('an index that makes no sense tracks nothing', async () => {
  const { folder, git } = await repository();
  git('add', '.ptta');
  for (const bytes of ['', 'DIRC', 'DIRC\0\0\0\u0004\0\0\0\u0009xx', 'x'.repeat(100)]) {
    writeFileSync(join(folder, '.git', 'index'), bytes);
    expect(isTrackedByGit(join(folder, '.ptta', 'ptta.db'))).toBe(false);
  }
  rmSync(join(folder, '.git'), { recursive: true });
  writeFileSync(join(folder, '.git'), 'gitdir: nowhere');
  expect(isTrackedByGit(join(folder, '.ptta', 'ptta.db'))).toBe(false);
});
