import { spawn } from 'node:child_process';

/** Returns the milliseconds from the start of a process of Node to its end, in an environment with a home folder alone. */
export async function timed(
  home: string,
  args: readonly string[],
  input: string = '',
): Promise<number> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, [...args], {
    cwd: home,
    env: { PATH: process.env['PATH'] ?? '', HOME: home },
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const code = await new Promise((done) => child.once('close', done));
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${String(code)}`);
  return performance.now() - startedAt;
}
