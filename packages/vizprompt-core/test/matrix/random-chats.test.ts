import fc from 'fast-check';
import { expect, it } from 'vitest';
import { randomRuns } from '../support/open-project.ts';
import { chatStep, checkSession } from '../support/random-chats.ts';

const PARTS = [1, 2, 3, 4];
const { seed: start = 1 } = fc.readConfigureGlobal();

it.each(PARTS)(
  'no branch is lost in random sessions of nine steps of the chat of the AI SDK, part %i',
  async (part) => {
    const steps = fc.array(chatStep, { minLength: 9, maxLength: 9 });
    const runs = fc.assert(fc.asyncProperty(steps, checkSession), {
      seed: start + part,
      numRuns: randomRuns(200 / PARTS.length),
    });
    await expect(runs).resolves.toBeUndefined();
  },
);
