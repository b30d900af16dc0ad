import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Place } from '../../support/place.ts';
import { placeWithSession } from '../../support/open-place.ts';

/** The rights that the mode of a file gives to others; Windows has none. */
const GROUP_AND_OTHERS = process.platform === 'win32' ? 0 : 0o077;

describe('what ptta keeps of its compiled code', () => {
  let place: Place;
  let folder: string;
  beforeEach(async () => {
    ({ place } = await placeWithSession());
    folder = join(place.home, '.ptta', 'compiled');
    await rm(folder, { recursive: true, force: true });
  });
  afterEach(() => place[Symbol.asyncDispose]());

  const log = async (env: Record<string, string> = {}): Promise<void> => {
    const { code, stdout, stderr } = await place.spawn('ptta', ['log:user', '霧'], { env });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('user_message');
  };
  const kept = async (): Promise<string> => {
    const names = await readdir(folder);
    expect(names).toHaveLength(1);
    expect(names[0]).toMatch(/^ptta-log-user-v\d+\.\d+\.\d+-\w+\.bin$/);
    return join(folder, names[0] ?? '');
  };

  it('is written once by each command, and readable by its owner only', async () => {
    await log();
    const file = await kept();
    const { ino, mode, size } = await stat(file);
    expect(size).toBeGreaterThan(50_000);
    expect(mode & GROUP_AND_OTHERS).toBe(0);
    await log();
    expect((await stat(file)).ino).toBe(ino);
    await place.spawn('ptta', ['session:list']);
    expect(await readdir(folder)).toHaveLength(2);
  });

  it.each([
    [
      'a bit is changed',
      (bytes: Uint8Array) => Buffer.from(bytes.with(bytes.length - 9, (bytes.at(-9) ?? 0) ^ 1)),
    ],
    ['it is cut off', (bytes: Buffer) => bytes.subarray(0, bytes.length >> 1)],
    ['it holds nothing', () => Buffer.alloc(0)],
    ['it holds zeros', (bytes: Buffer) => Buffer.alloc(bytes.length)],
  ])('is rebuilt where %s', async (_, damage) => {
    await log();
    const file = await kept();
    const whole = await readFile(file);
    const broken = damage(Buffer.from(whole));
    await writeFile(file, broken);
    await log();
    expect((await readFile(await kept())).equals(broken)).toBe(false);
    await log();
  });

  it('does as well without it', async () => {
    await log({ NODE_DISABLE_COMPILE_CACHE: '1' });
    await expect(readdir(folder)).rejects.toThrow('ENOENT');
    await writeFile(folder, 'a file');
    await log();
    expect(await readFile(folder, 'utf8')).toBe('a file');
  });

  it('is not kept of what failed', async () => {
    expect((await place.spawn('ptta', ['log:nobody', 'x'])).code).not.toBe(0);
    expect((await place.spawn('ptta', ['log:user'])).code).not.toBe(0);
    await expect(readdir(folder)).rejects.toThrow('ENOENT');
  });

  it('imports what it needs', async () => {
    const args = ['edit:record', '--reason', 'r', 'a.txt', '--', 'touch', 'a.txt'];
    for (let turn = 0; turn < 2; turn++) {
      const { code, stderr } = await place.spawn('ptta', args);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    }
  });
});
