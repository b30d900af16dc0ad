import { setTimeout as sleep } from 'node:timers/promises';
import type { WorkflowEngine, WorkflowRun } from '@vizprompt/workflow';
import type { ScriptedModel } from '@vizprompt/providers/testing';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { answering, ask, fileOf, part, questionOf } from '../../../support/engine/flow-parts.ts';
import { Fleet } from '../../../support/dbos/fleet.ts';
import type { RemoteWorker } from '../../../support/dbos/remote-worker.ts';

/** `npm run test:soak` kills more often. */
const ROUNDS = Number(process.env['SOAK_ROUNDS'] ?? 2);
const lease = { leaseMs: 1500, heartbeatMs: 250 };

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

const fleet = new Fleet();
afterAll(() => fleet.stop());
beforeEach(async () => {
  await fleet.leaveAll();
  await fleet.clear();
});

/** Answers at once, but stops before the call of a number until it may continue. */
class Stage {
  readonly model: ScriptedModel;
  #reached: () => void = () => undefined;
  readonly reached: Promise<void>;
  #open: () => void = () => undefined;
  readonly #gate: Promise<void>;

  constructor(stopAt: number) {
    this.reached = new Promise((resolve) => (this.#reached = resolve));
    this.#gate = new Promise((resolve) => (this.#open = resolve));
    this.model = answering(async (_, call) => {
      if (call === stopAt) {
        this.#reached();
        await this.#gate;
      }
      return '話';
    });
  }

  goOn(): void {
    this.#open();
  }
}

interface Show {
  readonly stage: Stage;
  readonly engine: WorkflowEngine;
  readonly workers: readonly RemoteWorker[];
  /** The worker that leads the run, and the other one. */
  readonly leader: RemoteWorker;
  readonly other: RemoteWorker;
  readonly run: WorkflowRun;
}

/** Two workers, of which one has come to a call. */
async function show(stopAt: number): Promise<Show> {
  const stage = new Stage(stopAt);
  const options = { files: FOUR, models: { m: stage.model } };
  const workers = await fleet.workers(2, options, lease);
  const engine = await fleet.engine(options);
  const run = await engine.start('flow', '猫');
  await stage.reached;
  const { leads } = await fleet.leaderOf(run.id);
  const leader = workers.find(({ id }) => id === leads);
  const other = workers.find(({ id }) => id !== leads);
  if (!leader || !other) throw new Error(`nobody leads the run: ${leads}`);
  return { stage, engine, workers, leader, other, run };
}

async function takenOver(engine: WorkflowEngine, run: WorkflowRun): Promise<void> {
  const { output } = await run.result;
  expect(output).toBe('話');
  const { status, steps } = await engine.run(run.id);
  expect(status).toBe('done');
  expect(steps.map(({ path }) => path).toSorted()).toEqual(PATHS);
  const results = await fleet.resultsOf(run.id);
  expect(results).toEqual([{ status: 'done', output: '"話"' }]);
}

describe('a worker that is killed with SIGKILL', () => {
  it.each(ROUNDS > 3 ? [0, 1, 2, 3, 4, 5] : [0, 3])(
    'in call %i: another continues, and repeats no finished step',
    async (stopAt) => {
      const { stage, engine, leader, run } = await show(stopAt);
      // The journal when it dies. The branches of a step are called together.
      await fleet.quiet(run.id);
      const before = await engine.run(run.id);
      const asked = stage.model.calls.length;
      await leader.kill();
      await takenOver(engine, run);
      const after = await engine.run(run.id);
      expect(after.steps).toEqual(expect.arrayContaining([...before.steps]));
      expect(stage.model.calls.length - asked).toBe(PATHS.length - before.steps.length);
    },
  );

  it(
    'at any moment, again and again, ends up with one result',
    { timeout: 60_000 + ROUNDS * 10_000 },
    async () => {
      const model = answering(async () => {
        await sleep(Math.random() * 40);
        return '話';
      });
      const steps = Array.from({ length: 8 }, (_, at) => ({
        ...FOUR.workflows?.['flow']?.steps[1],
        id: `bag${at}`,
      }));
      const options = { files: fileOf([ask('plan', 'user_input'), ...(steps as never[])]) };
      const engine = await fleet.engine(options);
      let workers = await fleet.workers(2, { ...options, models: { m: model } }, lease);
      const run = await engine.start('flow', '猫');
      for (let round = 0; round < ROUNDS; round++) {
        await sleep(Math.random() * 400);
        const { leads } = await fleet.leaderOf(run.id);
        const leader = workers.find(({ id }) => id === leads) ?? workers[0];
        await leader?.kill();
        const [next] = await fleet.workers(1, { ...options, models: { m: model } }, lease);
        workers = [...workers.filter((worker) => worker !== leader), ...(next ? [next] : [])];
      }
      expect((await run.result).output).toBe('話\n\n話\n\n話\n\n話');
      const { steps: done } = await engine.run(run.id);
      expect(done).toHaveLength(33);
      expect(new Set(done.map(({ path }) => path)).size).toBe(33);
      expect(await fleet.resultsOf(run.id)).toHaveLength(1);
    },
  );
});

describe('a worker that hangs', () => {
  it('for longer than its lease: another continues, and there is one result when it comes back', async () => {
    const { stage, engine, leader, other, run } = await show(2);
    const asked = stage.model.calls.length;
    leader.process.kill('SIGSTOP');
    await run.result;
    // Its call is answered as well, now that it is not waited for.
    stage.goOn();
    const lives = leader.id;
    leader.process.kill('SIGCONT');
    await takenOver(engine, run);
    await expect.poll(() => fleet.workerIds()).toHaveLength(2);
    expect(await fleet.workerIds()).not.toContain(lives);
    await takenOver(engine, run);
    expect(stage.model.calls.length).toBeGreaterThanOrEqual(asked);
    // It is a worker like any other again.
    await other.kill();
    expect((await (await engine.start('flow', '犬')).result).output).toBe('話');
  });
});

describe('two workers that live', () => {
  it('share runs, and do no step twice', async () => {
    const model = answering(async (question) => {
      await sleep(5);
      return question.slice(0, 20);
    });
    const options = { files: FOUR, models: { m: model } };
    await fleet.workers(2, options, { ...lease, concurrency: { runs: 5 } });
    const engine = await fleet.engine(options);
    const runs = await Promise.all(
      Array.from({ length: 15 }, (_, at) => engine.start('flow', `run ${at}`)),
    );
    await Promise.all(runs.map(({ result }) => result));
    expect(model.calls).toHaveLength(15 * 6);
    const firsts = model.calls.map(questionOf).filter((question) => /^Q: run \d+$/.test(question));
    expect(new Set(firsts).size).toBe(15);
  });

  it('give their runs to each other when they are closed', async () => {
    const { stage, engine, leader, run } = await show(2);
    await leader.close();
    await takenOver(engine, run);
    expect(stage.model.calls.length).toBeLessThanOrEqual(6 + 4);
  });
});
