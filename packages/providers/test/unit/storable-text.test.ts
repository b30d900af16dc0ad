import { inMemoryStorage } from '@vizprompt/providers/node';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyString } from '../support/fuzz.ts';
import { isStorable, toStorable } from '../../src/storage/sql-statements.ts';

const text = fc
  .array(fc.oneof(anyString(), fc.constantFrom('\0', '\ud83d', '\ude00', '💬')))
  .map((parts) => parts.join(''));

describe('a text that a database can keep', () => {
  it('is what one gives back as it is, and no other', async () => {
    await using storage = await inMemoryStorage();
    await fc.assert(
      fc.asyncProperty(text, async (given) => {
        const kept = await storage.database
          .query<{ text: string }>('SELECT CAST(? AS TEXT) AS text', [given])
          .then(
            ([row]) => row?.text,
            () => undefined,
          );
        expect(kept).toBe(isStorable(given) ? given : undefined);
      }),
    );
  });

  it('is made of any, character by character', () => {
    fc.assert(
      fc.property(text, (given) => {
        const made = toStorable(given);
        expect([isStorable(made), made.length]).toEqual([true, given.length]);
        expect(made === given).toBe(isStorable(given));
      }),
    );
    expect(toStorable('a\0\ud83d💬\ude00')).toBe('a\ufffd\ufffd💬\ufffd');
  });
});
