import { Buffer } from 'node:buffer';
import { LLMError, type EmbeddingModel } from '@vizprompt/providers';
import { gemini, geminiEmbeddings } from '@vizprompt/providers/gemini';
import { ollamaEmbeddings } from '@vizprompt/providers/ollama';
import { openaiEmbeddings } from '@vizprompt/providers/openai';
import { describe, expect, it } from 'vitest';
import { KEY } from '../../support/models/adapters.ts';

type Body = { readonly input: readonly string[] } & Readonly<Record<string, unknown>>;
type Answer = (body: Body) => Response;

let servers = 0;

/** Returns a model whose server answers so, and what it was asked. */
function speaking(answer: Answer, options: object = {}): { model: EmbeddingModel; bodies: Body[] } {
  const bodies: Body[] = [];
  const fetch: typeof globalThis.fetch = async (_input, init) => {
    const body = JSON.parse(init?.body as string) as Body;
    bodies.push(body);
    return answer(body);
  };
  const baseURL = `http://vectors-${servers++}.invalid/v1`;
  return {
    model: openaiEmbeddings({ model: 'e', apiKey: KEY, baseURL, fetch, ...options }),
    bodies,
  };
}

const base64 = (...numbers: readonly number[]): string =>
  Buffer.from(Float32Array.from(numbers).buffer).toString('base64');
const data = (...entries: readonly object[]): object => ({ data: entries });

/** Two vectors, in all forms in which servers send them. */
const forms: readonly (readonly [name: string, body: unknown])[] = [
  ['in order', data({ index: 0, embedding: [1, 2] }, { index: 1, embedding: [3, 4] })],
  ['in another order', data({ index: 1, embedding: [3, 4] }, { index: 0, embedding: [1, 2] })],
  ['numbered from 1', data({ index: 1, embedding: [1, 2] }, { index: 2, embedding: [3, 4] })],
  [
    'from 1, in another order',
    data({ index: 2, embedding: [3, 4] }, { index: 1, embedding: [1, 2] }),
  ],
  ['all numbered 0', data({ index: 0, embedding: [1, 2] }, { index: 0, embedding: [3, 4] })],
  ['without numbers', data({ embedding: [1, 2] }, { embedding: [3, 4] })],
  ['numbers as texts', data({ index: '1', embedding: [3, 4] }, { index: '0', embedding: [1, 2] })],
  ['base64', data({ index: 0, embedding: base64(1, 2) }, { index: 1, embedding: base64(3, 4) })],
  ['rows of matrices', data({ index: 0, embedding: [[1, 2]] }, { index: 1, embedding: [[3, 4]] })],
  ['objects', data({ embedding: { values: [1, 2] } }, { embedding: { float: [3, 4] } })],
  [
    '`embeddings`',
    {
      embeddings: [
        [1, 2],
        [3, 4],
      ],
    },
  ],
  [
    '`output.embeddings`',
    {
      output: {
        embeddings: [
          { text_index: 1, embedding: [3, 4] },
          { text_index: 0, embedding: [1, 2] },
        ],
      },
    },
  ],
  [
    '`vectors` (MiniMax)',
    {
      vectors: [
        [1, 2],
        [3, 4],
      ],
      base_resp: { status_code: 0 },
    },
  ],
  ['`results` (watsonx)', { results: [{ embedding: [1, 2] }, { embedding: [3, 4] }] }],
  [
    '`predictions` (Vertex)',
    { predictions: [{ embeddings: { values: [1, 2] } }, { embeddings: { values: [3, 4] } }] },
  ],
  ['by their numbers', { data: { 0: { embedding: [1, 2] }, 1: { embedding: [3, 4] } } }],
  ['`dense`', data({ index: 0, dense: [1, 2] }, { index: 1, dense: [3, 4] })],
  [
    'a list',
    [
      [1, 2],
      [3, 4],
    ],
  ],
];

const odd: readonly (readonly [name: string, body: unknown, says: string])[] = [
  [
    'null',
    data({ index: 0, embedding: [1, 2] }, { index: 1, embedding: [null, 4] }),
    'that of text 1 has null at 0',
  ],
  [
    'a text',
    data({ index: 0, embedding: ['1', 2] }, { index: 1, embedding: [3, 4] }),
    'that of text 0 has "1" at 0',
  ],
  [
    'another length',
    data({ embedding: [1, 2] }, { embedding: [3] }),
    'that of text 1 has 1 numbers instead of 2',
  ],
  ['fewer', data({ index: 0, embedding: [1, 2] }), '1 for 2 texts'],
  ['nothing', data({ embedding: [] }, { embedding: [] }), 'they are empty'],
  [
    'NaN in base64',
    data({ embedding: base64(1, NaN) }, { embedding: base64(1, 2) }),
    'that of text 0 has null at 1',
  ],
  [
    'two of the same',
    data({ index: 0, embedding: [1, 2] }, { index: 2, embedding: [1, 2] }),
    'one is for text 2',
  ],
  ['another answer', { object: 'list' }, '0 for 2 texts'],
];

