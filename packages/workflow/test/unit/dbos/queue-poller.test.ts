import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { QueuePoller } from '../../../src/dbos/claim-queue.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A poller, and when it polled. */
function poller(work: () => Promise<unknown> = async () => undefined): {
  readonly poller: QueuePoller;
  readonly times: readonly number[];
} {
  const start = performance.now();
  const times: number[] = [];
  const poll = (): Promise<unknown> => {
    times.push(Math.round(performance.now() - start));
    return work();
  };
  return { poller: new QueuePoller({ poll, pollMs: 100 }), times };
}

it('polls at once when it is woken, then less and less often, and at last not at all', async () => {
  const { poller: one, times } = poller();
  await vi.advanceTimersByTimeAsync(5000);
  expect(times).toEqual([]);
  one.wake();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(times.map((at) => at - 5000)).toEqual([0, 100, 300, 700, 1500, 3100]);
});

it('polls once for many notifications, and never more often than it may', async () => {
  const { poller: one, times } = poller();
  for (let at = 0; at < 950; at++) {
    one.wake();
    await vi.advanceTimersByTimeAsync(1);
  }
  expect(times).toEqual([0, 100, 200, 300, 400, 500, 600, 700, 800, 900]);
});

it('polls again for a run that was queued while it polled', async () => {
  let end: () => void = () => undefined;
  const { poller: one, times } = poller(() => new Promise<void>((resolve) => (end = resolve)));
  one.wake();
  await vi.advanceTimersByTimeAsync(150);
  one.wake();
  await vi.advanceTimersByTimeAsync(150);
  expect(times).toEqual([0]);
  expect(vi.getTimerCount()).toBe(0);
  end();
  await vi.advanceTimersByTimeAsync(1);
  expect(times).toEqual([0, 300]);
});

it('continues after a poll that failed, and ends when it is closed', async () => {
  const { poller: one, times } = poller(() => Promise.reject(new Error('away')));
  one.wake();
  await vi.advanceTimersByTimeAsync(150);
  expect(times).toEqual([0, 100]);
  await one.close();
  one.wake();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(times).toEqual([0, 100]);
});

it('is closed when its poll in progress has ended', async () => {
  let end: () => void = () => undefined;
  const { poller: one, times } = poller(() => new Promise<void>((resolve) => (end = resolve)));
  one.wake();
  await vi.advanceTimersByTimeAsync(50);
  one.wake();
  let isClosed = false;
  const closing = one.close().then(() => (isClosed = true));
  await vi.advanceTimersByTimeAsync(1000);
  expect(isClosed).toBe(false);
  end();
  await closing;
  await vi.advanceTimersByTimeAsync(10_000);
  expect(times).toEqual([0]);
});
