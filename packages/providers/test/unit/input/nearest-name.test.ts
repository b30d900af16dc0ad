import { nearestName } from '@vizprompt/providers/config';
import { expect, it } from 'vitest';

it('compares no name that is too long for a slip', () => {
  const long = (length: number): string => 'a'.repeat(length);
  expect(nearestName(long(200), [long(199)])).toBe(long(199));
  expect(nearestName(long(201), [long(200)])).toBeUndefined();
});
