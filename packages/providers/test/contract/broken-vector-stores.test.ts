import { inMemoryStorage } from '@vizprompt/providers/node';
import { quantizedVectors } from '@vizprompt/providers/quantized';
import { runContract, vectorStoreCases } from '@vizprompt/providers/testing';
import type { VectorQueryOptions, VectorStore } from '@vizprompt/providers';
import { expect, it } from 'vitest';

// A suite that lets a broken store pass proves nothing. Each of these has one fault, and the case that
// speaks of it must find it.

const unfiltered = ({ k, signal }: VectorQueryOptions = {}): VectorQueryOptions => ({
  ...(k === undefined ? {} : { k }),
  ...(signal ? { signal } : {}),
});

const broken: Record<string, [(sound: VectorStore) => Partial<VectorStore>, finds: string]> = {
  'the farthest come first': [
    (sound) => ({ query: async (...args) => (await sound.query(...args)).toReversed() }),
    'finds the nearest first, with the cosine as score, whatever the lengths',
  ],
  'the score is a distance': [
    (sound) => ({
      query: async (...args) =>
        (await sound.query(...args)).map((match) => ({ ...match, score: 1 - match.score })),
    }),
    'finds the nearest first, with the cosine as score, whatever the lengths',
  ],
  'k is not looked at': [
    (sound) => ({ query: (vector, options = {}) => sound.query(vector, { ...options, k: 50 }) }),
    'gives at most k, ten by default, and all if there are fewer',
  ],
  'an id that is there is left as it is': [
    (sound) => ({
      async upsert(records) {
        const known = new Set((await all(sound)).map(({ id }) => id));
        await sound.upsert(records.filter(({ id }) => !known.has(id)));
      },
    }),
    'replaces the record of an id: vector and payload, and what it is filtered by',
  ],
  'delete does nothing': [
    () => ({ delete: async () => {} }),
    'deletes, and passes over ids that are not there',
  ],
  'the filter comes after the cut': [
    (sound) => ({
      async query(vector, options = {}) {
        const fit = await sound.query(vector, { ...options, k: 1000 });
        const ids = new Set(fit.map(({ id }) => id));
        return (await sound.query(vector, unfiltered(options))).filter(({ id }) => ids.has(id));
      },
    }),
    'filters by one value, any or all of several, and lists, before it cuts off',
  ],
  'texts and numbers are the same to the filter': [
    (sound) => ({
      count: (filter = {}, options) =>
        sound.count(filter['n'] === '1' ? { n: { anyOf: ['1', 1] } } : filter, options),
    }),
    'filters by one value, any or all of several, and lists, before it cuts off',
  ],
  'ids are small letters': [
    (sound) => ({
      upsert: (records, options) =>
        sound.upsert(
          records.map((record) => ({ ...record, id: record.id.toLowerCase() })),
          options,
        ),
    }),
    'keeps any text as id, key and value, and payloads as they are',
  ],
  'the good part of a bad call is written': [
    (sound) => ({
      async upsert(records, options) {
        for (const record of records) await sound.upsert([record], options);
      },
    }),
    'refuses vectors that make no sense, and writes none of the call',
  ],
  'only the newest thousand are looked at': [
    (sound) => ({
      query: async (vector, options) =>
        (await sound.query(vector, { ...options, k: 2000 }))
          .filter(({ id }) => !/ 0?[01]\d{3}$/.test(id))
          .slice(0, options?.k ?? 10),
    }),
    'takes thousands of records at once, and finds nearly all of the nearest among them',
  ],
  'the signal is not looked at': [
    (sound) => ({
      query: (vector, { signal: _, ...options } = {}) => sound.query(vector, options),
    }),
    'stops when it is aborted, and changes nothing',
  ],
  'it answers when it is closed': [
    () => ({ close: async () => {} }),
    'does nothing any more when it is closed, and may be closed twice',
  ],
};

async function all(store: VectorStore): Promise<readonly { id: string }[]> {
  return store.query(new Float32Array(store.dimensions).fill(1), { k: 5000 });
}

function wrapped(breakIt: (sound: VectorStore) => Partial<VectorStore>) {
  return async () => {
    const storage = await inMemoryStorage();
    const open = (made = {}): VectorStore => {
      const options = { dimensions: 8, model: 'suite', ...made, database: storage.cache };
      const sound = quantizedVectors(options);
      return { ...sound, ...breakIt(sound) };
    };
    const subject = { store: open(), another: async (made?: object) => open(made) };
    return { subject, close: () => storage.close() };
  };
}

for (const [fault, [breakIt, finds]] of Object.entries(broken)) {
  it(`the suite finds that ${fault}`, async () => {
    const cases = vectorStoreCases.filter(({ name }) => name === finds);
    expect(cases).toHaveLength(1);
    const { failed } = await runContract(cases, wrapped(breakIt));
    expect(failed.map(({ name }) => name)).toEqual([finds]);
  });
}

it('the suite finds a store that does not know what it was made for', async () => {
  const finds = 'refuses to be opened for other dimensions or another model';
  const cases = vectorStoreCases.filter(({ name }) => name === finds);
  const { failed } = await runContract(cases, async () => {
    const storage = await inMemoryStorage();
    const open = ({ dimensions = 8 } = {}): VectorStore =>
      quantizedVectors({ dimensions, database: storage.cache });
    const subject = { store: open(), another: async (made?: object) => open(made) };
    return { subject, close: () => storage.close() };
  });
  expect(failed).toHaveLength(1);
});

it('the suite finds handles that do not see each other', async () => {
  const finds = 'shows every handle what another one has written';
  const cases = vectorStoreCases.filter(({ name }) => name === finds);
  const { failed } = await runContract(cases, async () => {
    const storages = await Promise.all([inMemoryStorage(), inMemoryStorage()]);
    const [store, other] = storages.map(({ cache: database }) =>
      quantizedVectors({ dimensions: 8, database }),
    );
    const subject = { store: store!, another: async () => other! };
    return { subject, close: async () => void (await Promise.all(storages.map((s) => s.close()))) };
  });
  expect(failed).toHaveLength(1);
});

it('the suite passes a sound store that is wrapped in the same way', async () => {
  const { failed } = await runContract(
    vectorStoreCases,
    wrapped(() => ({})),
  );
  expect(failed).toEqual([]);
});
