import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sqliteDatabase } from '@vizprompt/providers/node';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ownSqlite } from '../support/own-sqlite.ts';

/** A query without an end: a test that runs it does not end either. */
const ENDLESS =
  'WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT COUNT(*) AS x FROM c';

async function fileOf(...statements: readonly string[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'vizprompt-schema-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, 'a.db');
  const database = ownSqlite.open(path);
  for (const sql of ['CREATE TABLE core_node (x)', 'CREATE TABLE mine (x)', ...statements]) {
    database.exec(sql);
  }
  database.close();
  return path;
}

describe('a database of a stranger', () => {
  it.each([
    ['a view in place of a table', 'view', `CREATE VIEW Core_State AS ${ENDLESS}`],
    [
      'a trigger on a table',
      'trigger',
      `CREATE TRIGGER t AFTER INSERT ON CORE_NODE BEGIN ${ENDLESS}; END`,
    ],
    [
      'a view that a text index reads',
      'view',
      `CREATE VIEW evil AS ${ENDLESS}`,
      "CREATE VIRTUAL TABLE derived_core_text USING fts5(x, content='Evil')",
    ],
  ])('with %s is refused', async (_, kind, ...statements) => {
    const path = await fileOf(...statements);
    for (const readOnly of [false, true]) {
      const database = sqliteDatabase({ path, readOnly });
      onTestFinished(() => database.close());
      await expect(database.query('SELECT 1')).rejects.toMatchObject({
        code: 'corrupt',
        message: expect.stringContaining(`has the ${kind} `),
      });
    }
  });

  it('may have views and triggers of the application', async () => {
    const path = await fileOf(
      'CREATE VIEW recent AS SELECT x FROM mine',
      'CREATE TRIGGER t AFTER INSERT ON mine BEGIN DELETE FROM mine WHERE x = 1; END',
    );
    const database = sqliteDatabase({ path });
    onTestFinished(() => database.close());
    await database.execute('INSERT INTO mine VALUES (1), (2)');
    expect(await database.query('SELECT x FROM recent')).toEqual([{ x: 2 }]);
  });
});
