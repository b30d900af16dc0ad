import { type ChildProcess, fork } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import Sqlite from 'better-sqlite3';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../../support/engine/open-engine.ts';

const child = fileURLToPath(new URL('../../../children/follow-schedules.mjs', import.meta.url));
/** `npm run test:soak` kills more often. */
const ROUNDS = Number(process.env['SOAK_ROUNDS'] ?? 2);

function exitOf(process: ChildProcess): Promise<unknown> {
  if (process.exitCode !== null || process.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => process.once('exit', resolve));
}

it(
  'two processes that are killed again and again start one run for each time, and finish all of them',
  { timeout: 120_000 + ROUNDS * 15_000 },
  async () => {
    const folder = await temporaryFolder();
    const follow = async (): Promise<ChildProcess> => {
      const process = fork(child, [JSON.stringify({ folder })], { silent: true, execArgv: [] });
      await Promise.race([
        new Promise((resolve) => process.once('message', resolve)),
        exitOf(process),
      ]);
      return process;
    };
    let kills = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const both = [await follow(), await follow()];
      await sleep(600 + Math.random() * 1200);
      for (const one of both) one.kill('SIGKILL');
      await Promise.all(both.map(exitOf));
      kills += both.length;
    }
    const last = await follow();
    await sleep(1500);
    last.send('end');
    await exitOf(last);

    const database = new Sqlite(join(folder, '.vizprompt/database.db'), { readonly: true });
    const runs = database.prepare('SELECT id, status FROM workflow_run ORDER BY id').all();
    const steps = database.prepare('SELECT run_id, path FROM workflow_step').all();
    database.close();
    const times = (runs as { id: string; status: string }[]).map(({ id, status }) => {
      expect([id, status]).toEqual([id, 'done']);
      return Date.parse(id.replace('each@', ''));
    });
    expect(times.length).toBeGreaterThan(ROUNDS);
    // No second is left out, and none has two runs.
    for (const [at, time] of times.entries()) expect(time).toBe((times[0] ?? 0) + at * 1000);
    expect(steps).toHaveLength(times.length * 3);
    const effects = (await readFile(join(folder, 'effects'), 'utf8')).trim().split('\n');
    // Steps that were in progress at a kill run once more, and no others.
    expect(effects.length).toBeGreaterThanOrEqual(times.length * 3);
    expect(effects.length).toBeLessThanOrEqual(times.length * 3 + kills * 4);
  },
);
