import { topK } from '@vizprompt/providers/text';
import fc from 'fast-check';
import { expect, it } from 'vitest';

it('the best rows are those that sorting them all puts first', () => {
  const ids = fc.uniqueArray(fc.nat(200), { maxLength: 150 });
  const orders = fc.constantFrom('ascending', 'descending', 'any');
  fc.assert(
    fc.property(
      ids,
      orders,
      fc.array(fc.nat(7), { minLength: 1 }),
      fc.nat(40),
      (some, order, bits, count) => {
        const inOrder =
          order === 'any' ? some : some.toSorted((a, b) => (order === 'ascending' ? a - b : b - a));
        const rows = inOrder.map((id, at) => [id, bits[at % bits.length] ?? 0] as const);
        // Several kinds of rows have the same score.
        const scoreOf = (of: number): number => of % 3;
        const sorted = rows
          .map(([id, of]) => ({ id, bits: of, score: scoreOf(of) }))
          .toSorted((a, b) => b.score - a.score || b.id - a.id);
        expect(topK(rows, count, scoreOf)).toEqual(sorted.slice(0, count));
      },
    ),
  );
});
