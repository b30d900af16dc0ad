import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { Program } from '../support/program.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

it('the quickstart makes a graph, and its process ends', async () => {
  const folder = await temporaryFolder();
  const { code, stdout, stderr } = await new Program('quickstart/main.ts', {
    cwd: folder,
    input: '',
  }).ended;
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toContain('10 nodes are new, 0 were here already.');
  const page = await readFile(join(folder, 'quickstart-data/flow.html'), 'utf8');
  expect(page).toContain('<svg');
});
