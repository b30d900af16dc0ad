import assert from 'node:assert/strict';
import { VectorError, type VectorErrorCode } from '../vector/vector-error.ts';
import type { VectorFilter, VectorRecord, VectorStore } from '../vector/vector-store.ts';
import {
  type ContractCase,
  declareSuite,
  difficultTexts,
  type SuiteOptions,
} from './contract-suite.ts';

/** The subject of the suite's cases. */
export interface VectorStoreSubject {
  /** Empty, of 8 dimensions. */
  readonly store: VectorStore;
  /** Returns a second handle on the same records, made with other dimensions or another model if given. */
  another(made?: { readonly dimensions?: number; readonly model?: string }): Promise<VectorStore>;
}

/** The dimensions of the stores of the suite. */
const DIMENSIONS = 8;

/** Returns a vector at an angle from the first axis: the cosine of two of them is that of the difference. */
function at(degrees: number, length = 1): Float32Array {
  const vector = new Float32Array(DIMENSIONS);
  const angle = (degrees * Math.PI) / 180;
  vector[0] = Math.cos(angle) * length;
  vector[1] = Math.sin(angle) * length;
  return vector;
}

async function near(
  store: VectorStore,
  degrees: number,
  options?: Parameters<VectorStore['query']>[1],
): Promise<readonly string[]> {
  return (await store.query(at(degrees), options)).map(({ id }) => id);
}

async function rejectsWith(code: VectorErrorCode, work: () => Promise<unknown>): Promise<void> {
  await assert.rejects(work, (error: unknown) => {
    assert.ok(VectorError.isInstance(error), `expected a VectorError, got ${String(error)}`);
    assert.equal(error.code, code, error.message);
    return true;
  });
}

/** Returns the same numbers in every run. */
function randomNumbers(): () => number {
  let state = 7;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return state / 0x7fffffff - 0.5;
  };
}

function cosine(a: Float32Array, b: Float32Array): number {
  let [product, left, right] = [0, 0, 0];
  for (const [i, x] of a.entries()) {
    const y = b[i] ?? 0;
    product += x * y;
    left += x * x;
    right += y * y;
  }
  return product / Math.sqrt(left * right);
}

