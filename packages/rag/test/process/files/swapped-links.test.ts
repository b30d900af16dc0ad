import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { RagError } from '../../../src/index.ts';
import { DirectoryHandle } from '../../../src/files/directory-handle.ts';
import { MAX_FILE_BYTES } from '../../../src/files/file-area.ts';
import { readTextFile } from '../../../src/files/read-text-file.ts';
import { writeTextFile } from '../../../src/files/write-text-file.ts';
import { isOpen, kill, startChild } from '../../support/children.ts';
import { temporaryFolder } from '../../support/search-index.ts';
import { FileOperationsService } from '../../../src/files/file-operations-service.ts';

const SECRET = 'outside';
/** At most; most machines are done after some dozens. */
const ROUNDS = 2000;
/** So often each of both must happen. */
const ENOUGH = 100;

/** Returns a project, and a process that makes its folder and its file lead out and back all the time. */
async function openSwapped(): Promise<{
  readonly root: string;
  readonly outside: string;
  stop(): Promise<void>;
}> {
  const folder = temporaryFolder();
  const [root, outside, links] = ['novels', 'outside', 'links'].map((name) => join(folder, name));
  if (!root || !outside || !links) throw new Error('three names');
  const settings = join(root, '灯台/settings');
  mkdirSync(join(settings, 'sub'), { recursive: true });
  mkdirSync(outside);
  mkdirSync(links);
  for (const path of ['a.md', 'sub/a.md']) writeFileSync(join(settings, path), 'inside');
  writeFileSync(join(outside, 'a.md'), SECRET);
  symlinkSync(outside, join(links, 'link-sub'));
  symlinkSync(join(outside, 'a.md'), join(links, 'link-a.md'));
  const child = startChild('swap-links', [settings, links]);
  await isOpen(child);
  const stop = (): Promise<void> => {
    expect(child.exitCode).toBe(null);
    return kill(child);
  };
  return { root, outside, stop };
}

describe.runIf(process.platform === 'linux')('links that are made between check and use', () => {
  it('lead out of no folder', async () => {
    const { root, outside, stop } = await openSwapped();
    const files = await FileOperationsService.open({ root });
    const seen = { done: 0, refused: 0, harm: new Array<string>() };
    const attempt = async (task: () => Promise<unknown>): Promise<void> => {
      try {
        if ((await task()) === SECRET) seen.harm.push('the secret was read');
        seen.done++;
      } catch (error) {
        const isRefusal =
          RagError.isInstance(error) && ['path-invalid', 'file-not-found'].includes(error.code);
        if (!isRefusal) seen.harm.push(String(error));
        seen.refused++;
      }
    };
    for (let round = 0; round < ROUNDS; round++) {
      if (seen.done > ENOUGH && seen.refused > ENOUGH) break;
      await attempt(() => files.readFile('灯台/settings/a.md'));
      await attempt(() => files.readFile('灯台/settings/sub/a.md'));
      await attempt(() => files.writeFile(`灯台/settings/sub/${round}.md`, 'x'));
      await attempt(() => files.writeFile('灯台/settings/a.md', 'x', { overwrite: true }));
      await attempt(async () => {
        const listed = await files.listFiles('灯台/settings');
        return listed.some(({ bytes }) => bytes > 6) ? SECRET : undefined;
      });
    }
    await stop();
    expect(seen.harm).toEqual([]);
    // Otherwise the two did not meet, and the test has shown nothing.
    expect(seen.done).toBeGreaterThan(ENOUGH);
    expect(seen.refused).toBeGreaterThan(ENOUGH);
    expect(readdirSync(outside)).toEqual(['a.md']);
    expect(readFileSync(join(outside, 'a.md'), 'utf8')).toBe(SECRET);
  });
});

describe('where folders cannot be held', () => {
  it('one that was changed for another is noticed, and nothing is given of it', async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'settings'));
    mkdirSync(join(folder, 'other'));
    writeFileSync(join(folder, 'other/a.md'), SECRET);
    const held = DirectoryHandle.open(join(folder, 'settings'), 'settings', false);
    expect(held.entries()).toEqual([]);
    await writeTextFile(held, 'b.md', Buffer.from('inside'), false);
    expect(await readTextFile(held, 'b.md', MAX_FILE_BYTES)).toBe('inside');

    renameSync(join(folder, 'settings'), join(folder, 'kept'));
    symlinkSync(join(folder, 'other'), join(folder, 'settings'));
    const moved = expect.objectContaining({ code: 'path-invalid' });
    await expect(readTextFile(held, 'a.md', MAX_FILE_BYTES)).rejects.toEqual(moved);
    expect(() => held.entries()).toThrow(/was moved/);
    expect(() => held.descend('x')).toThrow(/there is no/);
    await expect(writeTextFile(held, 'c.md', Buffer.from('x'), false)).rejects.toEqual(moved);
    expect(readdirSync(join(folder, 'other'))).toEqual(['a.md']);
  });
});
