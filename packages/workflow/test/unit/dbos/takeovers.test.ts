import { expect, it } from 'vitest';
import { Takeovers } from '../../../src/dbos/worker-lease.ts';

const suspect = { executions: 2, takeovers: 1 };

it('a suspect whose worker stops before its turn gives the turn to the next one', async () => {
  const takeovers = new Takeovers(3, 60_000);
  const first = await takeovers.turnOf(suspect, () => false);
  let isOver = false;
  const second = takeovers.turnOf(suspect, () => isOver);
  isOver = true;
  first?.end();
  expect(await second).toBeUndefined();
  expect(await takeovers.turnOf(suspect, () => false)).toBeDefined();
});

it('begins nothing where all is over, suspects or not', async () => {
  const takeovers = new Takeovers(3, 60_000);
  for (const executions of [1, 2]) {
    expect(await takeovers.turnOf({ executions, takeovers: 1 }, () => true)).toBeUndefined();
  }
});
