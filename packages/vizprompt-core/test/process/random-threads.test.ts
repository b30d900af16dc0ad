import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkThread } from '../support/check-threads.ts';
import { randomRuns } from '../support/open-project.ts';
import { checkSession } from '../support/random-chats.ts';
import { steps } from '../support/random-threads.ts';

describe('trees of messages', () => {
  it('are equal after any changes, a thousand times', async () => {
    const property = fc.asyncProperty(steps, fc.boolean(), checkThread);
    const runs = fc.assert(property, { numRuns: randomRuns(1000) });
    await expect(runs).resolves.toBeUndefined();
  });

  it('lose no branch in two hundred sessions of nine steps of the chat of the AI SDK', async () => {
    const step = fc.record({
      type: fc.constantFrom('send', 'edit', 'same', 'regenerate', 'tool', 'switch'),
      pick: fc.nat(),
    });
    const sessions = fc.array(step, { minLength: 9, maxLength: 9 });
    const runs = fc.assert(fc.asyncProperty(sessions, checkSession), { numRuns: randomRuns(200) });
    await expect(runs).resolves.toBeUndefined();
  });
});