describe('vectors', () => {
  it.each(forms)('are read: %s', async (_, body) => {
    const { model } = speaking(() => Response.json(body));
    const { vectors } = await model.embed({ values: ['a', 'b'] });
    expect(vectors.map((vector) => Array.from(vector))).toEqual([
      [1, 2],
      [3, 4],
    ]);
  });

  it.each(odd)('that are invalid are refused: %s', async (_, body, says) => {
    const { model } = speaking(() => Response.json(body));
    const embedding = model.embed({ values: ['a', 'b'] });
    await expect(embedding).rejects.toMatchObject({ code: 'bad_response' });
    await expect(embedding).rejects.toThrow(says);
  });

  it.each([
    ['rate_limit', { error: { message: 'rate limit reached' } }],
    ['not_found', { error: { message: 'No models loaded' } }],
    ['auth', { code: 401, message: 'Invalid API key' }],
    ['quota', { vectors: null, base_resp: { status_code: 1008, status_msg: 'no balance' } }],
  ])('that are a failure with a status of success: %s', async (code, body) => {
    const { model } = speaking(() => Response.json(body));
    await expect(model.embed({ values: ['a'] })).rejects.toMatchObject({ code });
  });

  it('with nulls are refused by every adapter, by the place of the text', async () => {
    const answers = {
      embeddings: [
        [1, null],
        [1, 2],
      ],
    };
    const fetch = async (): Promise<Response> => Response.json(answers);
    const other = async (): Promise<Response> =>
      Response.json({ embeddings: [{ values: [1, 2] }, { values: [null, 2] }] });
    const one = ollamaEmbeddings({ model: 'e', host: 'http://o.invalid', fetch });
    const two = geminiEmbeddings({
      model: 'e',
      apiKey: KEY,
      baseURL: 'http://g.invalid',
      fetch: other,
    });
    await expect(one.embed({ values: ['a', 'b'] })).rejects.toThrow('that of text 0 has null at 1');
    await expect(two.embed({ values: ['a', 'b'] })).rejects.toThrow('that of text 1 has null at 0');
    expect(gemini).toBeTypeOf('function');
  });
});

const numbers = ({ input }: Body): Response =>
  Response.json({ data: input.map((text, index) => ({ index, embedding: [text.length, 1] })) });

/** The words of servers when a batch is too large for them. */
const refusals: readonly (readonly [server: string, message: string])[] = [
  ['OpenAI', 'Requested 375703 tokens, max 300000 tokens per request'],
  [
    'Voyage',
    'The max allowed tokens per submitted batch is 120000. Your batch has 121138 tokens after truncation.',
  ],
  [
    'DashScope',
    '<400> InternalError.Algo.InvalidParameter: Value error, batch size is invalid, it should not be larger than 10.: input.contents',
  ],
  ['SiliconFlow', 'input batch size 136 > maximum allowed batch size 64'],
  ['Vertex, count', '251 instance(s) is not allowed. Max allowed: 250'],
  ['TEI', 'batch size 64 > maximum allowed batch size 32'],
  ['Cohere', 'invalid request: total number of texts must be at most 96 - received 100'],
  ['Zhipu', 'input数组最大不得超过64条'],
  ['Baidu', 'the max number of texts is 16'],
  ['Vertex', 'the input token count is 30000 but the model supports up to 20000.'],
  ['Gemini', 'BatchEmbedContentsRequest.requests: at most 100 requests can be in one batch'],
  [
    'OpenAI, count',
    "'$.input' is invalid. Please check the API reference: array too long. Expected an array with maximum length 2048",
  ],
  [
    'vLLM',
    "This model's maximum context length is 8192 tokens. However, you requested 9000 tokens",
  ],
];

describe('batches', () => {
  it.each(refusals)('that are too large for %s are halved', async (_, message) => {
    const { model, bodies } = speaking((body) =>
      body.input.length > 3
        ? Response.json({ error: { message } }, { status: 400 })
        : numbers(body),
    );
    const values = Array.from({ length: 10 }, (_unused, at) => 'x'.repeat(at + 1));
    const { vectors } = await model.embed({ values });
    expect(vectors.map(([length]) => length)).toEqual(values.map(({ length }) => length));
    expect(bodies.length).toBeLessThan(12);
  });

  it('are weighed by their tokens', async () => {
    const { model, bodies } = speaking(numbers, { maxBatchTokens: 1000 });
    const values = Array.from({ length: 20 }, () => '日本語'.repeat(100));
    expect((await model.embed({ values })).vectors).toHaveLength(20);
    expect(bodies.length).toBeGreaterThan(3);
    for (const { input } of bodies) expect(input.join('').length).toBeLessThan(2000);
  });

  it('of one text that is too long fail, and name it', async () => {
    const { model } = speaking((body) => {
      const isTooLong = body.input.some((text) => text.length > 5);
      const error = { message: 'maximum context length is 5 tokens' };
      return isTooLong ? Response.json({ error }, { status: 400 }) : numbers(body);
    });
    const error: unknown = await model
      .embed({ values: ['a', 'b', 'x'.repeat(9)] })
      .catch((e: unknown) => e);
    if (!LLMError.isInstance(error)) throw error;
    expect(error).toMatchObject({ code: 'context_length', context: { index: 2 } });
  });

  it('are sent again without a field that is refused', async () => {
    const { model, bodies } = speaking((body) =>
      'encoding_format' in body
        ? Response.json(
            { error: { message: 'Extra inputs are not permitted: encoding_format' } },
            { status: 400 },
          )
        : numbers(body),
    );
    await model.embed({ values: ['a'] });
    await model.embed({ values: ['b'] });
    expect(bodies.map((body) => 'encoding_format' in body)).toEqual([true, false, false]);
  });
});

it.each([
  'failed to encode response: json: unsupported value: NaN',
  'json: unsupported value: +Inf',
])('takes "%s" of Ollama for a failure, not for what it does not support', async (error) => {
  const fetch: typeof globalThis.fetch = async () => Response.json({ error }, { status: 500 });
  const baseURL = `http://vectors-${servers++}.invalid`;
  const model = ollamaEmbeddings({ model: 'bge-m3', baseURL, fetch });
  await expect(model.embed({ values: ['a'] })).rejects.toMatchObject({ code: 'server' });
});
