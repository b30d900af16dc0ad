import type * as NodeFs from 'node:fs';
import { afterAll, expect, test, vi } from 'vitest';

/** The numbers of the folders that exist on a mounted disk. */
const numbers = new Map<string, bigint>();
/** A folder that may not be looked into. */
const closed = '/mnt/q/closed/App';

// Other files have loaded the modules that read folders.
vi.resetModules();
vi.doMock('node:fs', async (original) => {
  const fs = await original<typeof NodeFs>();
  const statSync = (path: string, options: object): unknown => {
    if (path === closed) throw new Error('EACCES');
    const ino = path.startsWith('/mnt/q') ? numbers.get(path) : undefined;
    return ino === undefined ? fs.statSync(path, options) : { dev: 1n, ino };
  };
  return { ...fs, statSync };
});

const { openMemory } = await import('../support/capture/open-memory.ts');
afterAll(() => {
  vi.doUnmock('node:fs');
  vi.resetModules();
});

const [app, other] = ['/mnt/q/App', '/mnt/q/app'];

test.each([
  ['one folder, on a disk of Windows', app, other, [1n, 1n], 2],
  ['two folders, on a disk of Linux', app, other, [1n, 2n], 1],
  ['two folders, of which one exists', app, other, [1n], 1],
  ['two folders, of which one is named as on Windows', app, 'Q:\\app', [1n, 2n], 1],
  ['one folder that is named as on Windows', app, 'Q:\\app', [1n, 1n], 2],
  ['one folder of Windows that is gone', app, 'Q:\\app', [], 2],
])('names that differ in case are %s', async (_, first, second, existing, count) => {
  numbers.clear();
  for (const [at, ino] of existing.entries()) numbers.set([app, other][at] ?? '', ino);
  const store = await openMemory();
  for (const workspace of [first, second]) await store.startSession({ workspace });
  for (const workspace of [first, second]) {
    expect(await store.listSessions({ workspace })).toHaveLength(count);
  }
});

test('a folder that cannot be seen is no error', async () => {
  const store = await openMemory();
  await store.startSession({ workspace: closed });
  expect(await store.listSessions({ workspace: closed })).toHaveLength(1);
});
