import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runs } from '../../../../providers/test/support/fuzz.ts';
import { NumberTable } from '../../../src/binary/packed-tables.ts';

/** Many of these fall into the same slots. */
const key = fc.oneof(
  fc.integer({ min: 0, max: 20 }),
  fc.integer({ min: 0, max: 20 }).map((times) => times * 65_536),
  fc.integer({ min: 0, max: 2 ** 32 - 1 }),
);

it('gives what was put in, and -1 for everything else', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(key, fc.nat(1000))), fc.array(key), (entries, others) => {
      const map = new Map(entries);
      const table = new NumberTable(map);
      for (const one of [...map.keys(), ...others]) {
        expect(table.get(one)).toBe(map.get(one) ?? -1);
      }
    }),
    { numRuns: runs(200) },
  );
});
