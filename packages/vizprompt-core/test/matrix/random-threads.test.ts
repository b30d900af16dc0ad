import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkThread } from '../support/check-threads.ts';
import { randomRuns } from '../support/open-project.ts';
import { steps } from '../support/random-threads.ts';

const PARTS = [1, 2, 3, 4, 5, 6, 7, 8];
const { seed: start = 1 } = fc.readConfigureGlobal();

describe.each(PARTS)('trees of messages, part %i', (part) => {
  const seed = start + part;

  it('are equal after any changes, a thousand times in all', async () => {
    const property = fc.asyncProperty(steps, fc.boolean(), checkThread);
    const runs = fc.assert(property, { seed, numRuns: randomRuns(1000 / PARTS.length) });
    await expect(runs).resolves.toBeUndefined();
  });
});
