import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { installPacked } from '../support/install-packed.ts';
import { runFile } from '../support/run.ts';

const PROGRAM = `import { openStorage } from '@vizprompt/providers/node';

const storage = await openStorage('data');
await storage.files.write('notes/猫.md', 'こんにちは 🐈', { ifVersion: null });
const file = await storage.files.read('notes/猫.md');
console.log(file.text);
await storage.close();
`;

it('a packed package is installed in an empty folder, writes there and reads', async () => {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'smoke-packed-')));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }));
  await installPacked(folder, ['providers']);
  const program = join(folder, 'main.mjs');
  await writeFile(program, PROGRAM);
  const ended = await runFile(program, [], { cwd: folder });
  expect(ended).toEqual({ code: 0, stdout: 'こんにちは 🐈\n', stderr: '' });
});
