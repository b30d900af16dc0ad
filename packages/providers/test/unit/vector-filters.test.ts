import type { VectorFilter } from '@vizprompt/providers';
import { inMemoryStorage } from '@vizprompt/providers/node';
import { quantizedVectors } from '@vizprompt/providers/quantized';
import { sqliteVecStore } from '@vizprompt/providers/sqlite-vec';
import { expect, it } from 'vitest';

it.each([
  ['a condition of another name', { kind: { any: ['note'] } }],
  ['a list alone', { kind: ['note'] }],
  ['one value in place of a list', { kind: { anyOf: 'note' } }],
  ['a list that is not there', { kind: { anyOf: undefined } }],
  ['null', { kind: null }],
])('a filter that no store understands is refused: %s', async (_, given) => {
  await using storage = await inMemoryStorage();
  const { database } = storage;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it is wrong on purpose
  const filter = given as unknown as VectorFilter;
  const vector = new Float32Array([1, 0, 0]);
  const stores = [
    quantizedVectors({ database, dimensions: 3, name: 'a' }),
    sqliteVecStore({ database, dimensions: 3, name: 'b' }),
  ];
  for (const store of stores) {
    await store.upsert([{ id: 'a', vector, payload: { kind: 'note' } }]);
    await expect(store.query(vector, { filter })).rejects.toMatchObject({
      code: 'invalid-input',
      message: expect.stringMatching(/^the filter 'kind': expected a string, .*, got /),
    });
    const fitting = { kind: { anyOf: ['note', 1, true] } };
    expect(await store.query(vector, { filter: fitting })).toHaveLength(1);
  }
});

it.each([
  [
    'a list of the other kind that is not there',
    { kind: { anyOf: undefined, allOf: ['note'] } },
    1,
  ],
  ['a condition that is not there', { kind: undefined }, 0],
  ['a list with values that nothing has', { kind: { anyOf: [null, 'note', {}] } }, 1],
  ['a list of nothing', { kind: { anyOf: [] } }, 0],
])('a filter of plain JavaScript has its meaning: %s', async (_, given, found) => {
  await using storage = await inMemoryStorage();
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it is loose on purpose
  const filter = given as unknown as VectorFilter;
  const vector = new Float32Array([1, 0, 0]);
  const store = quantizedVectors({ database: storage.database, dimensions: 3, name: 'a' });
  await store.upsert([{ id: 'a', vector, payload: { kind: 'note' } }]);
  expect(await store.query(vector, { filter })).toHaveLength(found);
});
