import { expect, inject, it } from 'vitest';
import { Program } from '../support/program.ts';

declare module 'vitest' {
  interface ProvidedContext {
    databaseUrl: string;
  }
}

function start(file: string, ...args: readonly string[]): Program {
  return new Program(`team-workflow/${file}`, {
    args,
    env: { DATABASE_URL: inject('databaseUrl') },
  });
}

it('continues with the run of a worker that is killed, and repeats nothing that was finished', async () => {
  const facts = ['--lease', '3', '--chunk-delay', '100'];
  const workers = ['A', 'B'].map((name) => start('worker.ts', name, ...facts));
  await Promise.all(workers.map((worker) => worker.said(/is ready/)));
  const submit = start('submit.ts', '--input', '新しい図書室');
  const led = await Promise.race(
    workers.map(async (worker) => {
      await worker.said(/… reviews#1\/lawyer/);
      return worker;
    }),
  );
  const other = workers.find((worker) => worker !== led);
  const pid = Number((await led.said(/pid (\d+)/))[1]);
  process.kill(pid, 'SIGKILL');

  const [, id = ''] = await submit.said(/run (\S+)/);
  await other?.said(/takes over the run/);
  // While a worker leads it, any process may read the run.
  const watching = start('submit.ts', '--watch', id);
  await other?.said(/ is done/);
  expect(other?.output).toContain('draft#1 is in the journal already');
  expect(other?.output).not.toContain('… draft#1');
  await submit.ended;
  expect(submit.output.trim().split('\n').at(-1)).toMatch(/^広報の書き手より。/);
  for (const watcher of [watching, start('submit.ts', '--watch', id)]) {
    await watcher.said(/✓ draft#1/);
    expect((await watcher.ended).code).toBe(0);
    expect(watcher.output.trim().split('\n').at(-1)).toMatch(/^広報の書き手より。/);
  }
});
