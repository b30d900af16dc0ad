import { langGraphSaver } from '@vizprompt/providers/langgraph';
import { expect, it, vi } from 'vitest';
import { inMemory } from '../../support/subjects.ts';

// The functions that order writes came with version 1.2 of the package.
vi.mock('@langchain/langgraph-checkpoint', async (original) => {
  const names = ['writesSortKey', 'compareWritesSortKeys'];
  const all = Object.entries(await original<object>());
  return Object.fromEntries(all.filter(([name]) => !names.includes(name)));
});

it('gives writes in the order of their paths, tasks and places, with older packages, too', async () => {
  const { storage } = await inMemory();
  const saver = await langGraphSaver(storage.database);
  const checkpoint = {
    v: 4,
    id: '1f000000-0000-6000-8000-000000000000',
    ts: '2026-01-01T00:00:00.000Z',
    channel_values: {},
    channel_versions: {},
    versions_seen: {},
  };
  const metadata = { source: 'input', step: -1, parents: {} } as const;
  const config = await saver.put({ configurable: { thread_id: 't' } }, checkpoint, metadata, {});
  await saver.putWrites(
    config,
    [
      ['a', 1],
      ['a', 2],
    ],
    'task 2',
    '~b',
  );
  await saver.putWrites(config, [['a', 3]], '😀', '~a');
  await saver.putWrites(config, [['a', 4]], '\uffff', '~a');
  await saver.putWrites(config, [['a', 5]], 'task 9');
  const tuple = await saver.getTuple(config);
  expect(tuple?.pendingWrites?.map(([, , value]) => value)).toEqual([5, 4, 3, 1, 2]);
});
