import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lint, WorkflowEngine } from '@vizprompt/workflow';
import { expect, it, onTestFinished } from 'vitest';

it('aliases that multiply are a mistake with its place, and take no memory', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'vizprompt-aliases-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const names = Array.from('abcdefghi');
  const lines = names.map((name, at) => {
    const items = Array(9).fill(at === 0 ? 'x' : `*${names[at - 1] ?? ''}`);
    return `${name}: &${name} [${items.join(', ')}]`;
  });
  const file = join(folder, 'flows.yaml');
  await writeFile(file, `${lines.join('\n')}\nworkflows: *i\n`);
  const before = process.memoryUsage().rss;
  expect(await lint(file)).toMatchObject([{ code: 'syntax', line: 2, column: 8 }]);
  await expect(WorkflowEngine.open({ files: file })).rejects.toThrow(/flows\.yaml:2:8/);
  expect(process.memoryUsage().rss - before).toBeLessThan(200_000_000);
});
