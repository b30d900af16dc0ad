import { postgresStorage } from '@vizprompt/providers/postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startPostgres, type PostgresServer } from '../support/postgres-server.ts';

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres({ isDurable: false });
});
afterAll(() => server.stop());

describe('a storage on a replica', () => {
  it('reads what the primary wrote, and refuses writes, locks and namespaces that are not there', async () => {
    const target = { connectionString: server.url, namespace: 'replicated' };
    const migrations = [
      {
        version: 1,
        name: 'notes',
        up: async (tx: { execute(sql: string): Promise<unknown> }) =>
          void (await tx.execute('CREATE TABLE note (text TEXT)')),
      },
    ];
    {
      await using primary = await postgresStorage(target);
      await primary.database.migrate('note', migrations);
      await primary.database.execute('INSERT INTO note VALUES (?)', ['猫']);
      await primary.files.write('a.txt', 'a');
    }
    await server.becomeReplica();
    await using storage = await postgresStorage(target);
    const { database, files } = storage;
    await database.migrate('note', migrations);
    expect((await files.read('a.txt'))?.text).toBe('a');
    const rows = await database.transaction((tx) => tx.query('SELECT text FROM note'));
    expect(rows).toEqual([{ text: '猫' }]);
    const writes = [
      () => files.write('a.txt', 'b'),
      () => database.execute('DELETE FROM note'),
      () => database.batch([{ sql: 'DELETE FROM note' }]),
      () => files.lock('project', { timeoutMs: 60_000 }),
    ];
    for (const write of writes) {
      await expect(write()).rejects.toMatchObject({
        code: 'unsupported',
        message: expect.stringContaining('connect to the primary'),
      });
    }
    await expect(postgresStorage({ ...target, namespace: 'elsewhere' })).rejects.toMatchObject({
      code: 'unsupported',
      message: expect.stringContaining('open it once on the primary'),
    });
  });
});
