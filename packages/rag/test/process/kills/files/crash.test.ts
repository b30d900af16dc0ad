import { mkdirSync, readdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { isOpen, kill, startChild } from '../../../support/children.ts';
import { temporaryFolder } from '../../../support/search-index.ts';
import { FileOperationsService } from '../../../../src/files/file-operations-service.ts';

const ROUNDS = Number(process.env['SOAK_ROUNDS'] ?? 5);

it('a process that is killed while it writes leaves the file whole, old or new', async () => {
  const root = join(temporaryFolder(), 'novels');
  const settings = join(root, '灯台/settings');
  mkdirSync(settings, { recursive: true });
  const files = await FileOperationsService.open({ root });
  await files.writeFile('灯台/settings/a.md', `0\n${'あ'.repeat(50_000)}\n0`);
  for (let round = 0; round < ROUNDS; round++) {
    const child = startChild('write-project-file', [root]);
    let acknowledged = 0;
    child.on('message', (number: number) => (acknowledged = number));
    await isOpen(child);
    await sleep(Math.random() * 150);
    await kill(child);
    const text = await files.readFile('灯台/settings/a.md');
    const [first, filler, last] = text.split('\n');
    expect(filler).toBe('あ'.repeat(50_000));
    expect(last).toBe(first);
    const isRight = [acknowledged, acknowledged + 1].includes(Number(first));
    expect(isRight || acknowledged === 0).toBe(true);
  }
  // Files of dead processes are hidden, and go when they are old.
  expect((await files.listFiles('灯台/settings')).map(({ path }) => path)).toEqual([
    '灯台/settings/a.md',
  ]);
  for (const name of readdirSync(settings)) utimesSync(join(settings, name), 0, 0);
  await files.writeFile('灯台/settings/b.md', 'x');
  expect(readdirSync(settings).toSorted()).toEqual(['a.md', 'b.md']);
});
