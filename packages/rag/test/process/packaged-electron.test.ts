// Electron is no dependency, so the process only calls itself one: `fork` would start it with this file once more.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../support/search-index.ts';

const program = join(import.meta.dirname, '../children/index-in-electron.mjs');

it('a packaged Electron app indexes in its own process, with a warning', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [program, temporaryFolder()]);
  expect(JSON.parse(stdout)).toEqual({
    isAlone: true,
    found: 10,
    warnings: [expect.stringMatching(/^VIZPROMPT_IN_PROCESS: .*indexing runs .*utilityProcess/)],
  });
});
