import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { openStorage } from '@vizprompt/providers/node';
import { expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../support/subjects.ts';

it.skipIf(process.platform === 'win32')(
  'a store waits for no pipe in the place of a file',
  async () => {
    const { path, remove } = await temporaryFolder();
    onTestFinished(remove);
    mkdirSync(join(path, '.vizprompt'));
    execFileSync('mkfifo', [join(path, '.vizprompt', 'batch.journal'), join(path, 'a.txt')]);
    await expect(openStorage(path)).rejects.toMatchObject({ code: 'outside-root' });
    await using storage = await openStorage(path, { readOnly: true });
    expect(await storage.files.read('a.txt')).toBeNull();
  },
);
