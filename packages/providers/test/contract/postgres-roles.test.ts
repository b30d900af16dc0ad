import { createId } from '@vizprompt/providers';
import { postgresStorage } from '@vizprompt/providers/postgres';
import { createTextIndex } from '@vizprompt/providers/text';
import pg from 'pg';
import { describe, expect, inject, it } from 'vitest';
import { settleSegments } from '../../src/text/segments/maintain-segments.ts';
import { segmentTables } from '../../src/text/segments/segment-tables.ts';

/** Returns a role that is not a superuser and may make nothing outside of one database. */
async function newRole(): Promise<{
  readonly url: string;
  readonly namespace: string;
  run(sql: string): Promise<void>;
}> {
  const name = `r_${createId().replaceAll('-', '').slice(0, 20)}`;
  const run = async (sql: string): Promise<void> => {
    const client = new pg.Client({ connectionString: inject('databaseUrl') });
    await client.connect();
    try {
      await client.query(sql.replaceAll('ROLE_NAME', name));
    } finally {
      await client.end();
    }
  };
  await run(`CREATE ROLE ROLE_NAME LOGIN NOSUPERUSER PASSWORD 'secret'`);
  const login = { username: name, password: 'secret' };
  const url = Object.assign(new URL(inject('databaseUrl')), login).href;
  return { url, namespace: name, run };
}

const GRANT = `DO $$ BEGIN EXECUTE format('GRANT CREATE ON DATABASE %I TO ROLE_NAME', current_database()); END $$`;

