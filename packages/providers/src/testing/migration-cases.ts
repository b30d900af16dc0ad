import assert from 'node:assert/strict';
import type { Database, Migration } from '../storage/database.ts';
import { type ContractCase, rejectsWith } from './contract-suite.ts';

function step(version: number, ...statements: readonly string[]): Migration {
  return {
    version,
    name: `step ${version}`,
    async up(tx) {
      for (const sql of statements) await tx.execute(sql);
    },
  };
}

const first = step(1, 'CREATE TABLE box_item (id BIGINT PRIMARY KEY)');
const second = step(2, 'ALTER TABLE box_item ADD COLUMN label TEXT');

/** The cases of the `Database` contract about migrations. */
export const migrationCases: readonly ContractCase<Database>[] = [
  {
    name: 'applies each migration once, in order, and keeps the rows',
    async run(database) {
      await database.migrate('box', [first]);
      await database.execute('INSERT INTO box_item VALUES (1)');
      await database.migrate('box', [first]);
      await database.migrate('box', [first, second]);
      await database.migrate('box', [first, second]);
      const rows = await database.query('SELECT id, label FROM box_item');
      assert.deepEqual(
        rows.map((row) => ({ ...row })),
        [{ id: 1, label: null }],
      );
    },
  },
  {
    name: 'lets many open and migrate at once',
    async run(database) {
      const all = Array.from({ length: 5 }, () => database.migrate('box', [first, second]));
      await Promise.all(all);
      await database.execute('INSERT INTO box_item VALUES (1, ?)', ['x']);
    },
  },
  {
    name: 'leaves nothing of a migration that fails',
    async run(database) {
      const broken = step(2, 'ALTER TABLE box_item ADD COLUMN label TEXT', 'SELEKT');
      await database.migrate('box', [first]);
      await rejectsWith('sql', database.migrate('box', [first, broken]));
      await rejectsWith('sql', database.query('SELECT label FROM box_item'));
      await database.migrate('box', [first, second]);
      assert.deepEqual(await database.query('SELECT label FROM box_item'), []);
    },
  },
  {
    name: 'refuses a schema that is newer than the package',
    async run(database) {
      await database.migrate('box', [first, second]);
      await rejectsWith('newer-schema', database.migrate('box', [first]));
      await database.migrate('other', [step(1, 'CREATE TABLE other_item (id BIGINT)')]);
    },
  },
  {
    name: 'refuses migrations that do not count up from 1',
    async run(database) {
      await rejectsWith('misuse', database.migrate('box', [second]));
      await rejectsWith('misuse', database.migrate('Box; DROP', [first]));
    },
  },
];
