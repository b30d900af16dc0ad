import { randomBytes } from 'node:crypto';
import { postgresStorage } from '@vizprompt/providers/postgres';
import type { Storage } from '@vizprompt/providers';
import pg from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { dropNamespace } from '../../../providers/test/support/subjects.ts';
import { SqlBackend } from '../../src/backends/sql-backend.ts';
import { sqlTables, tablesOfSpaces } from '../../src/sql/sql-tables.ts';
import { paragraphs, scriptAnalyzer } from '../support/search-index.ts';
import { serverUrl } from '../support/sql-database.ts';

const parts = { analyzer: scriptAnalyzer(), chunking: paragraphs };
const tables = sqlTables('chunks');
const document = { novelId: '灯台', filePath: 'a.md', text: '灯台の朝\n\n嵐の夜' };

interface Namespace {
  readonly namespace: string;
  readonly storage: Storage;
  /** Runs a statement as the administrator of the server. */
  run(sql: string): Promise<void>;
}

async function freshNamespace(): Promise<Namespace> {
  const connectionString = serverUrl();
  const namespace = `test_${randomBytes(6).toString('hex')}`;
  onTestFinished(() => dropNamespace(connectionString, namespace));
  const storage = await postgresStorage({ connectionString, namespace });
  onTestFinished(() => storage.close());
  const run = async (sql: string): Promise<void> => {
    const client = new pg.Client({ connectionString });
    await client.connect();
    try {
      await client.query(`SET search_path = "${namespace}"`);
      await client.query(sql);
    } finally {
      await client.end();
    }
  };
  return { namespace, storage, run };
}

it('row level security leaves a tenant its own space, and nothing of another one', async () => {
  const { namespace, storage, run } = await freshNamespace();
  for (const space of ['一', '二']) {
    await using backend = await SqlBackend.open({ ...parts, database: storage.database, space });
    await backend.updateFile({ ...document, text: `${document.text}${space}` });
  }
  const [row] = await storage.database.query<{ id: number }>(
    `SELECT id FROM ${tables.space} WHERE name = ?`,
    ['二'],
  );
  const role = `tenant_${randomBytes(6).toString('hex')}`;
  await run(`CREATE ROLE ${role} LOGIN NOSUPERUSER PASSWORD 'secret'`);
  onTestFinished(() => run(`DROP OWNED BY ${role}; DROP ROLE ${role}`));
  await run(`ALTER ROLE ${role} SET app.space = ${row?.id}`);
  for (const schema of [namespace, `${namespace}.cache`]) {
    await run(`GRANT USAGE ON SCHEMA "${schema}" TO ${role}`);
    await run(
      `GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA "${schema}" TO ${role}`,
    );
  }
  for (const [table, column] of [
    ...tablesOfSpaces(tables).map((name) => [name, 'space'] as const),
    [tables.space, 'id'] as const,
  ]) {
    await run(`ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY`);
    await run(
      `CREATE POLICY own_space ON ${table} USING (${column} = current_setting('app.space')::int)`,
    );
  }
  const login = { username: role, password: 'secret' };
  const url = Object.assign(new URL(serverUrl()), login).href;
  await using tenant = await postgresStorage({ connectionString: url, namespace });
  const { database } = tenant;
  await using backend = await SqlBackend.open({ ...parts, database, space: '二' });
  await backend.updateFile({ ...document, filePath: 'b.md', text: '凪の海' });
  expect((await backend.search('嵐')).total).toBe(1);
  expect((await backend.search('凪')).total).toBe(1);
  const seen = new Set<number>();
  for (const table of tablesOfSpaces(tables)) {
    const rows = await database.query<{ space: number }>(`SELECT DISTINCT space FROM ${table}`);
    for (const { space } of rows) seen.add(space);
  }
  expect([...seen]).toEqual([row?.id]);
  await expect(SqlBackend.open({ ...parts, database, space: '一' })).rejects.toThrow(
    /row-level security/,
  );
});

it('tables that an administrator has made as partitions are used as they are', async () => {
  const { storage, run } = await freshNamespace();
  await run(
    `CREATE TABLE chunks_text (
       space INTEGER NOT NULL, chunk INTEGER NOT NULL, data BYTEA NOT NULL,
       PRIMARY KEY (space, chunk)
     ) PARTITION BY HASH (space)`,
  );
  for (const part of [0, 1]) {
    await run(
      `CREATE TABLE chunks_text_${part} PARTITION OF chunks_text
       FOR VALUES WITH (MODULUS 2, REMAINDER ${part})`,
    );
  }
  for (const space of ['一', '二', '三']) {
    await using backend = await SqlBackend.open({ ...parts, database: storage.database, space });
    await backend.updateFile(document);
    expect((await backend.search('"嵐の夜"')).total).toBe(1);
  }
  const [row] = await storage.database.query<{ rows: number }>(
    'SELECT sum(n) AS rows FROM chunks_text',
  );
  expect(row?.rows).toBe(6);
});
