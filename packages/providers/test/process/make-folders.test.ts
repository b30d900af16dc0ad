import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { makeFolders } from '../../src/storage/make-folders.ts';

const run = promisify(execFile);
const NO_PROC = 'there is no /proc';

async function scratch(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'vizprompt-folders-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

it('makes what is missing, and says where it began', async () => {
  const folder = await scratch();
  expect(makeFolders(join(folder, 'a', 'b', 'c'), 0o700)).toBe(join(folder, 'a'));
  expect(statSync(join(folder, 'a', 'b')).mode & 0o777).toBe(0o700);
  expect(makeFolders(join(folder, 'a', 'b', 'c'))).toBeUndefined();
  mkdirSync(join(folder, 'real'));
  symlinkSync('real', join(folder, 'link'));
  expect(makeFolders(join(folder, 'link'))).toBeUndefined();
  expect(makeFolders(join(folder, 'link', 'd'))).toBe(join(folder, 'link', 'd'));
});

it('throws what the file system says where a file or a link that leads nowhere is in the way', async () => {
  const folder = await scratch();
  writeFileSync(join(folder, 'file'), '');
  symlinkSync('nowhere', join(folder, 'link'));
  expect(() => makeFolders(join(folder, 'file'))).toThrow(/EEXIST/);
  expect(() => makeFolders(join(folder, 'file', 'a', 'b'))).toThrow(/ENOTDIR/);
  expect(() => makeFolders(join(folder, 'link', 'a'))).toThrow(/EEXIST/);
});

it('ends in a file system that takes no folders', async ({ skip }) => {
  skip(!existsSync('/proc/self'), NO_PROC);
  expect(() => makeFolders('/proc/x')).toThrow(/ENOENT/);
  expect(() => makeFolders('/proc/x/y/z')).toThrow(/ENOENT/);
});

it('a store works where the home folder is in such a place', async ({ skip }) => {
  skip(!existsSync('/proc/self'), NO_PROC);
  const folder = await scratch();
  const program = `
    import { localFileStore } from '@vizprompt/providers/node';
    const files = await localFileStore(process.argv[1]);
    await files.writeMany([{ key: 'a', content: 'b' }, { key: 'c', content: 'd' }]);
    process.stdout.write((await files.read('a')).data);
    await files.close();`;
  const env = { PATH: process.env['PATH'], HOME: '/proc/x' };
  const args = ['--input-type=module', '--eval', program, folder];
  const { stdout } = await run(process.execPath, args, { env, cwd: import.meta.dirname });
  expect(stdout).toBe('b');
});
