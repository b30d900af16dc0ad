import { expect, it } from 'vitest';
import { embedTexts } from '../../src/retrieval/embed-texts.ts';
import { LLMError, type LLMErrorCode } from '../../src/models/llm-error.ts';
import type { EmbeddingModel } from '../../src/models/embedding-model.ts';

const POISON = '毒';
const values = ['島', POISON, '港'];

/** A model that fails on one text. */
function failing(code: LLMErrorCode): { readonly model: EmbeddingModel; readonly asked: string[] } {
  const asked: string[] = [];
  const model: EmbeddingModel = {
    specVersion: 1,
    maxBatch: 64,
    provider: 'test',
    modelId: 'failing',
    async embed({ values: some }) {
      asked.push(some.join(''));
      if (some.includes(POISON)) throw new LLMError(code, 'no');
      return {
        vectors: some.map(() => Float32Array.of(1)),
        usage: { inputTokens: 0, outputTokens: 0 },
      };
    },
  };
  return { model, asked };
}

it.each(['overloaded', 'network', 'rate_limit'] as const)(
  'a model that answers "%s" is asked once, and its error is thrown',
  async (code) => {
    const { model, asked } = failing(code);
    const parts = embedTexts(model, { values, check: () => undefined });
    await expect(parts.next()).rejects.toMatchObject({ code });
    expect(asked).toEqual(['島毒港']);
  },
);

it.each(['invalid_request', 'server'] as const)('"%s" refuses one text only', async (code) => {
  const { model } = failing(code);
  const found: unknown[] = [];
  for await (const { at, results } of embedTexts(model, { values, check: () => undefined })) {
    for (const [place, result] of results.entries()) found[at + place] = 'vector' in result;
  }
  expect(found).toEqual([true, false, true]);
});