describe('a role that is no superuser', () => {
  it('opens schemas that it may use and not create, whatever its own search_path is', async () => {
    const { url, namespace, run } = await newRole();
    const owned = { connectionString: inject('databaseUrl'), namespace };
    await using admin = await postgresStorage(owned);
    await admin.files.write('a.txt', 'of the admin');
    await run('ALTER ROLE ROLE_NAME SET search_path = public');
    await run("ALTER ROLE ROLE_NAME SET bytea_output = 'escape'");
    await run("ALTER ROLE ROLE_NAME SET default_transaction_isolation = 'serializable'");
    // Both schemas are asked for at once: which refusal comes first is not certain.
    await expect(postgresStorage({ connectionString: url, namespace })).rejects.toThrow(
      new RegExp(`GRANT USAGE ON SCHEMA "${namespace}(?:\\.cache)?"`),
    );
    for (const schema of [namespace, `${namespace}.cache`]) {
      await run(`GRANT USAGE ON SCHEMA "${schema}" TO ROLE_NAME`);
      const rights = 'SELECT, INSERT, UPDATE, DELETE';
      await run(`GRANT ${rights} ON ALL TABLES IN SCHEMA "${schema}" TO ROLE_NAME`);
    }
    await using storage = await postgresStorage({ connectionString: url, namespace });
    const bytes = Uint8Array.from({ length: 256 }, (_, byte) => byte);
    await storage.files.write('b.bin', bytes);
    expect((await storage.files.read('a.txt'))?.text).toBe('of the admin');
    expect([...((await storage.files.read('b.bin'))?.data ?? [])]).toEqual([...bytes]);
    expect([...((await admin.files.read('b.bin'))?.data ?? [])]).toEqual([...bytes]);
    const lock = await storage.files.lock('project');
    await expect(admin.files.lock('project', { timeoutMs: 100 })).rejects.toMatchObject({
      code: 'lock-timeout',
    });
    await lock.release();
    const rows = await Promise.all(
      Array.from({ length: 8 }, (_, number) => storage.files.append('log.txt', `${number}\n`)),
    );
    expect(rows).toHaveLength(8);
  });

  it('writes to a text index and searches it with rights on its tables only, or only to read them', async () => {
    const { url, namespace, run } = await newRole();
    await using admin = await postgresStorage({
      connectionString: inject('databaseUrl'),
      namespace,
    });
    await admin.database.execute('CREATE TABLE note (id BIGINT PRIMARY KEY, body TEXT)');
    const options = { name: 'note_text', table: 'note', key: 'id', fields: { body: 1 } };
    await (await createTextIndex(admin.database, options)).rebuild([]);
    for (const schema of [namespace, `${namespace}.cache`]) {
      await run(`GRANT USAGE ON SCHEMA "${schema}" TO ROLE_NAME`);
      const rights = 'SELECT, INSERT, UPDATE, DELETE';
      await run(`GRANT ${rights} ON ALL TABLES IN SCHEMA "${schema}" TO ROLE_NAME`);
    }
    await using storage = await postgresStorage({ connectionString: url, namespace });
    const index = await createTextIndex(storage.database, options);
    for (const [id, body] of ['cat', 'dog', 'cat dog'].entries()) {
      await storage.database.batch([
        { sql: 'INSERT INTO note VALUES (?, ?)', params: [id, body] },
        ...index.put({ id, fields: { body }, isNew: id === 0 }),
      ]);
      const now = { rows: 1, bytes: 1 };
      await settleSegments(storage.database, segmentTables('derived_note_text'), now);
    }
    await storage.database.batch([
      { sql: 'DELETE FROM note WHERE id = 0' },
      ...index.remove(0),
      ...index.put({ id: 1, fields: { body: 'cow' } }),
    ]);
    expect((await index.match('cat cow')).rows).toEqual(
      new Map([
        [1, 2],
        [2, 1],
      ]),
    );
    await run(
      `REVOKE INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA "${namespace}" FROM ROLE_NAME`,
    );
    const reader = await createTextIndex(storage.database, options);
    expect((await reader.match('cow')).rows).toEqual(new Map([[1, 1]]));
    expect(await reader.check()).toEqual({ missing: [], extra: [] });
  });

  it.for(['role', 'owner'])(
    'writes to an index of a former version that it does not own and merges it (opened first by: %s)',
    async (first) => {
      const { url, namespace, run } = await newRole();
      await using admin = await postgresStorage({
        connectionString: inject('databaseUrl'),
        namespace,
      });
      await admin.database.execute('CREATE TABLE note (id BIGINT PRIMARY KEY, body TEXT)');
      const options = { name: 'note_text', table: 'note', key: 'id', fields: { body: 1 } };
      await (await createTextIndex(admin.database, options)).rebuild([]);
      const tables = segmentTables('derived_note_text');
      await admin.database.execute(`DROP TABLE ${tables.merge}`);
      for (const schema of [namespace, `${namespace}.cache`]) {
        await run(`GRANT USAGE ON SCHEMA "${schema}" TO ROLE_NAME`);
        const rights = 'SELECT, INSERT, UPDATE, DELETE';
        await run(`GRANT ${rights} ON ALL TABLES IN SCHEMA "${schema}" TO ROLE_NAME`);
      }
      if (first === 'owner') await createTextIndex(admin.database, options);
      await using storage = await postgresStorage({ connectionString: url, namespace });
      const { database } = storage;
      const index = await createTextIndex(database, options);
      for (let id = 0; id < 12; id++) {
        await database.batch([
          { sql: 'INSERT INTO note VALUES (?, ?)', params: [id, 'cat'] },
          ...index.put({ id, fields: { body: `cat w${id}` }, isNew: true }),
        ]);
        await settleSegments(database, tables, { rows: 1, bytes: 1 }, { segments: 8, bytes: 1 });
      }
      const steps = await database.query(
        `SELECT 1 AS found WHERE has_table_privilege(to_regclass('${tables.merge}'), 'INSERT')`,
      );
      expect(steps).toHaveLength(first === 'owner' ? 1 : 0);
      const count = `SELECT count(*) AS segments FROM ${tables.segment}`;
      expect(await database.query(count)).toEqual([{ segments: 5 }]);
      expect((await index.match('cat')).rows.size).toBe(12);
      await index.optimize();
      expect(await database.query(count)).toEqual([{ segments: 1 }]);
      expect(await index.check()).toEqual({ missing: [], extra: [] });
      await run(
        `REVOKE INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA "${namespace}" FROM ROLE_NAME`,
      );
      expect((await (await createTextIndex(database, options)).match('w3')).rows.size).toBe(1);
    },
  );

  it('is an error where a row is not what a file store writes', async () => {
    const namespace = `damaged_${createId().replaceAll('-', '').slice(0, 12)}`;
    const target = { connectionString: inject('databaseUrl'), namespace };
    await using storage = await postgresStorage(target);
    await storage.files.write('a.txt', 'whole');
    await storage.files.write('b.txt', 'stays');
    await storage.database.execute("UPDATE files_file SET data = 'x' WHERE key = 'a.txt'");
    await storage.database.execute("INSERT INTO files_file VALUES ('../up', 'x', 1, 'v')");
    const reading = storage.files.read('a.txt');
    await expect(reading).rejects.toMatchObject({ code: 'corrupt', context: { key: 'a.txt' } });
    await expect(reading).rejects.toThrow("'a.txt' in the table files_file");
    expect((await storage.files.read('b.txt'))?.text).toBe('stays');
    const keys: string[] = [];
    for await (const { key } of storage.files.list('')) keys.push(key);
    expect(keys.toSorted()).toEqual(['a.txt', 'b.txt']);
  });

  it('needs the right to create schemas, says so without it, and owns what it makes', async () => {
    const { url, namespace, run } = await newRole();
    const opening = postgresStorage({ connectionString: url, namespace });
    await expect(opening).rejects.toThrow(/permission denied for database/);
    await expect(opening).rejects.not.toThrow(/secret/);
    await run(GRANT);
    for (const text of ['first', 'again']) {
      await using storage = await postgresStorage({ connectionString: url, namespace });
      await storage.files.write('a.txt', text);
      await storage.database.migrate('thing', [
        {
          version: 1,
          name: 'x',
          up: async (tx) => void (await tx.execute('CREATE TABLE t (x INT)')),
        },
      ]);
    }
    // It cannot read what others made in the same database.
    const other = await newRole();
    await other.run(GRANT);
    await using storage = await postgresStorage({
      connectionString: other.url,
      namespace: other.namespace,
    });
    const read = storage.database.query(`SELECT data FROM "${namespace}".files_file`);
    await expect(read).rejects.toThrow(/permission denied for schema/);
    const foreign = postgresStorage({ connectionString: other.url, namespace });
    await expect(foreign).rejects.toMatchObject({ name: 'StorageError' });
  });
});
