import { LLMError, textMessage, type ChatModel } from '@vizprompt/providers';
import {
  defineTool,
  generateObject,
  runTools,
  type ToolRepair,
} from '@vizprompt/providers/generate';
import { openai } from '@vizprompt/providers/openai';
import { scriptedModel } from '@vizprompt/providers/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { fakeServer, KEY } from '../../support/models/adapters.ts';
import { delta, sse, type ServerAnswer } from '../../support/models/forms/form.ts';

const request = { messages: [textMessage('user', '京都の天気は？')] };

const weather = defineTool({
  name: 'weather',
  input: z.object({ city: z.string() }),
  execute: ({ city }) => `${city}: sunny`,
});

const called = (id: string, input: string, index = 0): object => ({
  index,
  id,
  function: { name: 'weather', arguments: input },
});
const calls = (...list: readonly object[]): ServerAnswer =>
  sse(delta({ content: 'Let me see.' }), delta({ tool_calls: list }), delta({}, 'tool_calls'));
const says = (text: string): ServerAnswer => sse(delta({ content: text }), delta({}, 'stop'));

async function modelThat(
  ...answers: readonly ServerAnswer[]
): Promise<{ model: ChatModel; requests: readonly { body: unknown }[] }> {
  const llm = await fakeServer();
  for (const { body, headers, status = 200 } of answers) {
    llm.fail({ type: 'status', status, body, ...(headers && { headers }) });
  }
  return {
    model: openai({ model: 'm', apiKey: KEY, baseURL: `${llm.url}/v1` }),
    requests: llm.requests,
  };
}

describe('a call that is not JSON', () => {
  it('goes back to the model as an error, with its raw text', async () => {
    const { model, requests } = await modelThat(
      calls(called('a', '{"city": Kyoto}'), called('b', '{"city":"Osaka"}', 1)),
      says('recovered'),
    );
    const repairs: ToolRepair[] = [];
    const run = await runTools(model, request, [weather], {
      onRepair: (repair) => repairs.push(repair),
    });
    expect(run).toMatchObject({ text: 'recovered', isComplete: true });
    expect(repairs).toMatchObject([
      { step: 1, repair: 1, tool: 'weather', input: '{"city": Kyoto}' },
    ]);
    expect(run.messages[0]?.parts).toMatchObject([
      { type: 'text', text: 'Let me see.' },
      { type: 'tool-call', id: 'b', input: { city: 'Osaka' } },
      { type: 'tool-call', id: 'a', input: '{"city": Kyoto}' },
    ]);
    expect(run.messages[1]?.parts).toMatchObject([
      { id: 'b', output: 'Osaka: sunny' },
      { id: 'a', isError: true },
    ]);
    expect(JSON.stringify(requests[1]?.body)).toContain('not valid JSON');
  });

  it('returns also with a listener, and only as often as needed', async () => {
    const broken = calls(called('a', '{city}'));
    const { model, requests } = await modelThat(broken, broken, broken, broken, broken);
    const error: unknown = await runTools(model, request, [weather], {
      maxRepairs: 2,
      onEvent: () => undefined,
    }).catch((failure: unknown) => failure);
    if (!LLMError.isInstance(error)) throw error;
    expect(error).toMatchObject({ code: 'output_parse', context: { steps: 2 } });
    expect(requests).toHaveLength(3);
  });

  it('is made again where the server does not pass it on', async () => {
    const message =
      "Failed to call a function. Please adjust your prompt. See 'failed_generation'.";
    const { model } = await modelThat(
      { status: 400, body: { error: { message, code: 'tool_use_failed' } } },
      calls(called('a', '{"city":"Kyoto"}')),
      says('fine'),
    );
    const run = await runTools(model, request, [weather]);
    expect(run).toMatchObject({ text: 'fine', isComplete: true });
    expect(run.messages.map(({ role }) => role)).toEqual(['assistant', 'tool', 'assistant']);
  });

  it.each([
    ['length', { finishReason: 'length' }],
    ['content_filter', { finishReason: 'content-filter' }],
  ] as const)('is no reason to call an answer whole that ended with %s', async (reason, last) => {
    const { model } = await modelThat(sse(delta({ content: 'half an' }), delta({}, reason)));
    const run = await runTools(model, request, [weather]);
    expect(run.isComplete).toBe(false);
    expect(run.steps).toMatchObject([last]);
  });
});

const cat = z.object({ a: z.number() });

/** Answers in which the object is not alone. */
const wrapped: readonly (readonly [string])[] = [
  ['{"a":1}'],
  ['\uFEFF{"a":1}'],
  ['<think>hm {x}</think>\n{"a":1}'],
  ['<thinking>{"a":2}</thinking>{"a":1}'],
  ['thoughts {"b":1}\n</think>\n\n{"a":1}'],
  ['Here it is:\n```json\n{"a":1}\n```'],
  ['```json\n{"a":1}\n```\nHope this helps!'],
  ['```JSON\n{"a":1}\n```'],
  ['```\n{"a":1}\n```'],
  ['```json\n{"a":1}'],
  ['First {"a":"x"}, no: {"a":1}'],
  ['Sure! The answer is {"a":1}. Anything else?'],
  ['{"a":1,}'],
  ['{"a":1}{"a":1}'],
  ['"{\\"a\\":1}"'],
  ['<|channel|>final<|message|>{"a":1}'],
  ['[1] says: {"a":1}'],
  ["{'a': 1}"],
  ['{a: 1}'],
  ['{“a”: 1}'],
  ['{"a":1, // one\n}'],
  ['{/* one */"a":1}'],
  ['{"a":1,"b":None,"c":True}'],
  ['{\u00a0"a":\u00a01}'],
  ['{\\n"a":1\\n}'],
  ['{"answer":{"a":1}}'],
  ['[{"a":1}]'],
  ['```json\n{"a":1}\n``` and </s>'],
];

