import { expect, it } from 'vitest';
import { dbosPolling } from '../../../src/dbos/dbos-polling.ts';

it('finds the parts of the installed DBOS by which it polls less often', async () => {
  // In another version workers continue, and look into an empty queue ten times a second.
  expect(await dbosPolling()).toBeTypeOf('function');
});
