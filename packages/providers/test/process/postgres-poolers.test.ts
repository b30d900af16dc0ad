import { randomBytes } from 'node:crypto';
import { StorageError } from '@vizprompt/providers';
import type { Storage } from '@vizprompt/providers';
import { postgresStorage } from '@vizprompt/providers/postgres';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { kill, nextMessage, startChild } from '../support/children.ts';
import {
  PGBOUNCER,
  startPgBouncer,
  WITHOUT_PGBOUNCER,
  type PgBouncer,
  type PgBouncerOptions,
} from '../support/pgbouncer.ts';
import { dropNamespace } from '../support/subjects.ts';

const poolers: PgBouncer[] = [];
const namespaces: string[] = [];
afterAll(async () => {
  await Promise.all(poolers.map((pooler) => pooler.stop()));
  for (const name of namespaces) await dropNamespace(inject('databaseUrl'), name);
});

async function urlOf(options: PgBouncerOptions): Promise<string> {
  const pooler = await startPgBouncer(inject('databaseUrl'), options);
  poolers.push(pooler);
  return pooler.url;
}

function newNamespace(): string {
  const name = `pooled_${randomBytes(6).toString('hex')}`;
  namespaces.push(name);
  return name;
}

function open(connectionString: string, namespace: string, more = {}): Promise<Storage> {
  return postgresStorage({ connectionString, namespace, ...more });
}

async function failureOf(work: Promise<unknown>): Promise<StorageError> {
  const error: unknown = await work.then(
    () => undefined,
    (failure: unknown) => failure,
  );
  if (StorageError.isInstance(error)) return error;
  throw new Error('expected a StorageError', { cause: error });
}

/** Says in the list of tests why they are skipped. */
const note = PGBOUNCER === undefined ? ` (${WITHOUT_PGBOUNCER})` : '';

describe.skipIf(PGBOUNCER === undefined).each(['session', 'transaction'] as const)(
  `with a pool of %ss${note}`,
  (poolMode) => {
    let url: string;
    beforeAll(async () => {
      url = await urlOf({ poolMode, poolSize: poolMode === 'session' ? 60 : 8 });
    });

    it('keeps namespaces apart while both are busy', async () => {
      await using one = await open(url, newNamespace());
      await using two = await open(url, newNamespace());
      const numbers = Array.from({ length: 40 }, (_, number) => number);
      for (const storage of [one, two]) {
        await storage.database.execute('CREATE TABLE note (text TEXT)');
        await storage.cache.execute('CREATE TABLE cached (text TEXT)');
      }
      const sides = [
        ['one', one],
        ['two', two],
      ] as const;
      await Promise.all(
        sides.flatMap(([name, { database, cache, files }]) =>
          numbers.flatMap((number) => [
            database.execute('INSERT INTO note VALUES (?)', [name]),
            cache.batch([{ sql: 'INSERT INTO cached VALUES (?)', params: [name] }]),
            database.transaction((tx) => tx.execute('INSERT INTO note VALUES (?)', [name])),
            files.write(`${number % 5}.txt`, name),
          ]),
        ),
      );
      for (const [name, { database, cache, files }] of sides) {
        const notes = await database.query('SELECT text, count(*) AS n FROM note GROUP BY text');
        expect(notes).toEqual([{ text: name, n: 80 }]);
        const cached = await cache.query('SELECT text, count(*) AS n FROM cached GROUP BY text');
        expect(cached).toEqual([{ text: name, n: 40 }]);
        expect((await files.read('0.txt'))?.text).toBe(name);
        await expect(cache.query('SELECT * FROM note')).rejects.toMatchObject({ code: 'sql' });
      }
    });

    it('gives a lock to one process at a time, and frees it when its holder is killed', async () => {
      const namespace = newNamespace();
      await using storage = await open(url, namespace);
      const [first, second] = ['hold-postgres-lock', 'hold-postgres-lock'].map((name) =>
        startChild(name, [url, namespace, 'project']),
      );
      if (!first || !second) throw new Error('no children');
      try {
        const holder = await Promise.race([
          nextMessage(first).then(() => first),
          nextMessage(second).then(() => second),
        ]);
        const waiter = holder === first ? second : first;
        const early = await failureOf(storage.files.lock('project', { timeoutMs: 300 }));
        expect(early.code).toBe('lock-timeout');
        const taken = nextMessage(waiter);
        await kill(holder);
        expect(await taken).toBe('held');
        const released = nextMessage(waiter);
        waiter.send('release');
        expect(await released).toBe('released');
        await (await storage.files.lock('project')).release();
      } finally {
        await Promise.all([kill(first), kill(second)]);
      }
    });

    it('never has two holders, and loses no update that a lock guards', async () => {
      const namespace = newNamespace();
      const storages = await Promise.all([1, 2, 3].map(() => open(url, namespace)));
      const [first] = storages;
      await first?.files.write('count.txt', '0');
      const add = async ({ files }: Storage): Promise<void> => {
        for (let round = 0; round < 15; round++) {
          const lock = await files.lock('count', { timeoutMs: 60_000 });
          const count = Number((await files.read('count.txt'))?.text);
          await files.write('count.txt', String(count + 1));
          await lock.release();
        }
      };
      await Promise.all(storages.map(add));
      expect((await first?.files.read('count.txt'))?.text).toBe('45');
      await Promise.all(storages.map((storage) => storage.close()));
    });

    it('notifies the holder that it lost its locks when the connection of the owner ends', async () => {
      await using storage = await open(url, newNamespace());
      const lock = await storage.files.lock('project');
      const other = await storage.files.lock('other');
      const admin = new pg.Client({ connectionString: inject('databaseUrl') });
      await admin.connect();
      const { rows } = await storage.database
        .query<{ owner: string }>('SELECT DISTINCT CAST(owner AS TEXT) AS owner FROM files_lock')
        .then((found) => ({ rows: found }));
      expect(rows).toHaveLength(1);
      await admin.query(
        `SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory'
         AND (classid::bigint << 32 | objid::bigint) = $1`,
        [rows[0]?.owner],
      );
      await admin.end();
      await expect.poll(() => lock.lost.aborted && other.lost.aborted).toBe(true);
      await lock.release();
      await (await storage.files.lock('project', { timeoutMs: 5000 })).release();
    });
  },
);

