import { expect } from 'vitest';
import { VizPrompt } from '@vizprompt/core';
import { inMemoryStorage } from '@vizprompt/providers/node';
import { ModelThread, type ThreadStep } from './random-threads.ts';

/**
 * Makes the same changes in a thread and in the simplest tree, and compares them, also as they are read from the files
 * again.
 *
 * @param isAtOnce - True if all changes are one edit, and not one each.
 */
export async function checkThread(steps: readonly ThreadStep[], isAtOnce: boolean): Promise<void> {
  const storage = await inMemoryStorage();
  const vizprompt = await VizPrompt.open({ storage });
  const { id } = await vizprompt.createFlow({ name: 'thread' });
  const model = new ModelThread();
  const changes = steps.flatMap((step) => model.apply(step) ?? []);
  if (isAtOnce) await vizprompt.editThread({ id }, changes);
  else for (const change of changes) await vizprompt.editThread({ id }, [change]);
  const { headId, messages } = await vizprompt.readThread({ id });
  expect(messages).toEqual(model.expected().messages);
  expect(headId).toBe(model.headId);
  expect((await vizprompt.check()).findings).toEqual([]);
  await vizprompt.close();
  const again = await VizPrompt.open({ storage });
  const read = await again.readThread({ id });
  expect(read).toMatchObject(model.expected());
  await again.close();
  await storage.close();
}
