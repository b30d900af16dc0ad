import { expect, it } from 'vitest';
import { checkFolders } from '../support/border/check-folders.ts';

const { FUZZ_SEED = '1', FUZZ_ROUNDS = '40' } = process.env;
const seed = FUZZ_SEED === 'random' ? `${Math.random()}` : FUZZ_SEED;
const EACH = 250;

it('10,000 folders of strangers change, start and send nothing elsewhere', async () => {
  for (let round = 0; round < Number(FUZZ_ROUNDS); round++) {
    const ends = await checkFolders(`soak-${seed}-${round}`, EACH);
    expect(Object.keys(ends).filter((end) => !/^\w+ [\w-]+ [\w-]+$/.test(end))).toEqual([]);
  }
});
