import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { renameOver, replaceFile, replaceFileSync } from '@vizprompt/providers/internal';
import { describe, expect, it, onTestFinished } from 'vitest';

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'vp-replace-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

const FORMS = [
  ['replaceFile', replaceFile],
  [
    'replaceFileSync',
    async (...args: Parameters<typeof replaceFileSync>) => replaceFileSync(...args),
  ],
] as const;

describe.each(FORMS)('%s', (_name, replace) => {
  it.each([
    ['a string', 'こんにちは 🌍', 'こんにちは 🌍'],
    ['bytes', new Uint8Array([104, 105]), 'hi'],
    ['pieces', ['a', new Uint8Array([98]), 'c'], 'abc'],
    ['nothing', '', ''],
  ])('writes %s, and leaves nothing else in the folder', async (_form, content, text) => {
    const folder = await newFolder();
    const path = join(folder, 'new', 'a.txt');
    await replace(path, content);
    expect(await readFile(path, 'utf8')).toBe(text);
    await replace(path, 'second', { durable: false });
    expect(await readFile(path, 'utf8')).toBe('second');
    expect(await readdir(join(folder, 'new'))).toEqual(['a.txt']);
  });

  it.skipIf(process.platform === 'win32')(
    'gives a new file its mode, and a replaced one the mode it had',
    async () => {
      const path = join(await newFolder(), 'a.txt');
      await replace(path, 'one', { mode: 0o600 });
      expect((await stat(path)).mode & 0o777).toBe(0o600);
      await chmod(path, 0o666);
      await replace(path, 'two', { mode: 0o600 });
      expect((await stat(path)).mode & 0o777).toBe(0o666);
    },
  );

  it('leaves the old file and no other when the hook refuses', async () => {
    const folder = await newFolder();
    const path = join(folder, 'a.txt');
    await writeFile(path, 'old');
    const beforeMove = (): never => {
      throw new Error('changed in the meantime');
    };
    await expect(replace(path, 'new', { beforeMove })).rejects.toThrow('changed in the meantime');
    expect(await readFile(path, 'utf8')).toBe('old');
    expect(await readdir(folder)).toEqual(['a.txt']);
  });

  it('names the file and not its temporary one when it fails', async () => {
    const folder = await newFolder();
    const path = join(folder, 'a-folder');
    await replace(join(path, 'inner.txt'), 'x');
    const failure = replace(path, 'y', {});
    await expect(failure).rejects.toThrow(path);
    await expect(failure).rejects.not.toThrow('.tmp');
    expect(await readdir(folder)).toEqual(['a-folder']);
  });

  it.skipIf(process.platform === 'win32' || process.getuid?.() === 0)(
    'tries again when the folder cannot be changed for a moment',
    async () => {
      const folder = await newFolder();
      const path = join(folder, 'a.txt');
      let attempts = 0;
      const { chmodSync } = await import('node:fs');
      const beforeMove = (): void => chmodSync(folder, ++attempts < 3 ? 0o500 : 0o700);
      await replace(path, 'new', { beforeMove });
      expect(attempts).toBe(3);
      expect(await readFile(path, 'utf8')).toBe('new');
    },
  );
});

describe('replaceFile', () => {
  it('writes what is read from a stream, and leaves the old file when the stream fails', async () => {
    const folder = await newFolder();
    const path = join(folder, 'a.txt');
    async function* pieces(isBroken: boolean): AsyncGenerator<string> {
      yield 'one ';
      if (isBroken) throw new Error('no more');
      yield 'two';
    }
    await replaceFile(path, pieces(false));
    await expect(replaceFile(path, pieces(true))).rejects.toThrow('no more');
    expect(await readFile(path, 'utf8')).toBe('one two');
    expect(await readdir(folder)).toEqual(['a.txt']);
  });
});

describe('renameOver', () => {
  it.runIf(process.platform === 'linux')(
    'gives up when a move stays forbidden, after seven attempts',
    async () => {
      let attempts = 0;
      const move = renameOver('/proc', '/proc-moved', () => void attempts++);
      await expect(move).rejects.toThrow(/EPERM|EACCES|EBUSY/);
      expect(attempts).toBe(7);
    },
  );
});
