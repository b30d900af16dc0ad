import { createId } from '@vizprompt/providers';
import { postgresStorage } from '@vizprompt/providers/postgres';
import pg from 'pg';
import { describe, expect, inject, it } from 'vitest';

/** A role that is no superuser and may make nothing outside of one database. */
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
    // What others made in the same database it cannot read.
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
