import type { Storage } from '@vizprompt/providers';
import { expect, it } from 'vitest';
import { QueueNotifier } from '../../../src/dbos/queue-notifier.ts';

it('notifies at once, of many runs once, and again of those that were queued meanwhile', async () => {
  const sent: unknown[] = [];
  const query = async (_: string, params: unknown): Promise<never[]> => {
    sent.push(params);
    if (sent.length === 1) throw new Error('away');
    return [];
  };
  const storage = { cache: { query } } as unknown as Storage;
  const notifier = new QueueNotifier(storage, { channel: 'x.workers' });
  notifier.notify();
  expect(sent).toEqual([['x.workers', 'queued']]);
  for (let run = 0; run < 100; run++) notifier.notify();
  await notifier.flush();
  expect(sent).toHaveLength(2);
  await notifier.flush();
  notifier.notify();
  await notifier.flush();
  expect(sent).toHaveLength(3);
});
