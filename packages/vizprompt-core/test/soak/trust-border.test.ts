import { expect, it } from 'vitest';
import { checkBorder } from '../support/trust/check-border.ts';

const { FUZZ_SEED = '1' } = process.env;
const seed = FUZZ_SEED === 'random' ? `${Math.random()}` : FUZZ_SEED;
const ROUNDS = 40;
const EACH = 250;

it('10,000 projects of strangers change, start and send nothing elsewhere', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const codes = await checkBorder(`soak-${seed}-${round}`, EACH);
    expect(Object.keys(codes).filter((end) => !/^[a-z]+ [\w-]+$/.test(end))).toEqual([]);
  }
});