/** The cases of the `VectorStore` contract. */
export const vectorStoreCases: readonly ContractCase<VectorStoreSubject>[] = [
  {
    name: 'finds the nearest first, with the cosine as score, whatever the lengths',
    async run({ store }) {
      await store.upsert([
        { id: 'far', vector: at(80, 5) },
        { id: 'opposite', vector: at(180) },
        { id: 'near', vector: at(10, 0.01) },
        { id: 'middle', vector: at(40) },
      ]);
      const matches = await store.query(at(0, 3));
      assert.deepEqual(
        matches.map(({ id }) => id),
        ['near', 'middle', 'far', 'opposite'],
      );
      for (const [place, degrees] of [10, 40, 80, 180].entries()) {
        const right = Math.cos((degrees * Math.PI) / 180);
        assert.ok(Math.abs((matches[place]?.score ?? 9) - right) < 1e-3, `${degrees} degrees`);
      }
    },
  },
  {
    name: 'gives at most k, ten by default, and all if there are fewer',
    async run({ store }) {
      assert.deepEqual(await store.query(at(0)), []);
      await store.upsert(Array.from({ length: 15 }, (_, n) => ({ id: `${n}`, vector: at(n) })));
      assert.deepEqual(await near(store, 0, { limit: 3, k: 3 }), ['0', '1', '2']);
      assert.equal((await near(store, 0)).length, 10);
      assert.equal((await near(store, 0, { limit: 5000, k: 5000 })).length, 15);
      for (const k of [0, -1, 1.5, Number.NaN]) {
        await rejectsWith('invalid-input', () => store.query(at(0), { k }));
      }
    },
  },
  {
    name: 'replaces the record of an id: vector and payload, and what it is filtered by',
    async run({ store }) {
      await store.upsert([{ id: 'a', vector: at(0), payload: { kind: 'old', only: 1 } }]);
      await store.upsert([
        { id: 'a', vector: at(10), payload: { kind: 'lost' } },
        { id: 'a', vector: at(90), payload: { kind: 'new' } },
      ]);
      assert.equal(await store.count(), 1);
      const [match] = await store.query(at(90));
      assert.deepEqual(match?.payload, { kind: 'new' });
      assert.ok((match?.score ?? 0) > 0.999);
      for (const filter of [{ kind: 'old' }, { kind: 'lost' }, { only: 1 }]) {
        assert.deepEqual(await near(store, 0, { filter }), []);
      }
      await store.upsert([{ id: 'a', vector: at(0) }]);
      assert.equal((await store.query(at(0)))[0]?.payload, undefined);
    },
  },
  {
    name: 'deletes, and passes over ids that are not there',
    async run({ store }) {
      await store.upsert(['a', 'b', 'c'].map((id, n) => ({ id, vector: at(n), payload: { n } })));
      await store.delete(['b', 'nobody', 'b']);
      await store.delete([]);
      assert.deepEqual(await near(store, 0), ['a', 'c']);
      assert.equal(await store.count(), 2);
      assert.equal(await store.count({ n: 1 }), 0);
      await store.upsert([{ id: 'b', vector: at(1) }]);
      assert.deepEqual(await near(store, 0), ['a', 'b', 'c']);
    },
  },
  {
    name: 'filters by one value, any or all of several, and lists, before it cuts off',
    async run({ store }) {
      const rows: readonly [string, VectorRecord['payload']][] = [
        ['a', { kind: 'note', tags: ['x', 'y'], n: 1, isDraft: true }],
        ['b', { kind: 'note', tags: ['x'], n: 2 }],
        ['c', { kind: 'novel', tags: ['y', 'z'], n: 1, isDraft: false }],
        ['d', { kind: 'memo', n: '1' }],
        ['e', {}],
      ];
      const noise = Array.from({ length: 300 }, (_, n) => {
        return { id: `noise ${n}`, vector: at(n / 300), payload: { kind: 'noise' } };
      });
      await store.upsert([
        ...noise,
        ...rows.map(([id, payload = {}], n) => ({ id, vector: at(10 + n), payload })),
      ]);
      const expected: readonly [VectorFilter, string[]][] = [
        [{ kind: 'note' }, ['a', 'b']],
        [{ kind: { anyOf: ['novel', 'memo', 'none'] } }, ['c', 'd']],
        [{ tags: 'x' }, ['a', 'b']],
        [{ tags: { allOf: ['x', 'y'] } }, ['a']],
        [{ tags: { anyOf: ['z', 'x'] }, n: 1 }, ['a', 'c']],
        [{ n: '1' }, ['d']],
        [{ isDraft: true }, ['a']],
        [{ kind: { anyOf: [] } }, []],
        [{ kind: 'note', tags: { allOf: [] } }, ['a', 'b']],
        [{ missing: 'x' }, []],
      ];
      for (const [filter, ids] of expected) {
        const what = JSON.stringify(filter);
        assert.deepEqual(await near(store, 0, { filter }), ids, what);
        assert.equal(await store.count(filter), ids.length, what);
      }
      assert.equal(await store.count({}), 305);
    },
  },
  {
    name: 'keeps any text as id, key and value, and payloads as they are',
    async run({ store }) {
      const texts = [
        ...difficultTexts,
        '\0',
        '\ud800',
        'A',
        'a',
        '0190163d-8694-739b-aea5-966c26f8ad91',
      ];
      const records = texts.map((text, n) => ({
        id: text,
        vector: at(n),
        payload: { [`key ${text}`]: text, 'a.b[0]': { deep: [null, text, { n }] } },
      }));
      await store.upsert(records);
      assert.equal(await store.count(), texts.length);
      for (const { id, payload } of records) {
        const [match, ...rest] = await store.query(at(0), { filter: { [`key ${id}`]: id } });
        assert.deepEqual(match && { id: match.id, payload: match.payload }, { id, payload });
        assert.deepEqual(rest, []);
      }
      await store.delete(texts);
      assert.equal(await store.count(), 0);
    },
  },
  {
    name: 'refuses vectors that make no sense, and writes none of the call',
    async run({ store }) {
      const bad = [
        new Float32Array(DIMENSIONS),
        new Float32Array(DIMENSIONS + 1).fill(1),
        new Float32Array(0),
        new Float32Array(DIMENSIONS).fill(Number.NaN),
        new Float32Array(DIMENSIONS).fill(Number.POSITIVE_INFINITY),
      ];
      for (const vector of bad) {
        const records = [
          { id: 'good', vector: at(0) },
          { id: 'bad', vector },
        ];
        await rejectsWith('invalid-input', () => store.upsert(records));
        await rejectsWith('invalid-input', () => store.query(vector));
      }
      assert.equal(await store.count(), 0);
    },
  },
  {
    name: 'takes thousands of records at once, and finds nearly all of the nearest among them',
    async run({ store }) {
      const random = randomNumbers();
      const records = Array.from({ length: 2000 }, (_, n) => ({
        id: `record ${n}`,
        vector: Float32Array.from({ length: DIMENSIONS }, random),
        payload: { half: n % 2 },
      }));
      await store.upsert(records);
      assert.equal(await store.count(), 2000);
      let [found, wanted] = [0, 0];
      for (let round = 0; round < 10; round++) {
        const question = Float32Array.from({ length: DIMENSIONS }, random);
        const half = round % 2;
        const right = records
          .filter(({ payload }) => payload.half === half)
          .map(({ id, vector }) => ({ id, score: cosine(question, vector) }))
          .toSorted((a, b) => b.score - a.score)
          .slice(0, 10)
          .map(({ id }) => id);
        const ids = new Set(
          (await store.query(question, { filter: { half } })).map(({ id }) => id),
        );
        assert.equal(ids.size, 10);
        found += right.filter((id) => ids.has(id)).length;
        wanted += right.length;
      }
      assert.ok(found / wanted >= 0.95, `${found} of ${wanted}`);
    },
  },
  {
    name: 'shows every handle what another one has written',
    async run({ store, another }) {
      await store.upsert([{ id: 'a', vector: at(0) }]);
      const other = await another();
      assert.deepEqual(await near(other, 0), ['a']);
      await other.upsert([{ id: 'b', vector: at(5) }]);
      assert.deepEqual(await near(store, 0), ['a', 'b']);
      await store.delete(['a']);
      assert.deepEqual(await near(other, 0), ['b']);
    },
  },
  {
    name: 'keeps all of many writes at the same time',
    async run({ store }) {
      await Promise.all(
        Array.from({ length: 12 }, (_, n) =>
          store.upsert([
            { id: 'same', vector: at(n) },
            { id: `own ${n}`, vector: at(n) },
          ]),
        ),
      );
      assert.equal(await store.count(), 13);
      assert.equal((await near(store, 0, { limit: 50, k: 50 })).length, 13);
    },
  },
  {
    name: 'refuses to be opened for other dimensions or another model',
    async run({ store, another }) {
      await store.upsert([{ id: 'a', vector: at(0) }]);
      const wider = await another({ dimensions: 16 });
      await rejectsWith('dimension-mismatch', () => wider.query(new Float32Array(16).fill(1)));
      const foreign = await another({ model: 'another' });
      await rejectsWith('model-mismatch', () => foreign.query(at(0)));
      await rejectsWith('model-mismatch', () => foreign.upsert([{ id: 'b', vector: at(1) }]));
      assert.equal(await store.count(), 1);
    },
  },
  {
    name: 'stops when it is aborted, and changes nothing',
    async run({ store }) {
      await store.upsert([{ id: 'a', vector: at(0) }]);
      const reason = new Error('enough');
      const signal = AbortSignal.abort(reason);
      const isReason = (error: unknown): boolean => error === reason;
      await assert.rejects(store.upsert([{ id: 'b', vector: at(1) }], { signal }), isReason);
      await assert.rejects(store.delete(['a'], { signal }), isReason);
      await assert.rejects(store.query(at(0), { signal }), isReason);
      await assert.rejects(store.count({}, { signal }), isReason);
      assert.deepEqual(await near(store, 0), ['a']);
    },
  },
  {
    name: 'does nothing any more when it is closed, and may be closed twice',
    async run({ store }) {
      await store.upsert([{ id: 'a', vector: at(0) }]);
      await store.close();
      await store.close();
      await rejectsWith('closed', () => store.query(at(0)));
      await rejectsWith('closed', () => store.upsert([{ id: 'b', vector: at(1) }]));
      await rejectsWith('closed', () => store.count());
    },
  },
];

/**
 * Declares the tests of the `VectorStore` contract. Stores are opened with 8 dimensions and the model
 * `suite`.
 */
export function testVectorStore(options: SuiteOptions<VectorStoreSubject>): void {
  declareSuite('VectorStore', vectorStoreCases, options);
}
