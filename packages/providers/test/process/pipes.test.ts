import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readNamedFile, readPlainFile, streamPlainFile } from '@vizprompt/providers/internal';
import { openStorage } from '@vizprompt/providers/node';
import { expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../support/subjects.ts';
import { isTrackedByGit } from '../../src/trust/git-index.ts';

it.skipIf(process.platform === 'win32')(
  'a store waits for no pipe in place of a file',
  async () => {
    const { path, remove } = await temporaryFolder();
    onTestFinished(remove);
    mkdirSync(join(path, '.vizprompt'));
    execFileSync('mkfifo', [join(path, '.vizprompt', 'batch.journal'), join(path, 'a.txt')]);
    await expect(openStorage(path)).rejects.toMatchObject({ code: 'outside-root' });
    await using storage = await openStorage(path, { readOnly: true });
    expect(await storage.files.read('a.txt')).toBeNull();
  },
);

it.skipIf(process.platform === 'win32')(
  'a file that was found is read only where it is a plain file, and errors of the system are coded',
  async () => {
    const { path, remove } = await temporaryFolder();
    onTestFinished(remove);
    const at = (name: string): string => join(path, name);
    execFileSync('mkfifo', [at('pipe')]);
    symlinkSync('/dev/zero', at('endless'));
    symlinkSync('circle', at('circle'));
    symlinkSync('nowhere', at('dangling'));
    writeFileSync(at('file'), 'text');
    writeFileSync(at('large'), 'x'.repeat(100));
    for (const name of ['pipe', 'endless', 'circle', '.']) {
      expect(() => readPlainFile(at(name))).toThrow(
        expect.objectContaining({ code: 'io', message: expect.stringContaining(`cannot read`) }),
      );
      expect(() => streamPlainFile(at(name))).toThrow(expect.objectContaining({ code: 'io' }));
    }
    for (const name of ['dangling', 'nowhere', 'file/below', 'x'.repeat(300)]) {
      expect([name, readPlainFile(at(name))]).toEqual([name, undefined]);
    }
    expect(readPlainFile(at('file'))?.toString()).toBe('text');
    expect(() => readPlainFile(at('large'), { maxBytes: 99 })).toThrow(
      expect.objectContaining({ code: 'too-large' }),
    );
    // A path of the user may be a pipe that another program writes, and ends at a limit.
    const written = execFileSync('sh', ['-c', 'echo typed > pipe & cat pipe'], { cwd: path });
    expect(written.toString()).toBe('typed\n');
    const limits = { maxBytes: 1 << 20 };
    for (const [name, code] of [
      ['endless', 'too-large'],
      ['circle', 'io'],
      ['nowhere', 'io'],
      ['.', 'io'],
    ] as const) {
      await expect(readNamedFile(at(name), limits)).rejects.toMatchObject({ code });
    }
    await expect(readNamedFile(at('endless'), { signal: AbortSignal.abort() })).rejects.toThrow(
      'aborted',
    );
  },
);

it.skipIf(process.platform === 'win32')(
  'an index of git that is a pipe, a device or a circle of links tracks nothing',
  async () => {
    const { path, remove } = await temporaryFolder();
    onTestFinished(remove);
    mkdirSync(join(path, '.ptta'));
    writeFileSync(join(path, '.ptta', 'ptta.db'), 'x');
    mkdirSync(join(path, '.git'));
    const index = join(path, '.git', 'index');
    const places = [
      () => execFileSync('mkfifo', [index]),
      () => symlinkSync('/dev/zero', index),
      () => symlinkSync('index', index),
      () => mkdirSync(index),
      () => writeFileSync(index, 'DIRC'),
    ];
    for (const place of places) {
      place();
      expect(isTrackedByGit(join(path, '.ptta', 'ptta.db'))).toBe(false);
      rmSync(index, { recursive: true });
    }
    rmSync(join(path, '.git'), { recursive: true });
    writeFileSync(join(path, '.git'), 'gitdir: /dev/zero\n');
    expect(isTrackedByGit(join(path, '.ptta', 'ptta.db'))).toBe(false);
  },
);
