import { spawnSync } from 'node:child_process';
import { readdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { compactAnalyzer } from '@vizprompt/rag';
import { temporaryFolder } from '../../support/search-index.ts';

const entry = fileURLToPath(new URL('../../../dist/index.js', import.meta.url));
const program = `
  const { compactAnalyzer } = await import(process.argv[1]);
  await compactAnalyzer({ cacheFolder: process.argv[2] }).catch(({ code, message }) =>
    console.log(JSON.stringify({ code, message })));
`;
const mounts = spawnSync('unshare', ['-rm', 'mount', '-t', 'tmpfs', 'none', '/mnt']).status === 0;

describe('a dictionary in a place that cannot be written', () => {
  afterEach(() => vi.unstubAllEnvs());

  it.each([
    ['itself', 'file', 'ipadic-[^:]+'],
    ['in a folder below', 'file/below', 'below/ipadic-[^:]+'],
  ])('says so before it is compiled: a file is there, %s', async (_, place, name) => {
    const folder = temporaryFolder();
    await writeFile(join(folder, 'file'), '');
    const shares: number[] = [];
    const onProgress = (share: number): unknown => shares.push(share);
    await expect(
      compactAnalyzer({ cacheFolder: join(folder, place), onProgress }),
    ).rejects.toMatchObject({
      code: 'dictionary-failed',
      message: expect.stringMatching(
        new RegExp(
          `^cannot write the dictionary .*file/${name}: there is a file where its folder should be; name another cacheFolder$`,
        ),
      ) as unknown,
    });
    expect(shares).toEqual([]);
    expect(await readdir(folder)).toEqual(['file']);
  });

  it('names the variable or the option that leads elsewhere', async () => {
    const folder = temporaryFolder();
    await writeFile(join(folder, 'file'), '');
    const dictionary = join(folder, 'file', 'a.bin');
    await expect(compactAnalyzer({ dictionary })).rejects.toThrow(
      /; name another file as dictionary$/,
    );
    const variable = process.platform === 'win32' ? 'LOCALAPPDATA' : 'XDG_CACHE_HOME';
    vi.stubEnv(variable, join(folder, 'file'));
    await expect(compactAnalyzer()).rejects.toThrow(
      new RegExp(`; set ${variable} to another folder, or name a cacheFolder$`),
    );
  });

  it('may be a folder by mistake', async () => {
    const dictionary = temporaryFolder();
    await expect(compactAnalyzer({ dictionary })).rejects.toThrow(
      `cannot write the dictionary ${dictionary}: there is a folder in its place; name another file as dictionary`,
    );
  });

  it.skipIf(process.platform === 'win32')('may be there and not be readable', async () => {
    const dictionary = join(temporaryFolder(), 'a.bin');
    await symlink(dictionary, dictionary);
    await expect(compactAnalyzer({ dictionary })).rejects.toMatchObject({
      code: 'dictionary-failed',
      message: expect.stringMatching(
        /^cannot read the dictionary .*a\.bin: ELOOP: [^']*; let it be read, or name another file as dictionary$/,
      ) as unknown,
    });
  });

  it.skipIf(!mounts).each([
    ['full', 'size=1m', 'ENOSPC: no space left on device'],
    ['read-only', 'ro', 'EROFS: read-only file system'],
  ])('says so where the disk is %s', (_, option, reason) => {
    const folder = temporaryFolder();
    const script = 'mount -t tmpfs -o "$1" none "$2" && shift 2 && exec "$@"';
    const run = ['--input-type=module', '--eval', program, entry, folder];
    const { stdout, stderr } = spawnSync(
      'unshare',
      ['-rm', 'sh', '-c', script, 'sh', option, folder, process.execPath, ...run],
      { encoding: 'utf8' },
    );
    expect(stderr).toBe('');
    const { code, message } = JSON.parse(stdout) as Record<string, string>;
    expect(code).toBe('dictionary-failed');
    expect(message).toContain(`cannot write the dictionary ${folder}`);
    expect(message).toContain(`: ${reason}`);
    expect(message).toMatch(/; name another cacheFolder$/);
  });
});
