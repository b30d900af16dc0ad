import { copyStorage, type Migration, type Storage } from '@vizprompt/providers';
import { createTextIndex } from '@vizprompt/providers/text';
import { describe, expect, it } from 'vitest';
import { storageKinds } from '../support/subjects.ts';

const migrations: readonly Migration[] = [
  {
    version: 1,
    name: 'items that refer to each other, in any order',
    async up(tx, dialect) {
      const id = dialect === 'sqlite' ? 'INTEGER PRIMARY KEY' : 'BIGSERIAL PRIMARY KEY';
      await tx.execute(
        `CREATE TABLE item (id ${id}, body TEXT, parent BIGINT REFERENCES item (id))`,
      );
      await tx.execute(
        'CREATE TABLE box (name TEXT PRIMARY KEY, item BIGINT REFERENCES item (id))',
      );
    },
  },
];
const components = [{ name: 'item', migrations }];

async function fill(storage: Storage): Promise<void> {
  await storage.files.write('nodes/00/00.xml', '<node>日本語</node>');
  await storage.files.write('bytes.bin', Uint8Array.of(0, 255, 10, 13));
  await storage.database.migrate('item', migrations);
  const index = await openIndex(storage);
  await index.rebuild([]);
  await storage.database.transaction(async (tx) => {
    for (let id = 1; id <= 1200; id++) {
      await tx.execute('INSERT INTO item (id, body) VALUES (?, ?)', [id, `本文 ${id}`]);
    }
    await tx.execute('UPDATE item SET parent = 1200 WHERE id < 1200');
    await tx.execute("INSERT INTO box VALUES ('箱', 7)");
  });
}

function openIndex(storage: Storage): ReturnType<typeof createTextIndex> {
  const options = { name: 'item_text', table: 'item', key: 'id', fields: { body: 1 } };
  return createTextIndex(storage.database, options);
}

describe('copyStorage', () => {
  // Each kind once on either side, and both dialects into each other.
  it.each([
    ['files and SQLite', 'PostgreSQL'],
    ['PostgreSQL', 'in memory'],
    ['in memory', 'files and SQLite'],
    ['PostgreSQL', 'PostgreSQL'],
  ])('copies everything from %s to %s', async (fromKind, toKind) => {
    const [from, to] = await Promise.all([storageKinds[fromKind]?.(), storageKinds[toKind]?.()]);
    if (!from || !to) throw new Error('no such storage');
    await fill(from.storage);

    const progress: unknown[] = [];
    const report = await copyStorage(from.storage, to.storage, {
      components,
      onProgress: (step) => progress.push(step),
    });
    expect(report).toEqual({ files: 2, rows: 1201 });
    expect(progress.at(-1)).toEqual(report);
    expect((await to.storage.files.read('nodes/00/00.xml'))?.text).toBe('<node>日本語</node>');
    const bytes = (await to.storage.files.read('bytes.bin'))?.data ?? [];
    expect([...bytes]).toEqual([0, 255, 10, 13]);
    const sql = 'SELECT id, body, parent FROM item ORDER BY id';
    expect(await to.storage.database.query(sql)).toEqual(await from.storage.database.query(sql));
    expect(await to.storage.database.query('SELECT name, item FROM box')).toEqual([
      { name: '箱', item: 7 },
    ]);

    // Derived data is rebuilt; counters continue counting; references are checked again.
    expect((await openIndex(to.storage)).isStale).toBe(true);
    const [row] = await to.storage.database.query<{ id: number }>(
      "INSERT INTO item (body) VALUES ('new') RETURNING id",
    );
    expect(row?.id).toBe(1201);
    await expect(
      to.storage.database.execute("INSERT INTO box VALUES ('x', 99999)"),
    ).rejects.toMatchObject({ code: 'constraint' });
    await Promise.all([from.close(), to.close()]);
  });

  it('copies no row when a table is unknown at the target or holds rows there', async () => {
    const [from, to] = await Promise.all([
      storageKinds['in memory']?.(),
      storageKinds['in memory']?.(),
    ]);
    if (!from || !to) throw new Error('no such storage');
    await fill(from.storage);
    await expect(copyStorage(from.storage, to.storage)).rejects.toThrow(
      /table 'box' belongs to no component/,
    );
    await to.storage.database.migrate('item', migrations);
    await to.storage.database.execute("INSERT INTO item VALUES (1, 'here', NULL)");
    await expect(copyStorage(from.storage, to.storage, { components })).rejects.toMatchObject({
      code: 'conflict',
    });
    expect(await to.storage.database.query('SELECT id FROM item')).toEqual([{ id: 1 }]);
    expect(await to.storage.database.query('SELECT name FROM box')).toEqual([]);
    await Promise.all([from.close(), to.close()]);
  });
});
