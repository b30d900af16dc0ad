import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { compileElsewhere } from '../../src/dictionary/compile-elsewhere.ts';

describe('a dictionary that cannot be compiled', () => {
  let folder = '';
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rag-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('says why, and how to choose another folder', async () => {
    const path = join(folder, 'file', 'a.bin');
    await writeFile(join(folder, 'file'), '');
    const job = { source: join(folder, 'nothing'), path };
    await expect(compileElsewhere(job, () => {})).rejects.toMatchObject({
      code: 'dictionary-failed',
      message: expect.stringMatching(/a\.bin: .*(ENOENT|ENOTDIR).*XDG_CACHE_HOME/s) as unknown,
    });
  });

  it('is a sentence from the process that compiles, without a stack', async () => {
    const compiler = fileURLToPath(new URL('../../dist/compile-dictionary.js', import.meta.url));
    const args = [compiler, join(folder, '無い'), join(folder, 'a.bin')];
    await expect(promisify(execFile)(process.execPath, args)).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^ENOENT: [^\n]*無い[^\n]*$/) as unknown,
    });
  });
});
