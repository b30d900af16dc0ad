import { expect, it } from 'vitest';
import { embedTexts } from '../../src/retrieval/embed-texts.ts';
import { LLMError, type LLMErrorCode } from '../../src/models/llm-error.ts';
import type { EmbeddingModel } from '../../src/models/embedding-model.ts';

const POISON = '毒';
const values = ['島', POISON, '港'];

/** A model that fails on one text. */
function failing(
  code: LLMErrorCode,
  isBad: (value: string) => boolean = (value) => value === POISON,
): {
  readonly model: EmbeddingModel;
  readonly asked: string[];
} {
  const asked: string[] = [];
  const model: EmbeddingModel = {
    specVersion: 1,
    maxBatch: 64,
    provider: 'test',
    modelId: 'failing',
    async embed({ values: some }) {
      asked.push(some.join(''));
      if (some.some(isBad)) throw new LLMError(code, 'no');
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

/** Returns which texts have vectors. */
async function embedded(
  model: EmbeddingModel,
  texts: readonly string[],
): Promise<readonly unknown[]> {
  const found: unknown[] = [];
  for await (const { at, results } of embedTexts(model, {
    values: texts,
    check: () => undefined,
  })) {
    for (const [place, result] of results.entries()) found[at + place] = 'vector' in result;
  }
  return found;
}

it.each(['invalid_request', 'server'] as const)('"%s" refuses one text only', async (code) => {
  const { model } = failing(code);
  expect(await embedded(model, values)).toEqual([true, false, true]);
});

it.each(['invalid_request', 'content_filter', 'context_length'] as const)(
  'a model that answers "%s" to short texts, or to those of other languages, is there',
  async (code) => {
    const bad: readonly ((value: string) => boolean)[] = [
      (value) => value.length < 4,
      (value) => !/[ぁ-ん]/.test(value),
      (value) => !value.includes('島'),
    ];
    const texts = ['静かな島の朝', '港', '遠い島の灯台', '海'];
    for (const isBad of bad) {
      expect(await embedded(failing(code, isBad).model, texts)).toEqual(
        texts.map((value) => !isBad(value)),
      );
    }
    for (const isBad of bad.slice(0, 2)) {
      expect(await embedded(failing(code, isBad).model, ['港'])).toEqual([false]);
    }
  },
);

it.each([
  ['invalid_request', 5],
  ['server', 2],
] as const)('a model that answers "%s" to every text is away', async (code, count) => {
  const { model, asked } = failing(code, () => true);
  await expect(embedded(model, values)).rejects.toMatchObject({ code });
  expect(asked).toHaveLength(count);
});

it.each(['rate_limit', 'auth', 'server', 'bad_response'] as const)(
  'a probe that meets "%s" does not say that a model refuses every text',
  async (code) => {
    const { model } = failing('invalid_request');
    const limited: EmbeddingModel = {
      ...model,
      async embed(request) {
        if (values.includes(request.values[0] ?? '')) return model.embed(request);
        throw new LLMError(code, 'later');
      },
    };
    expect(await embedded(limited, values)).toEqual([true, false, true]);
    expect(await embedded(limited, [POISON])).toEqual([false]);
  },
);

it('a text that is refused after others have vectors is refused without a probe', async () => {
  const texts = ['島', '港', '海', POISON];
  const { model, asked } = failing('invalid_request');
  const small: EmbeddingModel = {
    ...model,
    async embed(request) {
      if (request.values.length > 2) throw new LLMError('server', 'too many');
      return model.embed(request);
    },
  };
  expect(await embedded(small, texts)).toEqual([true, true, true, false]);
  expect(asked).toEqual(['a', '島港', '海毒', '海', POISON]);
});

it.each([
  ['invalid_request', 'server'],
  ['server', 'server'],
  ['content_filter', 'bad_response'],
  ['bad_response', 'bad_response'],
] as const)(
  'no text is marked in an outage ("%s" before it, "%s" in it)',
  async (before, during) => {
    const texts = ['島', POISON, '港', '海'];
    const { model, asked } = failing(before);
    const dying: EmbeddingModel = {
      ...model,
      async embed(request) {
        if (asked.length === 3) throw new LLMError(during, 'down');
        return model.embed(request);
      },
    };
    const parts = embedTexts(dying, { values: texts, check: () => undefined });
    await expect(parts.next()).rejects.toMatchObject({ code: during });
    expect(asked).toEqual(['島毒港海', 'a', '島毒']);
  },
);
