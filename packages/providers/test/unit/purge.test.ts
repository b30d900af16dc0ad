import { existsSync, readdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { purgeStorage, type Storage } from '@vizprompt/providers';
import { localFileStore, openStorage, sqliteDatabase } from '@vizprompt/providers/node';
import { quantizedVectors } from '@vizprompt/providers/quantized';
import { sqliteVecStore } from '@vizprompt/providers/sqlite-vec';
import { createTextIndex } from '@vizprompt/providers/text';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { tempName } from '../../src/files/durable.ts';
import { findWords } from '../support/find-words.ts';
import { ownSqlite } from '../support/own-sqlite.ts';
import { temporaryFolder } from '../support/subjects.ts';

const WORDS = ['zyzzyvaword', '蜜柑畑の秘密', 'QuokkaName'];
const TEXT = WORDS.join(' ');

let folder: string;
let remove: () => Promise<void>;
beforeEach(async () => ({ path: folder, remove } = await temporaryFolder()));
afterEach(() => remove());

describe('purge of files', () => {
  it('leaves nothing of deleted and replaced files in the journal', async () => {
    const files = await localFileStore(folder);
    await files.writeMany([
      { key: 'a.txt', content: TEXT },
      { key: 'b.txt', content: TEXT },
    ]);
    await files.writeMany([
      { key: 'a.txt', content: 'new' },
      { key: 'b.txt', content: null },
    ]);
    expect(findWords(folder, WORDS)).not.toEqual([]);
    await files.purge?.();
    expect(findWords(folder, WORDS)).toEqual([]);
    // It continues as before, and another process does, too.
    const other = await localFileStore(folder);
    await other.writeMany([
      { key: 'c.txt', content: 'c' },
      { key: 'd.txt', content: 'd' },
    ]);
    await files.writeMany([
      { key: 'e.txt', content: 'e' },
      { key: 'd.txt', content: 'e' },
    ]);
    await Promise.all([files.close(), other.close()]);
    const again = await localFileStore(folder);
    expect((await again.read('d.txt'))?.text).toBe('e');
    expect((await again.read('a.txt'))?.text).toBe('new');
    await again.close();
  });

  it('sweeps what a writer that died left next to its file', async () => {
    const files = await localFileStore(folder);
    await files.write('keep.txt', 'kept');
    const left = tempName().replace(`-${process.pid}-`, '-2147483646-');
    await writeFile(join(folder, left), TEXT);
    await files.purge?.();
    expect(findWords(folder, WORDS)).toEqual([]);
    await files.close();
  });
});

describe('purge of a SQLite database', () => {
  async function filled(path: string): Promise<ReturnType<typeof sqliteDatabase>> {
    const database = sqliteDatabase({ path });
    await database.execute('CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT)');
    for (let id = 1; id <= 200; id++) {
      const text = id % 2 ? TEXT.repeat(id) : `stays ${id}`;
      await database.execute('INSERT INTO note VALUES (?, ?)', [id, text]);
    }
    return database;
  }

  it('leaves nothing of deleted rows in pages, log and backups', async () => {
    const path = join(folder, 'app.db');
    const database = await filled(path);
    await writeFile(`${path}.memory-v3-1764000000000.bak`, TEXT);
    await writeFile(`${path}.of-the-user`, 'mine');
    await database.execute('DELETE FROM note WHERE id % 2 = 1');
    expect(findWords(folder, WORDS)).not.toEqual([]);
    await database.purge?.();
    expect(findWords(folder, WORDS)).toEqual([]);
    expect(readdirSync(folder)).toContain('app.db.of-the-user');
    expect(await database.query('SELECT count(*) AS n FROM note')).toEqual([{ n: 100 }]);
    await database.close();
  });

  it('waits for others that read, and says what is in the way', async () => {
    const path = join(folder, 'app.db');
    const database = await filled(path);
    await database.execute('DELETE FROM note WHERE id % 2 = 1');
    const other = ownSqlite.open(path);
    other.exec('BEGIN');
    other.exec('SELECT * FROM note');
    const impatient = sqliteDatabase({ path, busyTimeoutMs: 20 });
    await expect(impatient.purge?.()).rejects.toMatchObject({
      code: 'busy',
      message: expect.stringContaining('purge again'),
    });
    other.exec('COMMIT');
    other.close();
    await impatient.purge?.();
    expect(findWords(folder, WORDS)).toEqual([]);
    await Promise.all([database.close(), impatient.close()]);
  });

  it('makes no file of a database that was never used', async () => {
    const database = sqliteDatabase({ path: join(folder, 'none.db') });
    await database.purge?.();
    expect(existsSync(join(folder, 'none.db'))).toBe(false);
    await database.close();
  });

  it.each([1, 2, 7, 40])('drops the terms of deleted rows of %i segments', async (segments) => {
    const storage = await openStorage(folder);
    await storage.cache.execute('CREATE TABLE doc (id INTEGER PRIMARY KEY)');
    const index = await createTextIndex(storage.cache, {
      name: 'docs',
      table: 'doc',
      key: 'id',
      fields: { body: 1 },
    });
    await index.rebuild([]);
    for (let id = 1; id <= segments; id++) {
      await storage.cache.batch([
        { sql: 'INSERT INTO doc VALUES (?)', params: [id] },
        ...index.put({ id, fields: { body: `${TEXT} bystander${id}` } }),
      ]);
    }
    if (segments === 7) await index.optimize();
    await storage.cache.batch([...index.put({ id: 1, fields: { body: 'bystander1' } })]);
    for (let id = 2; id <= segments; id++) {
      await storage.cache.batch([
        { sql: 'DELETE FROM doc WHERE id = ?', params: [id] },
        ...index.remove(id),
      ]);
    }
    expect(findWords(folder, ['zyzzyvaword'])).not.toEqual([]);
    await purgeStorage(storage);
    // Terms are cut from words: none of their pieces remains either.
    expect(findWords(folder, [...WORDS, 'zyzzyva', '蜜柑', 'quokka'])).toEqual([]);
    expect(await index.search('bystander1')).toHaveLength(1);
    await storage.close();
  });

  it.each(['quantized', 'sqlite-vec'])('leaves nothing of a vector in %s', async (kind) => {
    const storage = await openStorage(folder);
    const make = kind === 'quantized' ? quantizedVectors : sqliteVecStore;
    const store = make({ database: storage.cache, dimensions: 16 });
    const vectorOf = (seed: number): Float32Array =>
      Float32Array.from({ length: 16 }, (_, at) => Math.sin(seed * 7.31 + at * 1.7 + 0.123));
    const unit = (vector: Float32Array): Float32Array => {
      const length = Math.hypot(...vector);
      return vector.map((value) => value / length);
    };
    const records = Array.from({ length: 50 }, (_, seed) => ({
      id: `id-${seed}`,
      vector: vectorOf(seed),
      payload: { note: seed === 3 ? TEXT : `n${seed}` },
    }));
    await store.upsert(records);
    const before = await storage.cache.query<Record<string, unknown>>(
      kind === 'quantized'
        ? 'SELECT * FROM derived_vector_vectors_data WHERE slot = 4'
        : 'SELECT 1',
    );
    const bytes =
      kind === 'quantized'
        ? Object.values(before[0] ?? {}).filter((value) => value instanceof Uint8Array)
        : [
            new Uint8Array(vectorOf(3).buffer.slice(0, 16)),
            new Uint8Array(unit(vectorOf(3)).buffer.slice(0, 16)),
          ];
    const { readFileSync } = await import('node:fs');
    const isThere = (some: Uint8Array): boolean =>
      ['', '-wal'].some((suffix) =>
        readFileSync(join(folder, '.vizprompt', `cache.db${suffix}`)).includes(Buffer.from(some)),
      );
    expect(bytes.some(isThere)).toBe(true);
    await store.delete(['id-3']);
    await purgeStorage(storage);
    expect(findWords(folder, WORDS)).toEqual([]);
    expect(bytes.some(isThere)).toBe(false);
    const [nearest] = await store.query(vectorOf(8), { k: 1 });
    expect(nearest?.id).toBe('id-8');
    await store.upsert([{ id: 'later', vector: vectorOf(99) }]);
    expect((await store.query(vectorOf(99), { k: 1 }))[0]?.id).toBe('later');
    await store.close();
    await storage.close();
  });
});

describe('purgeStorage', () => {
  it('purges files, database and cache', async () => {
    const storage = await openStorage(folder);
    for (const part of [storage.database, storage.cache]) {
      await part.execute('CREATE TABLE note (text TEXT)');
      await part.execute('INSERT INTO note VALUES (?)', [TEXT]);
      await part.execute('DELETE FROM note');
    }
    await storage.files.writeMany([
      { key: 'a', content: TEXT },
      { key: 'b', content: TEXT },
    ]);
    await storage.files.writeMany([
      { key: 'a', content: null },
      { key: 'b', content: null },
    ]);
    await purgeStorage(storage);
    expect(findWords(folder, WORDS)).toEqual([]);
    await storage.close();
  });

  it('says which parts cannot do it, after the others did', async () => {
    const storage = await openStorage(folder);
    await storage.cache.execute('CREATE TABLE note (text TEXT)');
    await storage.cache.execute('INSERT INTO note VALUES (?)', [TEXT]);
    await storage.cache.execute('DELETE FROM note');
    const { purge: _, ...database } = storage.database;
    const partial: Storage = { ...storage, database };
    await expect(purgeStorage(partial)).rejects.toMatchObject({
      code: 'unsupported',
      context: { parts: ['database'] },
    });
    expect(findWords(folder, WORDS)).toEqual([]);
    await storage.close();
  });
});
