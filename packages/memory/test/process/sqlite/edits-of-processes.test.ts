import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newStore, temporaryFolder } from '../../support/open-store.ts';
import { startChild } from '../../support/sqlite/start-children.ts';

const PROCESSES = 3;
const EDITS = 12;

test('edits of one file by several processes all land', async () => {
  const workspace = await temporaryFolder();
  const database = join(await temporaryFolder(), 'memory.db');
  const file = join(workspace, '名前.txt');
  await writeFile(file, 'end');
  const store = await newStore({ path: database });
  const { id } = await store.startSession({ workspace });

  const children = Array.from({ length: PROCESSES }, () =>
    startChild('edit-file', [database, id, file, String(EDITS)]),
  );
  const ends = await Promise.all(children.map((child) => once(child, 'exit')));

  expect(ends).toEqual(children.map(() => [0, null]));
  const lines = (await readFile(file, 'utf8')).split('\n');
  const wanted = children.flatMap(({ pid }) =>
    Array.from({ length: EDITS }, (_, at) => `${pid}:${at + 1}`),
  );
  expect(lines.toSorted()).toEqual([...wanted, 'end'].toSorted());
  expect((await store.fileAt(file)).content).toBe(lines.join('\n'));
  expect(await store.fileHistory(file, { limit: 1000 })).toHaveLength(wanted.length);
});
