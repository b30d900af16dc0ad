import { randomBytes } from 'node:crypto';
import { purgeStorage } from '@vizprompt/providers';
import { postgresStorage } from '@vizprompt/providers/postgres';
import { createTextIndex } from '@vizprompt/providers/text';
import pg from 'pg';
import { expect, inject, it } from 'vitest';
import { findWordsInSchema } from '../support/find-words.ts';
import { dropNamespace } from '../support/subjects.ts';

const WORDS = ['zyzzyvaword', '蜜柑畑の秘密'];
const TEXT = WORDS.join(' ');

it('leaves nothing of deleted rows and files in the tables and indexes of PostgreSQL', async () => {
  const connectionString = inject('databaseUrl');
  const namespace = `test_${randomBytes(6).toString('hex')}`;
  const schemas = [namespace, `${namespace}.cache`];
  const storage = await postgresStorage({ connectionString, namespace });
  try {
    await storage.files.write('a.txt', TEXT.repeat(2000));
    await storage.files.write('b.txt', 'stays here');
    await storage.files.write('a.txt', 'new');
    const { cache } = storage;
    await cache.execute('CREATE TABLE doc (id BIGINT PRIMARY KEY, body TEXT)');
    const options = { name: 'docs', table: 'doc', key: 'id', fields: { body: 1 } };
    const index = await createTextIndex(cache, options);
    await index.rebuild([]);
    for (const [id, body] of [TEXT, 'bystander'].entries()) {
      await cache.batch([
        { sql: 'INSERT INTO doc VALUES (?, ?)', params: [id, body] },
        ...index.put({ id, fields: { body } }),
      ]);
    }
    await cache.batch([{ sql: 'DELETE FROM doc WHERE id = 0' }, ...index.remove(0)]);
    expect(await findWordsInSchema(connectionString, schemas, WORDS)).not.toEqual([]);
    await purgeStorage(storage);
    expect(await findWordsInSchema(connectionString, schemas, WORDS)).toEqual([]);
    expect((await storage.files.read('b.txt'))?.text).toBe('stays here');
    expect(await index.search('bystander')).toHaveLength(1);
  } finally {
    await storage.close();
    await dropNamespace(connectionString, namespace);
  }
});

it.each(['READ COMMITTED', 'REPEATABLE READ'])(
  'waits for a transaction that has written and is open (%s)',
  async (isolation) => {
    const connectionString = inject('databaseUrl');
    const namespace = `test_${randomBytes(6).toString('hex')}`;
    const other = new pg.Client({ connectionString });
    // Within a transaction, what is asked of the server's activity stays as it was at first.
    const watcher = new pg.Client({ connectionString });
    await Promise.all([other.connect(), watcher.connect()]);
    const storage = await postgresStorage({ connectionString, namespace });
    try {
      await storage.files.write('a.txt', TEXT.repeat(2000));
      await other.query(`BEGIN ISOLATION LEVEL ${isolation}`);
      await other.query('SELECT txid_current()');
      await storage.files.delete('a.txt');
      let isPurged = false;
      const purging = purgeStorage(storage).then(() => (isPurged = true));
      const states = `SELECT count(*) AS polls FROM pg_stat_activity WHERE query LIKE 'SELECT 1 FROM pg_stat_activity%'`;
      await expect.poll(async () => (await watcher.query(states)).rows[0].polls).not.toBe('0');
      expect(isPurged).toBe(false);
      await other.query('COMMIT');
      await purging;
      expect(await findWordsInSchema(connectionString, [namespace], WORDS)).toEqual([]);
    } finally {
      await Promise.all([other.end(), watcher.end()]);
      await storage.close();
      await dropNamespace(connectionString, namespace);
    }
  },
);
