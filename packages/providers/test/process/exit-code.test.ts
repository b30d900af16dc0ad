import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

it('of a run of tests next to a PostgreSQL server shows that one has failed', async () => {
  const vitest = dirname(createRequire(import.meta.url).resolve('vitest/package.json'));
  const folder = fileURLToPath(new URL('../fixtures/failing', import.meta.url));
  const child = spawn(process.execPath, [join(vitest, 'vitest.mjs'), 'run', '--root', folder], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, DATABASE_URL: undefined, NO_COLOR: '1' },
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  const [code] = (await once(child, 'close')) as [number | null];
  expect(output).toContain('1 failed');
  expect(code).toBe(1);
});
