import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect, inject, it, onTestFinished } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    databaseUrl: string;
  }
}

// Within the process: a process of its own around it would leave the program behind when it is killed.
const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;

/** A program of the example, and what it has said. */
class Program {
  readonly child: ChildProcess;
  output = '';

  constructor(file: string, ...args: readonly string[]) {
    const path = fileURLToPath(new URL(`../team-workflow/${file}`, import.meta.url));
    const env = { ...process.env, DATABASE_URL: inject('databaseUrl') };
    this.child = spawn(process.execPath, ['--import', tsx, path, ...args], { env });
    for (const stream of [this.child.stdout, this.child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => (this.output += text));
    }
    onTestFinished(() => void this.child.kill('SIGKILL'));
  }

  async said(pattern: RegExp): Promise<RegExpExecArray> {
    for (;;) {
      const found = pattern.exec(this.output);
      if (found) return found;
      if (this.child.exitCode !== null) throw new Error(`it ended:\n${this.output}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

it('goes on with the run of a worker that is killed, and repeats nothing that was finished', async () => {
  const facts = ['--lease', '3', '--chunk-delay', '100'];
  const workers = ['A', 'B'].map((name) => new Program('worker.ts', name, ...facts));
  await Promise.all(workers.map((worker) => worker.said(/is ready/)));
  const submit = new Program('submit.ts', '--input', '新しい図書室');
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
  // While a worker leads it, anybody may look at the run.
  const watching = new Program('submit.ts', '--watch', id);
  await other?.said(/ is done/);
  expect(other?.output).toContain('draft#1 is in the journal already');
  expect(other?.output).not.toContain('… draft#1');
  if (submit.child.exitCode === null) await once(submit.child, 'exit');
  expect(submit.output.trim().split('\n').at(-1)).toMatch(/^広報の書き手より。/);
  for (const watcher of [watching, new Program('submit.ts', '--watch', id)]) {
    await watcher.said(/✓ draft#1/);
    if (watcher.child.exitCode === null) await once(watcher.child, 'exit');
    expect(watcher.output.trim().split('\n').at(-1)).toMatch(/^広報の書き手より。/);
    expect(watcher.child.exitCode).toBe(0);
  }
}, 120_000);
