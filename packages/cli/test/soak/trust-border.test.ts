import { expect, it } from 'vitest';
import { checkFolders } from '../support/border/check-folders.ts';

const { FUZZ_SEED = '1' } = process.env;
const seed = FUZZ_SEED === 'random' ? `${Math.random()}` : FUZZ_SEED;
/** 10,000 folders. */
const ROUNDS = Array.from({ length: 40 }, (_, at) => at);
const EACH = 250;

it.each(ROUNDS)(
  '250 folders of strangers change, start and send nothing elsewhere: %i',
  async (at) => {
    const ends = await checkFolders(`soak-${seed}-${at}`, EACH);
    expect(Object.keys(ends).filter((end) => !/^\w+ [\w-]+ [\w-]+$/.test(end))).toEqual([]);
  },
);
