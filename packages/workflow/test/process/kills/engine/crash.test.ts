import { execFile, fork, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startFakeLLM } from '@vizprompt/providers/testing';
import Sqlite from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ask, fileOf, part } from '../../../support/engine/flow-parts.ts';
import { temporaryFolder } from '../../../support/engine/open-engine.ts';

const child = fileURLToPath(new URL('../../../children/lead-run.mjs', import.meta.url));
/** `npm run test:soak` kills more often. */
const ROUNDS = Number(process.env['SOAK_ROUNDS'] ?? 2);

/** Four branches between two steps: six calls. */
const FOUR = fileOf([
  ask('plan', 'user_input'),
  {
    id: 'bag',
    type: 'multi_agent_interaction',
    agents_to_run: ['a', 'b', 'c', 'd'].map((id) => part(id, 'plan')),
    aggregate: 'concat',
    output_variable: 'all',
  },
  ask('merge', 'all'),
]);
const PATHS = ['bag#1/a', 'bag#1/b', 'bag#1/c', 'bag#1/d', 'merge#1', 'plan#1'];

interface Job {
  readonly folder: string;
  readonly url: string;
  readonly runId: string;
  readonly files: object;
  readonly resume?: boolean;
  readonly dieAt?: { readonly point: string; readonly number: number };
}

interface Outcome {
  readonly signal: NodeJS.Signals | undefined;
  readonly output: { readonly output?: unknown; readonly code?: string; readonly message?: string };
}

function lead(job: Job): Promise<Outcome> {
  return new Promise((resolve) => {
    execFile(process.execPath, [child, JSON.stringify(job)], (error, stdout) => {
      const signal = error?.signal ?? undefined;
      resolve({ signal, output: stdout === '' ? {} : (JSON.parse(stdout) as Outcome['output']) });
    });
  });
}

interface Rows {
  readonly status: string | undefined;
  readonly steps: readonly { readonly path: string; readonly output: string }[];
}

function rowsOf(folder: string): Rows {
  const database = new Sqlite(join(folder, '.vizprompt/database.db'), { readonly: true });
  try {
    const runs = database.prepare('SELECT status FROM workflow_run').all();
    expect(runs.length).toBeLessThanOrEqual(1);
    return {
      status: (runs[0] as { status: string } | undefined)?.status,
      steps: database
        .prepare('SELECT path, output FROM workflow_step ORDER BY path')
        .all() as Rows['steps'],
    };
  } finally {
    database.close();
  }
}

/** Where it dies: at its ends, and about a step in the middle. */
const POINTS: readonly (readonly [point: string, number: number])[] = [
  ['started', 1],
  ['before-call', 5],
  ['journalled', 3],
  ['answered', 6],
  ['ended', 1],
];
/** Those that `npm run test:soak` tries, too. */
const MORE: typeof POINTS = [
  ...[1, 2, 6].map((number) => ['before-call', number] as const),
  ...[1, 2, 4].map((number) => ['answered', number] as const),
  ...[1, 2, 4, 5, 6].map((number) => ['journalled', number] as const),
];

describe('a process that is killed with SIGKILL', () => {
  it.each(ROUNDS > 3 ? [...POINTS, ...MORE] : POINTS)(
    'at "%s" number %i: no journalled step is done again',
    async (point, number) => {
      await using llm = await startFakeLLM({ answer: '話' });
      const folder = await temporaryFolder();
      const job = { folder, url: llm.url, runId: 'run', files: FOUR };
      const killed = await lead({ ...job, dieAt: { point, number } });
      expect(killed.signal).toBe('SIGKILL');
      const before = rowsOf(folder);
      const askedBefore = llm.requests.length;
      const resumed = await lead({ ...job, resume: true });
      const { code, output } = resumed.output;
      expect(point === 'ended' ? code : output).toBe(point === 'ended' ? 'finished' : '話');
      const after = rowsOf(folder);
      expect(after.status).toBe('done');
      expect(after.steps.map(({ path }) => path)).toEqual(PATHS);
      expect(after.steps).toEqual(expect.arrayContaining([...before.steps]));
      // Each step that was not in the journal is asked for once more, and no other.
      expect(llm.requests.length - askedBefore).toBe(PATHS.length - before.steps.length);
      expect((await lead({ ...job, resume: true })).output).toMatchObject({ code: 'finished' });
    },
  );

  it(
    'at any moment, again and again, ends up with one result',
    { timeout: 60_000 + ROUNDS * 15_000 },
    async () => {
      await using llm = await startFakeLLM({ answer: '短い話です。', chunkDelayMs: 8 });
      const folder = await temporaryFolder();
      const steps = Array.from({ length: 8 }, (_, at) => ({
        ...FOUR.workflows?.['flow']?.steps[1],
        id: `bag${at}`,
      }));
      const files = fileOf([ask('plan', 'user_input'), ...(steps as never[])]);
      const job = { folder, url: llm.url, runId: 'run', files };
      let done: Rows['steps'] = [];
      let hasBegun = false;
      for (let round = 0; round < ROUNDS; round++) {
        const leader = fork(child, [JSON.stringify({ ...job, resume: hasBegun })], {
          silent: true,
          execArgv: [],
        });
        await Promise.race([message(leader, 'leading'), exitOf(leader)]);
        hasBegun = true;
        await sleep(Math.random() * 250);
        leader.kill('SIGKILL');
        await exitOf(leader);
        const rows = rowsOf(folder);
        expect(rows.steps).toEqual(expect.arrayContaining([...done]));
        done = rows.steps;
      }
      const { output } = await lead({ ...job, resume: true });
      expect(output.code === undefined || output.code === 'finished').toBe(true);
      const rows = rowsOf(folder);
      expect([rows.status, rows.steps.length]).toEqual(['done', 33]);
      expect(rows.steps).toEqual(expect.arrayContaining([...done]));
    },
  );
});

describe('two processes', () => {
  it('do not lead one run: the second is refused while the first lives, and continues at once when it is dead', async () => {
    await using llm = await startFakeLLM({ answer: '話', chunkDelayMs: 60_000 });
    const folder = await temporaryFolder();
    const job = { folder, url: llm.url, runId: 'run', files: FOUR };
    const first = fork(child, [JSON.stringify(job)], { silent: true, execArgv: [] });
    onTestFinished(() => void first.kill('SIGKILL'));
    await message(first, 'leading');
    expect((await lead({ ...job, resume: true })).output).toMatchObject({ code: 'conflict' });
    first.kill('SIGKILL');
    await exitOf(first);
    await using quick = await startFakeLLM({ answer: '速い' });
    expect((await lead({ ...job, url: quick.url, resume: true })).output).toEqual({
      output: '速い',
    });
  });
});

function exitOf(process: ChildProcess): Promise<unknown> {
  if (process.exitCode !== null || process.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => process.once('exit', resolve));
}

function message(from: ChildProcess, wanted: string): Promise<void> {
  return new Promise((resolve) => {
    from.on('message', (got) => {
      if (got === wanted) resolve();
    });
  });
}
