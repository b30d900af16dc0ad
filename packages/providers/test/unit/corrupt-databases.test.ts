import { existsSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLogger } from '@vizprompt/providers';
import { openStorage } from '@vizprompt/providers/node';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/subjects.ts';
import type { LogEntry } from '../../src/logging/create-logger.ts';

const GARBAGE = 'this is no database, and long enough to be sure of it '.repeat(300);

let folder: string;
let remove: () => Promise<void>;
beforeEach(async () => {
  ({ path: folder, remove } = await temporaryFolder());
  await using storage = await openStorage(folder);
  for (const part of [storage.database, storage.cache]) {
    await part.execute('CREATE TABLE note (text TEXT)');
    await part.execute('INSERT INTO note VALUES (?)', ['x'.repeat(50_000)]);
  }
});
afterEach(() => remove());

describe('a damaged cache', () => {
  const cacheFile = (): string => join(folder, '.vizprompt/cache.db');
  const damages: Record<string, () => void> = {
    'is no database': () => {
      for (const suffix of ['', '-wal', '-shm']) writeFileSync(cacheFile() + suffix, GARBAGE);
    },
    'was cut off': () => truncateSync(cacheFile(), 5000),
    'has a broken schema': () => {
      const bytes = readFileSync(cacheFile());
      bytes.fill(0xff, 100, 4096);
      writeFileSync(cacheFile(), bytes);
    },
  };

  it.each(Object.entries(damages))('is rebuilt, with a warning: it %s', async (_, damage) => {
    damage();
    const entries: LogEntry[] = [];
    const logger = createLogger({ level: 'warn', sinks: [(entry) => entries.push(entry)] });
    await using storage = await openStorage(folder, { logger });
    await storage.cache.execute('CREATE TABLE note (text TEXT)');
    expect(await storage.cache.query('SELECT * FROM note')).toEqual([]);
    expect(entries).toHaveLength(1);
    expect(entries[0]?.message).toMatch(/damaged cache/);
    expect(entries[0]?.fields).toMatchObject({ path: cacheFile() });
    expect(await storage.database.query('SELECT length(text) AS n FROM note')).toEqual([
      { n: 50_000 },
    ]);
  });

  it('is replaced once by many that open it at once', async () => {
    damages['is no database']?.();
    const storages = await Promise.all(Array.from({ length: 6 }, () => openStorage(folder)));
    const sql = 'CREATE TABLE IF NOT EXISTS note (text TEXT)';
    await Promise.all(storages.map(({ cache }) => cache.execute(sql)));
    await Promise.all(storages.map(({ cache }) => cache.execute("INSERT INTO note VALUES ('x')")));
    expect(await storages[0]?.cache.query('SELECT count(*) AS n FROM note')).toEqual([{ n: 6 }]);
    await Promise.all(storages.map((storage) => storage.close()));
  });
});

describe('a damaged database', () => {
  it('stays as it is, and the error says which file it is and what to do', async () => {
    const path = join(folder, '.vizprompt/database.db');
    writeFileSync(path, GARBAGE);
    await using storage = await openStorage(folder);
    const reading = storage.database.query('SELECT 1');
    await expect(reading).rejects.toMatchObject({ code: 'corrupt', context: { file: path } });
    await expect(reading).rejects.toThrow(path);
    await expect(reading).rejects.toThrow(/restore the newest backup/);
    expect(readFileSync(path, 'utf8')).toBe(GARBAGE);
    expect(existsSync(`${path}-wal`)).toBe(false);
  });
});
