import { expect, it } from 'vitest';
import { createId } from '@vizprompt/providers';

const UUID_7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

it('makes UUIDs of version 7 that sort in the order of their making, also within a millisecond', () => {
  const ids = Array.from({ length: 10_000 }, () => createId(1_700_000_000_000));
  for (const id of ids) expect(id).toMatch(UUID_7);
  expect(ids.toSorted()).toEqual(ids);
  expect(new Set(ids.map((id) => id.slice(19))).size).toBe(ids.length);
});

it('begins with the time, and never goes back with the clock', () => {
  const late = Date.UTC(2100, 0, 1);
  const id = createId(late);
  expect(Number.parseInt(id.replace('-', '').slice(0, 12), 16)).toBe(late);
  expect(createId(late - 60_000) > id).toBe(true);
  expect(createId() > id).toBe(true);
});

it('refuses what is no time, and continues as before', () => {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as plain JavaScript passes it
  for (const wrong of [Number.NaN, -1, 0.5, 2 ** 48, new Date(), {}, null] as never[]) {
    expect(() => createId(wrong)).toThrow(/^the time of createId: expected a whole number/);
  }
  expect(createId()).toMatch(/^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-/);
});
