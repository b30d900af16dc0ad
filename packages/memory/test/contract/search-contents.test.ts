import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { expect, it } from 'vitest';
import { MemoryStore, type NewEvent } from '../../src/index.ts';
import { newFolder, openMemory } from '../support/capture/open-memory.ts';

/** Returns the edits of a file, each of what the one before made of it. */
function edits(count: number): NewEvent[] {
  const text = (version: number): string => `kerberos\n\n\n\n\n\n\n\nconst version = ${version};\n`;
  return Array.from({ length: count }, (_, at) => ({
    type: 'file_edit',
    id: `edit ${at}`,
    data: {
      action: 'edit',
      file_path: 'a.ts',
      old_content: text(at),
      new_content: text(at + 1),
      success: true,
    },
  }));
}

async function found(store: MemoryStore): Promise<readonly string[]> {
  return (await store.search('kerberos')).map(({ event }) => event.id);
}

it('what an edit leaves as it was finds the first event of the file, however many come at once', async () => {
  const apart = await openMemory();
  const { id } = await apart.startSession({ workspace: '/home/ann/shop' });
  for (const event of edits(4)) await apart.logMany(id, [event]);
  const together = await openMemory();
  const other = await together.startSession({ workspace: '/home/ann/shop' });
  await together.logMany(other.id, edits(4));
  expect(await found(apart)).toEqual(['edit 0']);
  expect(await found(together)).toEqual(['edit 0']);
});

it('a rebuilt index holds the same words', async () => {
  const path = join(await newFolder(), 'memory.db');
  const store = await MemoryStore.open({ path });
  const { id } = await store.startSession({ workspace: '/home/ann/shop' });
  const text = 'kerberos\n認証 🐈\n';
  await store.logMany(id, [
    ...edits(3),
    { type: 'code_intention', data: { action: 'create', file_path: 'b.ts', reason: 'new' } },
    {
      type: 'file_edit',
      data: { action: 'create', file_path: 'b.ts', new_content: text, success: true },
    },
    // A diff of the caller's own says nothing of the text.
    {
      type: 'file_edit',
      data: {
        action: 'edit',
        file_path: 'c.ts',
        old_content: text,
        new_content: `${text}tickets\n`,
        diff: '@@ -1 +1 @@\n-x\n+y\n',
        success: true,
      },
    },
    {
      type: 'file_edit',
      data: { action: 'delete', file_path: 'b.ts', old_content: text, success: true },
    },
  ]);
  await store.close();
  const before = wordsOf(path);
  expect(before.filter(({ term }) => term === 'tickets')).toHaveLength(1);
  expect(before.filter(({ term }) => term === '認証')).toHaveLength(4);
  const database = new Sqlite(path);
  database.exec(`DELETE FROM derived_text_index WHERE name = 'memory_text'`);
  database.close();
  const again = await MemoryStore.open({ path });
  await again.search('kerberos');
  await again.close();
  expect(wordsOf(path)).toEqual(before);
});

function wordsOf(path: string): readonly { readonly term: string }[] {
  const database = new Sqlite(path);
  try {
    database.exec(
      `CREATE VIRTUAL TABLE temp.words USING fts5vocab('main', 'derived_memory_text', 'instance')`,
    );
    return database.prepare('SELECT * FROM temp.words').all() as { term: string }[];
  } finally {
    database.close();
  }
}
