import { existsSync } from 'node:fs';
import { mkdir, readdir, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CACHE, Place } from '../../support/place.ts';
import { readOnly, runBound } from '../../support/without-write.ts';
import { writeNovel } from '../../support/novel.ts';

describe.skipIf(process.platform === 'win32')('a project of novels that cannot be written', () => {
  let place: Place;
  let root = '';
  let cache = '';
  beforeEach(async () => {
    place = await Place.make();
    root = await writeNovel(place.cwd);
    cache = join(place.home, 'cache');
    await mkdir(join(cache, 'vizprompt'), { recursive: true });
    // A dictionary takes seconds to compile.
    const compiled = join(CACHE, 'vizprompt');
    for (const name of existsSync(compiled) ? await readdir(compiled) : []) {
      if (name.endsWith('.bin'))
        await symlink(join(compiled, name), join(cache, 'vizprompt', name));
    }
  });
  afterEach(() => place[Symbol.asyncDispose]());

  const run = (...args: readonly string[]): ReturnType<typeof runBound> =>
    runBound('dialogoi', args, {
      cwd: place.cwd,
      env: { HOME: place.home, XDG_CACHE_HOME: cache },
    });

  it.each([
    ['that was never searched', ['projects']],
    ['with an index of somebody else', ['index']],
  ])('is searched, %s; its index is in the cache folder', async (_kind, before) => {
    expect(run(...before).status).toBe(0);
    using _ = readOnly(root);
    const files = await readdir(root, { recursive: true });
    const found = run('search', '火を守ったのは？', '--json');
    expect([found.stderr, found.status]).toEqual(['', 0]);
    expect(JSON.parse(found.stdout)).toMatchObject({
      hits: [{ payload: { file: 'contents/01.md' } }],
    });
    expect(JSON.parse(run('index', '--json').stdout)).toMatchObject({ indexed: 0, unchanged: 4 });
    expect(await readdir(root, { recursive: true })).toEqual(files);
    expect(await readdir(join(cache, 'vizprompt/rag'))).toHaveLength(1);
  });

  it('takes no files, and says so by their names', () => {
    using _ = readOnly(root);
    const added = run('add', 'contents/02.md', '--content', '針は南を指した。');
    expect([added.status, added.stdout]).toEqual([1, '']);
    expect(added.stderr).toContain('灯台/contents/02.md cannot be read or written: EACCES');
    expect(added.stderr).not.toContain('/proc/');
  });

  it('is an error with a fix where the cache cannot be written either', async () => {
    // With it, the dictionary is there.
    expect(run('index').status).toBe(0);
    await rm(join(root, '.vizprompt'), { recursive: true });
    using _ = readOnly(root, cache);
    const vain = run('search', '火', '--json');
    expect([vain.status, vain.stdout]).toEqual([1, '']);
    const { error } = JSON.parse(vain.stderr) as { error: { code: string; message: string } };
    expect(error.code).toBe('indexing-failed');
    expect(error.message).toContain(join(root, '.vizprompt'));
    expect(error.message).toContain('XDG_CACHE_HOME');
  });
});
