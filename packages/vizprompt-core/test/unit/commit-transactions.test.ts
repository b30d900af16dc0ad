import { VizPrompt } from '@vizprompt/core';
import { expect, it, vi } from 'vitest';
import { anyStorage } from '../support/open-project.ts';

it('a new node, its flow and the versions of the maps go into the index in one transaction', async () => {
  await using storage = await anyStorage();
  const { cache } = storage;
  await using vizprompt = await VizPrompt.open({ storage });
  await vizprompt.createNode({ prompt: 'first', response: 'one' });
  const transaction = vi.spyOn(cache, 'transaction');
  const batch = vi.spyOn(cache, 'batch');
  const { id } = await vizprompt.createNode({ prompt: 'apples', response: 'pears' });
  expect(transaction.mock.calls.length + batch.mock.calls.length).toBe(1);
  const hits = await vizprompt.searchNodes({ text: 'apples' });
  expect(hits.map((hit) => hit.id)).toEqual([id]);
});
