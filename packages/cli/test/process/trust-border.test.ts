import { expect, it } from 'vitest';
import { checkFolders } from '../support/border/check-folders.ts';

const { FUZZ_SEED = '1' } = process.env;
const seed = FUZZ_SEED === 'random' ? `${Math.random()}` : FUZZ_SEED;

it('a folder of a stranger changes, starts and sends nothing elsewhere, whichever tool is used in it', async () => {
  const ends = await checkFolders(seed, 60);
  const told = Object.keys(ends);
  // Every end is a code.
  expect(told.filter((end) => !/^\w+ [\w-]+ [\w-]+$/.test(end))).toEqual([]);
  for (const end of ['ptta hook done', 'ptta search untrusted', 'talktable run untrusted']) {
    expect(told).toContain(end);
  }
});
