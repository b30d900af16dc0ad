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
