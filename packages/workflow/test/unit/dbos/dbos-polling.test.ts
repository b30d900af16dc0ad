import { DBOSExecutor } from '@dbos-inc/dbos-sdk/internal/dbos-executor';
import { wfQueueRunner } from '@dbos-inc/dbos-sdk/internal/wfqueue';
import { expect, it, onTestFinished, vi } from 'vitest';
import { dbosPolling } from '../../../src/dbos/dbos-process.ts';

it('finds the parts of the installed DBOS by which it polls less often', async () => {
  // In another version workers continue, and look into an empty queue ten times a second.
  expect(await dbosPolling()).toBeTypeOf('function');
});

it('polls a queue once at a time, together with DBOS, and other queues meanwhile', async () => {
  const course: string[] = [];
  const ends: (() => void)[] = [];
  const runner: object = Object.getPrototypeOf(wfQueueRunner);
  const queue = (name: string): object => ({ name, minPollingIntervalMs: 1000 });
  const states: ReadonlyMap<string, object> = new Map([['runs', { queue: queue('runs') }]]);
  const own = {
    refreshDbQueues: async (): Promise<void> => undefined,
    pollQueue: async (_: unknown, { name }: { readonly name: string }): Promise<void> => {
      course.push(name);
      await new Promise<void>((resolve) => ends.push(resolve));
      course.push(`end of ${name}`);
    },
  };
  for (const [on, name, value] of [
    [runner, 'refreshDbQueues', own.refreshDbQueues],
    [runner, 'pollQueue', own.pollQueue],
    [wfQueueRunner, 'states', states],
    [DBOSExecutor, 'globalInstance', {}],
  ] as const) {
    const before: unknown = Reflect.get(on, name);
    Reflect.set(on, name, value);
    onTestFinished(() => void Reflect.set(on, name, before));
  }
  const polling = await (await dbosPolling())?.('runs');
  if (!polling) throw new Error('DBOS has other parts');
  const ofDbos = (name: string): Promise<unknown> =>
    Reflect.apply(Reflect.get(wfQueueRunner, 'pollQueue'), wfQueueRunner, [{}, queue(name)]);
  const all = [ofDbos('runs'), polling.poll(), ofDbos('other'), polling.poll()];
  for (let at = 0; at < all.length; at++) {
    await vi.waitFor(() => expect(ends).toHaveLength(at < 2 ? 2 : at + 1));
    ends[at]?.();
  }
  await Promise.all(all);
  expect(course.filter((one) => one.endsWith('runs'))).toEqual([
    'runs',
    'end of runs',
    'runs',
    'end of runs',
    'runs',
    'end of runs',
  ]);
  expect(course.slice(0, 2)).toEqual(['runs', 'other']);
  polling.restore();
  expect(Object.hasOwn(wfQueueRunner, 'pollQueue')).toBe(false);
});
