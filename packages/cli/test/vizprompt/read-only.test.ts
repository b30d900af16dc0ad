import { spawnSync, type SpawnSyncReturns } from 'node:child_process';
import { chmod, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { binOf } from '../support/run.ts';
import { testProject } from './project.ts';

/** Root may write everywhere, so that it has to be somebody else. */
const NOBODY = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

describe.skipIf(process.platform === 'win32')('a project that cannot be written', () => {
  it('is read, and a command that would change it says so', async () => {
    const project = await testProject();
    const { home, cwd } = project.place;
    const { id } = await project.node('質問 😀', '回答');
    await chmod(home, 0o755);
    const folders = await foldersBelow(cwd);
    for (const folder of folders) await chmod(folder, 0o555);
    onTestFinished(async () => {
      for (const folder of folders) await chmod(folder, 0o755);
    });
    const before = await readdir(cwd, { recursive: true });

    for (const [args, text] of [
      [['flow', 'list'], '1 node'],
      [['flow', 'show'], '質問 😀'],
      [['get-node', '1'], '回答'],
      [['search', '質問'], id],
      [['context', '--prompt', '続き'], '質問'],
      [['export', '--format', 'markdown'], '回答'],
      [['check'], 'nothing is wrong'],
    ] as const) {
      const read = run(args, cwd);
      expect([read.stderr, read.status]).toEqual(['', 0]);
      expect(read.stdout).toContain(text);
    }
    for (const args of [['create-node', '--prompt', 'x'], ['delete-node', '1'], ['build']]) {
      const written = run(args, cwd);
      expect(written.stderr).toContain(`cannot be written: ${cwd}`);
      expect([written.status, written.stdout]).toEqual([1, '']);
    }
    expect(await readdir(cwd, { recursive: true })).toEqual(before);
  });
});

function run(args: readonly string[], cwd: string): SpawnSyncReturns<string> {
  const env = { PATH: process.env['PATH'] ?? '', HOME: cwd, LANG: 'C.UTF-8' };
  const words = [binOf('vizprompt'), ...args];
  return spawnSync(process.execPath, words, { cwd, env, encoding: 'utf8', ...NOBODY });
}

async function foldersBelow(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const below = entries.filter((entry) => entry.isDirectory());
  return [folder, ...below.map(({ parentPath, name }) => join(parentPath, name))];
}
