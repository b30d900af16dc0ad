import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inMemoryStorage, localFileStore, openStorage } from '@vizprompt/providers/node';
import { type FileStore, InputError, type Storage, StorageError } from '@vizprompt/providers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { assertNoDevice } from '../../src/files/key-paths.ts';
import { temporaryFolder } from '../support/subjects.ts';

let folder: string;
let outside: string;
let storage: Storage;
let cleanUps: (() => Promise<void>)[];

beforeEach(async () => {
  const [inner, outer] = await Promise.all([temporaryFolder(), temporaryFolder()]);
  folder = inner.path;
  outside = outer.path;
  storage = await openStorage(folder);
  cleanUps = [() => storage.close(), inner.remove, outer.remove];
});

afterEach(async () => {
  for (const cleanUp of cleanUps) await cleanUp();
});

/** Returns a condition as plain JavaScript may give it. */
function asGiven(value: object): object & { readonly ifVersion?: null } {
  return value;
}

async function keys(): Promise<string[]> {
  const found: string[] = [];
  for await (const { key } of storage.files.list('')) found.push(key);
  return found.toSorted();
}

describe('names of devices', () => {
  it.each(['x/nul .txt', 'CONOUT$', 'conin$.md', 'aux '])('are no files on Windows: %s', (key) => {
    expect(() => assertNoDevice(key, 'win32')).toThrow(StorageError);
    expect(() => assertNoDevice(key, 'linux')).not.toThrow();
  });

  it.each(['null.txt', 'con a.md', 'x/conout$$', 'a nul'])('are not these: %s', (key) => {
    expect(() => assertNoDevice(key, 'win32')).not.toThrow();
  });
});

describe('files in a folder', () => {
  it.skipIf(process.platform === 'win32')('may have names that are odd elsewhere', async () => {
    await using database = await inMemoryStorage();
    for (const { files } of [storage, database]) {
      for (const key of ['nul .txt', 'contents/\u00E6\u0097\u00A5\u00E8\u00A8\u0098.md']) {
        await files.write(key, 'a');
        await files.append(key, 'b');
        await files.writeMany([{ key, content: 'abc' }]);
        expect((await files.read(key))?.text).toBe('abc');
        const listed: string[] = [];
        for await (const entry of files.list('')) listed.push(entry.key);
        expect(listed).toEqual([key]);
        expect(await files.delete(key)).toBe(true);
      }
    }
  });

  it('takes changes that carry more than they need', async () => {
    await using database = await inMemoryStorage();
    for (const { files } of [storage, database]) {
      const more = { durable: true, note: 1, size: 3, ifVersion: undefined };
      await files.write('a.md', 'one', more);
      const listed = [];
      for await (const entry of files.list('')) listed.push({ ...entry, ...more, content: 'two' });
      await files.writeMany([...listed, { key: 'b.md', content: 'b' }]);
      expect((await files.read('a.md'))?.text).toBe('two');
      const mistyped = { ifversion: null, key: 'a.md', content: 'x' };
      await expect(files.writeMany([mistyped])).rejects.toThrow("is 'ifVersion' meant?");
      await expect(files.writeMany([mistyped, ...listed.slice(1)])).rejects.toThrow(InputError);
      const write = files.write('a.md', 'x', asGiven({ if_version: null }));
      await expect(write).rejects.toThrow("is 'ifVersion' meant?");
      expect((await files.read('a.md'))?.text).toBe('two');
    }
  });

  it('are plain files that any program can read and write', async () => {
    await storage.files.write('nodes/00/00.xml', '<node/>');
    expect(await readFile(join(folder, 'nodes/00/00.xml'), 'utf8')).toBe('<node/>');
    writeFileSync(join(folder, 'by-hand.txt'), '手で書いた');
    expect((await storage.files.read('by-hand.txt'))?.text).toBe('手で書いた');
  });

  it('are closed at the end of a block, with all that was written', async () => {
    let left: FileStore;
    {
      await using files = await localFileStore(outside);
      await files.writeMany(['猫', '犬'].map((key) => ({ key, content: key })));
      left = files;
    }
    await expect(left.read('猫')).rejects.toMatchObject({ code: 'closed' });
    expect(await readFile(join(outside, '犬'), 'utf8')).toBe('犬');
  });

  it('change their version when an editor writes in place', async () => {
    const { version } = await storage.files.write('a.txt', 'same size 1');
    writeFileSync(join(folder, 'a.txt'), 'same size 2');
    expect((await storage.files.read('a.txt'))?.version).not.toBe(version);
    await expect(storage.files.write('a.txt', 'x', { ifVersion: version })).rejects.toMatchObject({
      code: 'conflict',
    });
  });

  it('make no database before one is used', () => {
    expect(existsSync(join(folder, '.vizprompt/database.db'))).toBe(false);
    expect(existsSync(join(folder, '.vizprompt/cache.db'))).toBe(false);
  });

  it('say what is wrong with a folder that cannot be used', async () => {
    writeFileSync(join(folder, 'file'), '');
    const opening = openStorage(join(folder, 'file/below'));
    await expect(opening).rejects.toMatchObject({ code: 'io' });
    await expect(opening).rejects.toThrow(/file\/below/);
    mkdirSync(join(folder, 'is-folder'));
    await expect(storage.files.write('is-folder', 'x')).rejects.toThrow(/is-folder/);
    expect(readdirSync(folder).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });
});

describe('symbolic links', () => {
  it('may not lead out of the folder', async () => {
    writeFileSync(join(outside, 'secret.txt'), 'secret');
    symlinkSync(outside, join(folder, 'door'));
    symlinkSync(join(outside, 'secret.txt'), join(folder, 'window.txt'));
    symlinkSync(join(outside, 'nothing'), join(folder, 'nowhere.txt'));
    const refused = { code: 'outside-root' };
    for (const key of ['door/secret.txt', 'window.txt', 'nowhere.txt', 'door/new/file.txt']) {
      await expect(storage.files.read(key)).rejects.toMatchObject(refused);
      await expect(storage.files.write(key, 'x')).rejects.toMatchObject(refused);
      await expect(storage.files.append(key, 'x')).rejects.toMatchObject(refused);
      await expect(storage.files.delete(key)).rejects.toMatchObject(refused);
      const batch = [
        { key: 'innocent.txt', content: 'x' },
        { key, content: 'x' },
      ];
      await expect(storage.files.writeMany(batch)).rejects.toMatchObject(refused);
    }
    expect(await keys()).toEqual([]);
    expect(readdirSync(outside)).toEqual(['secret.txt']);
    expect(await readFile(join(outside, 'secret.txt'), 'utf8')).toBe('secret');
  });

  it('are followed within the folder, and stay links', async () => {
    await storage.files.write('real.txt', 'one');
    symlinkSync('real.txt', join(folder, 'link.txt'));
    expect((await storage.files.read('link.txt'))?.text).toBe('one');
    await storage.files.write('link.txt', 'two');
    expect((await storage.files.read('real.txt'))?.text).toBe('two');
    expect(await keys()).toEqual(['link.txt', 'real.txt']);
  });
});
