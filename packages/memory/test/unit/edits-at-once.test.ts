import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newStore, temporaryFolder } from '../support/open-store.ts';

test('edits of one file at the same time are all done', async () => {
  const workspace = await temporaryFolder();
  const path = join(workspace, '名前.txt');
  const names = Array.from({ length: 12 }, (_, index) => `<${index}>`);
  await writeFile(path, names.join('\n'));
  const store = await newStore();
  const { id: session } = await store.startSession({ workspace });

  const edits = await Promise.all(
    names.map((old) =>
      store.editFile({ session, path, edit: { old, new: `${old}😀` }, reason: 'r' }),
    ),
  );

  expect(await readFile(path, 'utf8')).toBe(names.map((name) => `${name}😀`).join('\n'));
  expect(edits.every(({ edit }) => edit.data.success)).toBe(true);
  expect((await store.fileAt(path)).content).toBe(await readFile(path, 'utf8'));
});

test('one that fails does not hold up the next', async () => {
  const workspace = await temporaryFolder();
  await writeFile(join(workspace, 'a'), 'x');
  const store = await newStore();
  const { id: session } = await store.startSession({ workspace });
  const edit = (old: string) =>
    store.editFile({ session, path: 'a', edit: { old, new: 'y' }, reason: 'r' });

  const [failed, done] = await Promise.allSettled([edit('missing'), edit('x')]);

  expect(failed).toMatchObject({ status: 'rejected', reason: { code: 'edit-conflict' } });
  expect(done.status).toBe('fulfilled');
});

test.each([
  ['an edit', { edit: { old: 'x', new: 'y' } }],
  ['a new text', { newContent: 'y' }],
  ['a deletion', { delete: true }],
] as const)('%s of a file that someone else changes meanwhile is a conflict', async (_, change) => {
  const workspace = await temporaryFolder();
  const path = join(workspace, 'a');
  await writeFile(path, 'x');
  const store = await newStore();
  const { id: session } = await store.startSession({ workspace });
  const { writeFileSync } = await import('node:fs');
  // Between the reading, which the intention records, and the writing.
  store.on('event:logged', ({ event }) => {
    if (event.type === 'code_intention') writeFileSync(path, 'x and theirs');
  });

  await expect(store.editFile({ session, path, reason: 'r', ...change })).rejects.toMatchObject({
    code: 'edit-conflict',
  });

  expect(await readFile(path, 'utf8')).toBe('x and theirs');
  expect(await store.pendingIntentions()).toEqual([]);
  const [edit] = (await store.events(session, { type: 'file_edit' }).page()).events;
  expect(edit?.data).toMatchObject({ success: false });
});
