import { fork, type ChildProcess } from 'node:child_process';
import { onTestFinished } from 'vitest';
import { fileURLToPath } from 'node:url';

/** Starts a program of `test/children`, which runs the built package as a user would. */
export function startChild(name: string, args: readonly string[]): ChildProcess {
  const path = fileURLToPath(new URL(`../../children/${name}.mjs`, import.meta.url));
  const child = fork(path, args, {
    execArgv: [],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}
