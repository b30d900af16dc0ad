import { StorageError } from '@vizprompt/providers';
import { expect, it } from 'vitest';
import { DefinitionCache } from '../../../src/dbos/definition-cache.ts';

it('reads a definition once, and gives no life of a worker the failure of an earlier one', async () => {
  const definition = {} as never;
  let reads = 0;
  const away = async (): Promise<never> => {
    reads++;
    throw new StorageError('connection', 'away');
  };
  const before = new DefinitionCache({ definition: away }, () => true);
  const failing = Promise.all([before.of('hash'), before.of('hash')]);
  const after = new DefinitionCache({ definition: async () => definition }, () => false);
  expect(await after.of('hash')).toBe(definition);
  await expect(failing).rejects.toMatchObject({
    code: 'connection',
  });
  expect(reads).toBe(1);
});
