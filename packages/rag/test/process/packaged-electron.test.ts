// Electron is no dependency, so the process only calls itself one: `fork` would start it with this file once more.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../support/search-index.ts';

const program = join(import.meta.dirname, '../children/index-in-electron.mjs');

it.each([
  ['browser', [expect.stringMatching(/^VIZPROMPT_IN_PROCESS: .*indexing runs .*utilityProcess/)]],
  ['utility', []],
])('a %s process of a packaged Electron app indexes alone', async (type, warnings) => {
  const args = [program, temporaryFolder(), type];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  expect(JSON.parse(stdout)).toEqual({
    isAlone: true,
    found: 10,
    warnings,
  });
});
