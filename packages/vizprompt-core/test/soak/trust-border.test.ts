import { expect, it } from 'vitest';
import { checkBorder } from '../support/trust/check-border.ts';
import { checkMerges } from '../support/trust/check-merges.ts';

const { FUZZ_SEED = '1' } = process.env;
const seed = FUZZ_SEED === 'random' ? `${Math.random()}` : FUZZ_SEED;
/** 10,000 projects, and 1,000 branches. */
const ROUNDS = Array.from({ length: 40 }, (_, at) => at);
const EACH = 250;
const BRANCHES = 25;

it.each(ROUNDS)(
  '250 projects of strangers change, start and send nothing elsewhere: %i',
  async (at) => {
    const codes = await checkBorder(`soak-${seed}-${at}`, EACH);
    expect(Object.keys(codes).filter((end) => !/^[a-z]+ [\w-]+$/.test(end))).toEqual([]);
  },
);

it.each(ROUNDS)(
  '25 branches of strangers are merged, and start and change nothing else: %i',
  async (at) => {
    const ends = await checkMerges(`soak-${seed}-${at}`, BRANCHES);
    expect(Object.keys(ends).filter((end) => !/^[a-z]+ [\w-]+$/.test(end))).toEqual([]);
  },
);
