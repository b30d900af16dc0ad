import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, it } from 'vitest';
import { Fleet } from '../../support/dbos/fleet.ts';
import { answering, ask, fileOf } from '../../support/engine/flow-parts.ts';

const fleet = new Fleet();
afterAll(() => fleet.stop());

it('a run whose steps an earlier version left in DBOS continues, and repeats none of them', async () => {
  const asked: string[] = [];
  const model = answering(async (question, call) => {
    asked.push(question);
    if (call === 1) await new Promise(() => undefined);
    return `${question}!`;
  });
  const options = {
    files: fileOf([ask('one', 'user_input'), ask('two', 'one'), ask('three', 'two')]),
    models: { m: model },
  };
  const lease = { leaseMs: 1000, heartbeatMs: 200 };
  const [first] = await fleet.workers(1, options, lease);
  const engine = await fleet.engine(options);
  const run = await engine.start('flow', '猫');
  while (asked.length < 2) await sleep(5);
  await first?.kill();
  expect(await fleet.moveStepsToDbos(run.id)).toBe(1);
  expect((await engine.run(run.id)).steps.map(({ path }) => path)).toEqual(['one#1']);
  await fleet.workers(1, options, lease);
  expect((await run.result).output).toBe('Q: Q: Q: 猫!!!');
  expect(asked.filter((question) => question === 'Q: 猫')).toHaveLength(1);
  const { steps } = await engine.run(run.id);
  expect(steps.map(({ path }) => path)).toEqual(['one#1', 'two#1', 'three#1']);
});
