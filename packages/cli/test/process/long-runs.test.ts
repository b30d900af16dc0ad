import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

/**
 * More than an expression takes that notes each character of a run. V8 optimises no expressions in a process that has
 * compiled more than a megabyte of them: the flag does so from the start.
 */
const LENGTH = '4500000';
const CHARACTERS = ' \na-"か';

it('texts that are a run of millions of a character are read where V8 optimises no expressions', async () => {
  const program = fileURLToPath(new URL('../children/read-long-runs.mjs', import.meta.url));
  const flags = ['--no-regexp-optimization', '--import', 'tsx', '-C', 'vizprompt-source'];
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [...flags, program, LENGTH, CHARACTERS],
    { cwd: fileURLToPath(new URL('../..', import.meta.url)) },
  );
  expect(JSON.parse(stdout)).toEqual([]);
});
