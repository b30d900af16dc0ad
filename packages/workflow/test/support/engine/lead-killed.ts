import { type ChildProcess, fork } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const child = fileURLToPath(new URL('../../children/lead-run.mjs', import.meta.url));

/** The result of a run, and how often its process was killed. */
interface Led {
  readonly output?: unknown;
  readonly code?: string;
  readonly kills: number;
}

/**
 * Leads a run in processes that are killed, each at a random moment, until one comes to its end.
 *
 * @param most - After this many kills the last process is left alone.
 * @param withinMs - A process is killed at most this long after it has begun to lead.
 */
export async function leadKilled(job: object, most: number, withinMs: number): Promise<Led> {
  let kills = 0;
  let hasBegun = false;
  for (;;) {
    const leader = fork(child, [JSON.stringify({ ...job, resume: hasBegun })], {
      silent: true,
      execArgv: [],
    });
    let text = '';
    leader.stdout?.on('data', (piece: Buffer) => (text += piece.toString()));
    await Promise.race([new Promise((resolve) => leader.once('message', resolve)), exitOf(leader)]);
    hasBegun = true;
    if (kills < most) {
      await sleep(Math.random() * withinMs);
      if (leader.kill('SIGKILL')) kills++;
    }
    await exitOf(leader);
    if (text !== '') return { ...(JSON.parse(text) as Omit<Led, 'kills'>), kills };
  }
}

function exitOf(process: ChildProcess): Promise<unknown> {
  if (process.exitCode !== null || process.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => process.once('exit', resolve));
}
