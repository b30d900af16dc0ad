import { readdir } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { readOnly, runBound } from '../../support/without-write.ts';
import { testProject } from '../../support/project.ts';

describe.skipIf(process.platform === 'win32')('a project that cannot be written', () => {
  it('is read, and a command that would change it says so', async () => {
    const project = await testProject();
    const { cwd } = project.place;
    const { id } = await project.node('質問 😀', '回答');
    using _ = readOnly(cwd);
    const run = (args: readonly string[]) =>
      runBound('vizprompt', args, { cwd, env: { HOME: cwd } });
    const before = await readdir(cwd, { recursive: true });

    for (const [args, text] of [
      [['flow', 'list'], '1 node'],
      [['flow', 'show'], '質問 😀'],
      [['get-node', '1'], '回答'],
      [['search', '質問'], id],
      [['context', '--prompt', '続き'], '質問'],
      [['export', '--format', 'markdown'], '回答'],
      [['check'], 'nothing is wrong'],
    ] as const) {
      const read = run(args);
      expect([read.stderr, read.status]).toEqual(['', 0]);
      expect(read.stdout).toContain(text);
    }
    for (const args of [['create-node', '--prompt', 'x'], ['delete-node', '1'], ['build']]) {
      const written = run(args);
      expect(written.stderr).toContain(`cannot be written: ${cwd}`);
      expect([written.status, written.stdout]).toEqual([1, '']);
    }
    expect(await readdir(cwd, { recursive: true })).toEqual(before);
  });
});
