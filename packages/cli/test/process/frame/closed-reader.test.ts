import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { placeWithSession } from '../../support/open-place.ts';
import { binOf } from '../../support/run.ts';

const run = promisify(execFile);

it('a command ends without a word when its reader has had enough', async () => {
  const { place } = await placeWithSession();
  await using _ = place;
  for (const message of ['一', '二', '三']) await place.run('ptta', ['log:user', message]);
  const command = `"${process.execPath}" "${binOf('ptta')}" history; echo "code $?" >&2`;
  const { stdout, stderr } = await run('bash', ['-c', `{ ${command}; } | head -n 1`], {
    cwd: place.cwd,
    env: { PATH: process.env['PATH'] ?? '', HOME: place.home },
  });
  expect(stdout).toMatch(/^#1 /);
  expect(stderr).toBe('code 0\n');
});
