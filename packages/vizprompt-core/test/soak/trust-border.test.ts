import { expect, it } from 'vitest';
import { checkBorder } from '../support/trust/check-border.ts';
import { checkMerges } from '../support/trust/check-merges.ts';

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

it('1,000 branches of strangers are merged, and start and change nothing else', async () => {
  for (let round = 0; round < 10; round++) {
    const ends = await checkMerges(`soak-${seed}-${round}`, 100);
    expect(Object.keys(ends).filter((end) => !/^[a-z]+ [\w-]+$/.test(end))).toEqual([]);
  }
});
