import { setImmediate as nextTurn } from 'node:timers/promises';
import { backoffMs, retryWithBackoff, Semaphore } from '@vizprompt/providers/internal';
import { describe, expect, it } from 'vitest';

describe('Semaphore', () => {
  it('lets as many tasks run as it has permits, the others in their order', async () => {
    const semaphore = new Semaphore(2);
    const log: string[] = [];
    const ends = new Map<string, () => void>();
    const all = ['a', 'b', 'c', 'd'].map((name) =>
      semaphore.run(async () => {
        log.push(name);
        await new Promise<void>((end) => ends.set(name, end));
      }),
    );
    await nextTurn();
    expect(log).toEqual(['a', 'b']);
    ends.get('b')?.();
    await nextTurn();
    expect(log).toEqual(['a', 'b', 'c']);
    ends.get('a')?.();
    await nextTurn();
    expect(log).toEqual(['a', 'b', 'c', 'd']);
    for (const end of ends.values()) end();
    await Promise.all(all);
  });

  it('passes over a waiting caller whose signal aborts, and keeps the permit for the next', async () => {
    const semaphore = new Semaphore(1);
    const release = await semaphore.acquire();
    const controller = new AbortController();
    const abandoned = semaphore.acquire(controller.signal);
    const next = semaphore.acquire();
    controller.abort(new Error('not any more'));
    await expect(abandoned).rejects.toThrow('not any more');
    release();
    (await next)();
    await expect(semaphore.acquire(AbortSignal.abort(new Error('late')))).rejects.toThrow('late');
    await expect(semaphore.run(async () => 'free')).resolves.toBe('free');
  });

  it('counts a second release of one permit for nothing', async () => {
    const semaphore = new Semaphore(1);
    const release = await semaphore.acquire();
    release();
    release();
    await semaphore.acquire();
    let isIn = false;
    void semaphore.acquire().then(() => (isIn = true));
    await nextTurn();
    expect(isIn).toBe(false);
  });

  it('releases the permit of a task that throws', async () => {
    const semaphore = new Semaphore(1);
    await expect(semaphore.run(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    await expect(semaphore.run(async () => 1)).resolves.toBe(1);
  });
});

describe('backoffMs', () => {
  it.each([
    [1, { jitter: false }, 500],
    [2, { jitter: false }, 1000],
    [6, { jitter: false }, 8000],
    [2000, { jitter: false }, 8000],
    [3, { jitter: false, baseMs: 10, factor: 3, maxMs: 1000 }, 90],
    [3, { jitter: false, factor: 1 }, 500],
    [2, { random: () => 0.25 }, 250],
    [2, { random: () => 0 }, 0],
  ])('waits after attempt %i with %o for %i ms', (attempt, options, ms) => {
    expect(backoffMs(attempt, options)).toBe(ms);
  });
});

describe('retryWithBackoff', () => {
  const failing =
    (times: number, attempts: number[] = []) =>
    async (attempt: number): Promise<string> => {
      attempts.push(attempt);
      if (attempt <= times) throw new Error(`failure ${attempt}`);
      return 'done';
    };

  it('repeats work until it succeeds, and reports each wait', async () => {
    const waits: number[] = [];
    const reported: unknown[] = [];
    const result = await retryWithBackoff(failing(2), {
      delayMs: (_error, attempt) => attempt * 10,
      onRetry: ({ attempt, delayMs, error }) => reported.push([attempt, delayMs, String(error)]),
      sleep: async (ms) => void waits.push(ms),
    });
    expect(result).toBe('done');
    expect(waits).toEqual([10, 20]);
    expect(reported).toEqual([
      [1, 10, 'Error: failure 1'],
      [2, 20, 'Error: failure 2'],
    ]);
  });

  it('throws the last error when there is no delay for it', async () => {
    const attempts: number[] = [];
    const repeated = retryWithBackoff(failing(9, attempts), {
      delayMs: (_error, attempt) => (attempt < 3 ? 0 : undefined),
    });
    await expect(repeated).rejects.toThrow('failure 3');
    expect(attempts).toEqual([1, 2, 3]);
  });

  it('ends a wait with the reason of the signal', async () => {
    const controller = new AbortController();
    const repeated = retryWithBackoff(failing(9), {
      delayMs: () => 3_600_000,
      signal: controller.signal,
      onRetry: () => queueMicrotask(() => controller.abort(new Error('enough'))),
    });
    await expect(repeated).rejects.toThrow('enough');
  });
});
