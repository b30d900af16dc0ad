import { expect, it } from 'vitest';
import { embedTexts } from '../../src/retrieval/embed-texts.ts';
import { LLMError } from '../../src/models/llm-error.ts';
import type { EmbeddingModel } from '../../src/models/embedding-model.ts';

/** A model that answers with 503 as often as it is said for a text. */
function busyModel(failures: ReadonlyMap<string, number>): EmbeddingModel {
  const left = new Map(failures);
  return {
    specVersion: 1,
    maxBatch: 64,
    provider: 'test',
    modelId: 'busy',
    async embed({ values }) {
      for (const value of values) {
        const more = left.get(value) ?? 0;
        left.set(value, more - 1);
        if (more > 0) throw new LLMError('overloaded', 'busy');
      }
      return {
        vectors: values.map(() => Float32Array.of(1)),
        usage: { inputTokens: 0, outputTokens: 0 },
      };
    },
  };
}

it.each([3, 4])('a text that fails %i times under load is no refused one', async (times) => {
  const values = ['島', '嵐の夜', '港'];
  const model = busyModel(new Map([['嵐の夜', times]]));
  const found: unknown[] = [];
  for await (const { at, results } of embedTexts(model, { values, check: () => undefined })) {
    for (const [place, result] of results.entries()) found[at + place] = 'vector' in result;
  }
  expect(found).toEqual([true, true, true]);
});

it('a text that fails each time is refused after all others, for now', async () => {
  const values = ['島', '毒', '港'];
  const model = busyModel(new Map([['毒', Infinity]]));
  const order: number[] = [];
  const errors: unknown[] = [];
  for await (const { at, results } of embedTexts(model, { values, check: () => undefined })) {
    order.push(at);
    errors.push(...results.filter((result) => 'error' in result));
  }
  expect(order.at(-1)).toBe(1);
  expect(errors).toMatchObject([{ error: { code: 'overloaded' }, mayPass: true }]);
});
