import assert from 'node:assert/strict';
import type { EmbeddingModel } from '../models/embedding-model.ts';
import { declareSuite, type ContractCase, type SuiteOptions } from './contract-suite.ts';

/** The cases of the `EmbeddingModel` contract. */
export const embeddingModelCases: readonly ContractCase<EmbeddingModel>[] = [
  {
    name: 'gives one vector of floats for each value, in order, of one length',
    async run(model) {
      const values = ['猫', 'cat', '', '🐈', 'שלום'];
      const { vectors } = await model.embed({ values });
      assert.equal(vectors.length, values.length);
      const dimensions = model.dimensions ?? vectors[0]?.length;
      for (const [index, vector] of vectors.entries()) {
        assert.ok(vector instanceof Float32Array);
        assert.equal(vector.length, dimensions);
        const alone = await model.embed({ values: [values[index] ?? ''] });
        for (const [dimension, number] of vector.entries()) {
          assert.ok(Math.abs(number - (alone.vectors[0]?.[dimension] ?? Number.NaN)) < 1e-3);
        }
      }
    },
  },
  {
    name: 'splits more values than one call takes, and takes none',
    async run(model) {
      const values = Array.from({ length: model.maxBatch + 3 }, (_, index) => `text ${index}`);
      assert.equal((await model.embed({ values })).vectors.length, values.length);
      assert.deepEqual((await model.embed({ values: [] })).vectors, []);
    },
  },
  {
    name: 'stops when aborted',
    async run(model) {
      await assert.rejects(model.embed({ values: ['x'], signal: AbortSignal.abort() }));
    },
  },
];

/** Declares the tests of the `EmbeddingModel` contract; see `testFileStore` for an example. */
export function testEmbeddingModel(options: SuiteOptions<EmbeddingModel>): void {
  declareSuite('EmbeddingModel', embeddingModelCases, options);
}
