import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { untilAborted } from '../../src/concurrency/until-aborted.ts';

const never = new Promise<never>(() => undefined);

describe('waiting until a signal', () => {
  it('gives what the work gives, or its error, where nothing is aborted', async () => {
    const { signal } = new AbortController();
    for (const given of [undefined, signal]) {
      expect(await untilAborted(Promise.resolve('済'), given)).toBe('済');
      const failing = untilAborted(Promise.reject(new Error('壊れた')), given);
      await expect(failing).rejects.toThrow('壊れた');
    }
  });

  it('ends with the reason of the signal, though the work continues', async () => {
    const controller = new AbortController();
    const waiting = untilAborted(never, controller.signal);
    controller.abort('もう十分');
    await expect(waiting).rejects.toBe('もう十分');
    await expect(untilAborted(Promise.resolve(1), controller.signal)).rejects.toBe('もう十分');
  });

  it('reports no later failure', async () => {
    const controller = new AbortController();
    const late = sleep(1).then(() => Promise.reject(new Error('late')));
    const waiting = untilAborted(late, controller.signal);
    controller.abort();
    await expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
    // A rejection without a handler would end the test run.
    await sleep(10);
  });
});