describe('an object', () => {
  it.each(wrapped)('is found, and paid for once: %s', async (text) => {
    const model = scriptedModel([text]);
    const { object, attempts } = await generateObject(model, request, { schema: cat });
    expect({ object, attempts }).toEqual({ object: { a: 1 }, attempts: 1 });
  });

  it('that is not there is asked for again', async () => {
    const model = scriptedModel(['no {object} here', '{"a":1}']);
    const { attempts } = await generateObject(model, request, { schema: cat });
    expect(attempts).toBe(2);
  });

  it.each([['{"a":1'], ["{'a': 'it's'}"], ['{"a":one}'], ['{a: {b: 2}}']])(
    'is not made up: %s',
    async (text) => {
      const model = scriptedModel([text]);
      const answer = generateObject(model, request, { schema: cat, repair: 0 });
      await expect(answer).rejects.toMatchObject({ code: 'output_parse' });
    },
  );

  it('may say null for what is optional, and a text as it is', async () => {
    const schema = z.object({ a: z.array(z.object({ b: z.string().optional() })), c: z.null() });
    const sparse = scriptedModel(['{"a":[{"b":null}],"c":null}']);
    const { object, attempts } = await generateObject(sparse, request, { schema });
    expect({ object, attempts }).toEqual({ object: { a: [{}], c: null }, attempts: 1 });
    const word = scriptedModel(['yes']);
    const said = await generateObject(word, request, { schema: z.enum(['yes', 'no']) });
    expect(said.object).toBe('yes');
    const { model: excuse } = await modelThat(says('I cannot say.'), says('false'));
    const coerced = await generateObject(excuse, request, { schema: z.coerce.boolean() });
    expect(coerced).toMatchObject({ object: false, attempts: 2 });
  });

  it('is asked for without patterns and words that strict servers refuse', async () => {
    const { model, requests } = await modelThat(says('{}'), says('{}'));
    const strict = {
      type: 'object',
      properties: {
        a: { $ref: '#/$defs/a', description: 'x' },
        b: { type: 'string', pattern: '^(?=x)' },
      },
      required: ['a', 'b'],
      additionalProperties: false,
      $defs: { a: { type: 'string', pattern: '^(?:x)$' } },
    };
    const tuple = z.object({ a: z.tuple([z.number(), z.string()]) });
    const parse = { code: 'output_parse' };
    const once = { repair: 0 };
    await expect(generateObject(model, request, { schema: strict, ...once })).rejects.toMatchObject(
      parse,
    );
    await expect(generateObject(model, request, { schema: tuple, ...once })).rejects.toMatchObject(
      parse,
    );
    const [first, second] = requests.map(({ body }) => JSON.stringify(body));
    expect(first).toContain('"a":{"$ref":"#/$defs/a"}');
    expect(first).toContain('"pattern":"^(?:x)$"');
    expect(first).not.toContain('(?=');
    expect(second).toContain('"strict":false');
  });

  const pet = z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('cat'), lives: z.number() }),
    z.object({ kind: z.literal('dog') }),
  ]);
  const tree = {
    $defs: { node: { type: 'object', properties: { next: { $ref: '#/$defs/node' } } } },
    type: 'array',
    items: { $ref: '#/$defs/node' },
  };

  it.each([
    ['a list', z.array(z.string()), ['猫', '犬']],
    ['a union', pet, { kind: 'cat', lives: 9 }],
    ['a text', z.enum(['yes', 'no']), 'yes'],
    ['a number', { type: 'number' }, 3],
    ['a list with definitions', tree, [{ next: {} }]],
    ['a list that refers to itself', { type: 'array', items: { $ref: '#' } }, [[], [[]]]],
  ])('is asked for around %s', async (_, schema, value) => {
    for (const answer of [{ value }, value]) {
      const model = scriptedModel([JSON.stringify(answer)]);
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- schemas of several kinds
      const { object } = await generateObject(model, request, { schema: schema as typeof cat });
      expect(object).toEqual(value);
      const [call] = model.calls;
      expect(call?.output).toMatchObject({ schema: { type: 'object', required: ['value'] } });
    }
  });

  it('has a name and keywords that strict servers take, and is checked for the rest', async () => {
    const schema = z.object({
      url: z.url(),
      name: z.string().min(2).max(9),
      tags: z.array(z.string()),
    });
    const good = { url: 'https://example.com', name: '猫たち', tags: [] };
    const bad = { ...good, url: 'nowhere' };
    const { model, requests } = await modelThat(
      says(JSON.stringify(bad)),
      says(JSON.stringify(good)),
    );
    const { object, attempts } = await generateObject(model, request, { schema, name: '答え' });
    expect({ object, attempts }).toEqual({ object: good, attempts: 2 });
    const format = JSON.stringify(requests[0]?.body);
    expect(format).toContain('"name":"answer"');
    expect(format).toContain('"strict":true');
    expect(format).not.toMatch(/"format":"uri"|minLength|maxLength|\$schema/);
  });
});