describe.skipIf(PGBOUNCER === undefined)(`a pooler that cannot serve a storage${note}`, () => {
  it('is refused with a fix when it takes single statements only', async () => {
    const url = await urlOf({ poolMode: 'statement' });
    const error = await failureOf(open(url, newNamespace()));
    expect(error.code).toBe('unsupported');
    expect(error.message).toContain('pool_mode = transaction');
  });

  it('is refused at once when it takes no parameters of the connection string', async () => {
    const url = await urlOf({ poolMode: 'transaction' });
    for (const more of ['options=-c%20geqo%3Doff', 'statement_timeout=5000']) {
      const error = await failureOf(
        open(`${url}?${more}`, newNamespace(), { connectTimeoutMs: 600_000 }),
      );
      expect(error.code).toBe('unsupported');
      expect(error.message).toContain(`parameter: ${more.split('=')[0]}`);
      expect(error.message).toContain('ignore_startup_parameters');
    }
    const loose = await urlOf({
      poolMode: 'transaction',
      settings: ['ignore_startup_parameters = options,statement_timeout'],
    });
    await using storage = await open(`${loose}?options=-c%20search_path%3Dpublic`, newNamespace());
    await storage.files.write('a.txt', 'a');
    expect((await storage.files.read('a.txt'))?.text).toBe('a');
  });

  it('reads and writes through one connection, and refuses a lock, which would keep it', async () => {
    const url = await urlOf({ poolMode: 'transaction', poolSize: 1 });
    const namespace = newNamespace();
    await using storage = await open(url, namespace, { connectTimeoutMs: 2000 });
    await storage.files.write('a.txt', 'a');
    const error = await failureOf(storage.files.lock('project', { timeoutMs: 60_000 }));
    expect(error.code).toBe('connection');
    expect(error.message).toContain('default_pool_size');
    await storage.database.transaction((tx) => tx.query('SELECT 1 AS x'));
    expect((await storage.files.read('a.txt'))?.text).toBe('a');
  });

  it('says that the user does not exist without waiting, as it would for a server', async () => {
    const url = await urlOf({ poolMode: 'transaction' });
    for (const wrong of [url.replace('vizprompt:', 'nobody:'), url.replace('secret', 'wrong')]) {
      const error = await failureOf(open(wrong, 'x', { connectTimeoutMs: 600_000 }));
      expect(error.code).toBe('connection');
      expect(error.message).not.toContain('wrong-password');
    }
  });
});
