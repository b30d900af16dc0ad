import { expect, it } from 'vitest';
import { HAS_STRACE } from '../../../providers/test/support/watched-child.ts';
import { checkBorder } from '../support/trust/check-border.ts';
import { checkMerges } from '../support/trust/check-merges.ts';

const { FUZZ_SEED = '1' } = process.env;
const seed = FUZZ_SEED === 'random' ? `${Math.random()}` : FUZZ_SEED;

it('a project of a stranger changes nothing, starts nothing and sends nothing elsewhere', async () => {
  const codes = await checkBorder(seed, 60);
  const told = Object.keys(codes);
  // Every end is a code, and there are such as were let in and such as were not.
  expect(told.filter((end) => !/^[a-z]+ [\w-]+$/.test(end))).toEqual([]);
  for (const end of [
    'open done',
    'open outside-root',
    'undo done',
    'undo conflict',
    'repair done',
  ]) {
    expect(told).toContain(end);
  }
  expect(told).toContain('chat untrusted');
});

it('a branch of a stranger that is merged with the driver starts nothing else, and changes no settings', async () => {
  const ends = await checkMerges(seed, 10);
  const told = Object.keys(ends);
  expect(told.filter((end) => !/^[a-z]+ [\w-]+$/.test(end))).toEqual([]);
  for (const end of ['merge done', 'merge conflict', 'merge as-text']) expect(told).toContain(end);
});

it('the system is asked which programs were started and whom they connected to', ({ skip }) => {
  skip(process.platform !== 'linux', 'strace is a program of Linux');
  skip(!HAS_STRACE, 'strace is not installed: processes and connections were not watched');
  expect(HAS_STRACE).toBe(true);
});
