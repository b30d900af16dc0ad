import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** Starts a program of `test/children`, which runs the built package as a user would. */
export function startChild(name: string, args: readonly string[]): ChildProcess {
  const path = fileURLToPath(new URL(`../children/${name}.mjs`, import.meta.url));
  return fork(path, args, { execArgv: [], stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
}

/** Returns the next message of a child. */
export async function nextMessage(child: ChildProcess): Promise<unknown> {
  const [message]: unknown[] = await once(child, 'message');
  return message;
}

/** Kills a child as a crash would, and waits until it is gone. */
export async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
}
