import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { localFileStore } from '@vizprompt/providers/node';
import { expect, it, onTestFinished } from 'vitest';
import { openBackend, temporaryFolder } from '../support/search-index.ts';

it('says that another process keeps writing, and writes when it has ended', async () => {
  const folder = temporaryFolder();
  const backend = await openBackend({ folder, lockTimeoutMs: 50 });
  const document = { novelId: '灯台', filePath: '01.md', text: '灯台の鍵' };
  const other = await localFileStore(folder);
  onTestFinished(() => other.close());
  const lock = await other.lock('index');
  await expect(backend.updateFile(document)).rejects.toMatchObject({
    name: 'IndexingError',
    code: 'index-locked',
  });
  await lock.release();
  expect(await backend.updateFile(document)).toMatchObject({ added: 1 });
});

/** Puts something where an index has its locks, and returns its path. */
const IN_THE_WAY: Readonly<Record<string, (folder: string) => string>> = {
  'a link': (folder) => {
    const path = join(folder, '.vizprompt');
    symlinkSync(temporaryFolder(), path);
    return path;
  },
  'a file': (folder) => {
    const path = join(folder, '.vizprompt', 'locks');
    mkdirSync(dirname(path));
    writeFileSync(path, '');
    return path;
  },
};

it.each([
  ['a link', 'outside-root'],
  ['a file', 'io'],
])('writes again when %s in place of its locks is gone', async (name, code) => {
  const folder = temporaryFolder();
  const backend = await openBackend({ folder });
  const blocked = await openBackend({ folder });
  const document = { novelId: '灯台', filePath: '01.md', text: '灯台の鍵' };
  const path = IN_THE_WAY[name]?.(folder) ?? '';
  for (const each of [backend, blocked, backend]) {
    await expect(each.updateFile(document)).rejects.toMatchObject({ name: 'StorageError', code });
  }
  await blocked.close();
  rmSync(path);
  expect(await backend.updateFile(document)).toMatchObject({ added: 1 });
});
