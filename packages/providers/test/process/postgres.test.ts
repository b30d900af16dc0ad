import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf, StorageError } from '@vizprompt/providers';
import { postgresStorage } from '@vizprompt/providers/postgres';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { startPostgres, type PostgresServer } from '../support/postgres-server.ts';
import { dropNamespace, temporaryFolder } from '../support/subjects.ts';

/** A server of its own, which these tests stop and start. */
let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.stop());

describe('a storage on PostgreSQL', () => {
  it('keeps namespaces apart: files, tables and locks', async () => {
    const connectionString = inject('databaseUrl');
    await using one = await postgresStorage({ connectionString, namespace: 'space_one' });
    await using two = await postgresStorage({ connectionString, namespace: 'space_two' });
    await one.files.write('a.txt', 'one');
    await one.database.execute('CREATE TABLE only_here (x BIGINT)');
    await one.cache.execute('CREATE TABLE only_cached (x BIGINT)');
    expect(await two.files.read('a.txt')).toBeNull();
    for (const database of [two.database, two.cache, one.cache]) {
      await expect(database.query('SELECT * FROM only_here')).rejects.toMatchObject({
        code: 'sql',
      });
    }
    await expect(one.database.query('SELECT * FROM only_cached')).rejects.toThrow(/only_cached/);
    const lock = await one.files.lock('project');
    await (await two.files.lock('project', { timeoutMs: 500 })).release();
    await lock.release();
    for (const name of ['space_one', 'space_two']) await dropNamespace(connectionString, name);
  });

  it('continues after the server was restarted, and says which locks it lost', async () => {
    await using storage = await postgresStorage({ connectionString: server.url, namespace: 'r' });
    await storage.files.write('a.txt', 'before');
    const lock = await storage.files.lock('project');
    await server.restart();
    expect((await storage.files.read('a.txt'))?.text).toBe('before');
    await storage.files.write('a.txt', 'after');
    expect((await storage.files.read('a.txt'))?.text).toBe('after');
    await expect.poll(() => lock.lost.aborted).toBe(true);
    await lock.release();
    await (await storage.files.lock('project', { timeoutMs: 3000 })).release();
  });

  it('waits for a server that is on its way up', async () => {
    await using storage = await postgresStorage({ connectionString: server.url, namespace: 'w' });
    const batch = [{ sql: 'CREATE TABLE during (x BIGINT)' }];
    // A statement that the server breaks off is not tried again: it may have been done.
    let created: Promise<unknown> | undefined;
    await server.restart(() => void (created = storage.cache.batch(batch)));
    await created;
    expect(await storage.cache.query('SELECT * FROM during')).toEqual([]);
  });

  it('is opened by many at once', async () => {
    const opened = await Promise.all(
      Array.from({ length: 6 }, () =>
        postgresStorage({ connectionString: server.url, namespace: 'many' }),
      ),
    );
    await Promise.all(opened.map((storage, index) => storage.files.write(`${index}.txt`, 'x')));
    const [first] = opened;
    const keys: string[] = [];
    for await (const { key } of first?.files.list('') ?? []) keys.push(key);
    expect(keys).toHaveLength(6);
    await Promise.all(opened.map((storage) => storage.close()));
  });

  it('says what is wrong with the server, without the password', async () => {
    const wrong = {
      'another password': server.url.replace('secret-password', 'wrong-secret'),
      'another database': server.url.replace('/postgres', '/nowhere'),
      'no server': 'postgres://me:wrong-secret@127.0.0.1:1/x',
    };
    for (const connectionString of Object.values(wrong)) {
      const opening = postgresStorage({ connectionString, namespace: 'x', connectTimeoutMs: 100 });
      const error: unknown = await opening.catch((failure: unknown) => failure);
      if (!StorageError.isInstance(error)) throw error;
      expect(error.code).toBe('connection');
      expect(error.message).toMatch(/PostgreSQL at (localhost|127\.0\.0\.1):\d+\//);
      expect(messageOf(error) + JSON.stringify(error)).not.toMatch(/secret/);
    }
    await expect(
      postgresStorage({ connectionString: server.url, namespace: 'Not OK' }),
    ).rejects.toThrow(/'Not OK' is no valid namespace/);
  });

  it("is backed up by PostgreSQL's own program, or says what is missing", async () => {
    await using storage = await postgresStorage({ connectionString: server.url, namespace: 'b' });
    await storage.database.execute('CREATE TABLE kept (x BIGINT)');
    const folder = await temporaryFolder();
    const path = join(folder.path, 'backup.dump');
    const [row] = await storage.database.query<{ version: number }>(
      "SELECT current_setting('server_version_num')::bigint / 10000 AS version",
    );
    const isPossible = programVersion() >= (row?.version ?? Infinity);
    const failure: unknown = await storage.database.backup(path).catch((error: unknown) => error);
    expect(existsSync(path)).toBe(isPossible);
    expect(isPossible ? '' : messageOf(failure)).toMatch(isPossible ? /^$/ : /pg_dump/);
    expect(messageOf(failure) + JSON.stringify(failure)).not.toMatch(/secret/);
    await folder.remove();
  });
});

/** Returns the major version of the `pg_dump` on this machine, 0 if there is none. */
function programVersion(): number {
  try {
    const text = execFileSync('pg_dump', ['--version'], { encoding: 'utf8' });
    return Number(/(\d+)/.exec(text)?.[1] ?? 0);
  } catch {
    return 0;
  }
}
