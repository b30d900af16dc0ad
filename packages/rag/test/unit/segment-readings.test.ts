import { expect, it } from 'vitest';
import { eachReading, writeReadings } from '../../src/segment/format/lexicon.ts';

it('reads long readings, and refuses one that shares more with the one before than there is', () => {
  const long = 'ア'.repeat(200_000);
  const readings = [
    [long, [1, 3]],
    [`${long}イ`, [2]],
  ] as const;
  const { blocks } = writeReadings(readings);
  expect([...eachReading(blocks)]).toEqual(readings);
  const damaged = Uint8Array.of(0xff, 0xff, 0xff, 0x7f, 0, 1, 1);
  expect(() => [...eachReading(damaged)]).toThrow(SyntaxError);
});
