import { textMessage, type ChatRequest, type Message, type Part } from '@vizprompt/providers';
import { anthropic, type AnthropicOptions } from '@vizprompt/providers/anthropic';
import type { FakeLLM, FakeRequest } from '@vizprompt/providers/testing';
import { describe, expect, it } from 'vitest';
import { fakeServer, KEY, listenToConsole } from '../../support/models/adapters.ts';
import { message } from '../../support/models/forms/messages-events.ts';

const QUESTION = textMessage('user', '猫は好き？');
const ask = { messages: [QUESTION] };

function claude(llm: FakeLLM, options: Partial<AnthropicOptions> = {}) {
  return anthropic({ model: 'claude-sonnet-5-5', apiKey: KEY, baseURL: llm.url, ...options });
}

async function sentBody(request: ChatRequest, options: Partial<AnthropicOptions> = {}) {
  const llm = await fakeServer();
  await claude(llm, options).generate(request);
  return bodyOf(llm.requests[0]);
}

function bodyOf(request: FakeRequest | undefined): Readonly<Record<string, unknown>> {
  return request?.body ?? {};
}

const png = Buffer.from('iVBORw0KGgo=', 'base64');

describe('thoughts', () => {
  it('go back signed and in their order, hidden ones too', async () => {
    const llm = await fakeServer();
    llm.fail({
      type: 'status',
      status: 200,
      ...message(
        [
          { type: 'thinking', thinking: 'まず猫を', signature: 'sig-1' },
          { type: 'redacted_thinking', data: 'SECRET' },
          { type: 'thinking', thinking: '', signature: 'sig-2' },
          { type: 'text', text: 'はい' },
          { type: 'tool_use', id: 'toolu_1', name: 'look', input: { at: '猫' } },
        ],
        { stop_reason: 'tool_use' },
      ),
    });
    const model = claude(llm);
    const { parts, finishReason } = await model.generate(ask);
    expect(finishReason).toBe('tool-calls');
    expect(parts.map(({ type }) => type)).toEqual([
      'reasoning',
      'reasoning',
      'reasoning',
      'text',
      'tool-call',
    ]);
    const result: Part = { type: 'tool-result', id: 'toolu_1', name: 'look', output: 'にゃあ' };
    const answer: Message = { role: 'assistant', parts };
    await model.generate({ messages: [QUESTION, answer, { role: 'tool', parts: [result] }] });
    expect(bodyOf(llm.requests[1])['messages']).toEqual([
      { role: 'user', content: '猫は好き？' },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'まず猫を', signature: 'sig-1' },
          { type: 'redacted_thinking', data: 'SECRET' },
          { type: 'thinking', thinking: '', signature: 'sig-2' },
          { type: 'text', text: 'はい' },
          { type: 'tool_use', id: 'toolu_1', name: 'look', input: { at: '猫' } },
        ],
      },
      {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'にゃあ' }],
      },
    ]);
  });

  it.each([
    ['claude-sonnet-5-5', 'high', { type: 'adaptive', display: 'summarized' }, { effort: 'high' }],
    ['claude-opus-4-6', 'minimal', { type: 'adaptive', display: 'summarized' }, { effort: 'low' }],
    ['claude-sonnet-5', 'none', { type: 'disabled' }, undefined],
    ['claude-sonnet-5', 'default', { type: 'adaptive', display: 'summarized' }, undefined],
    ['claude-sonnet-4-5-20250929', 'medium', { type: 'enabled', budget_tokens: 8192 }, undefined],
    ['claude-opus-4-5', 'low', { type: 'enabled', budget_tokens: 2048 }, { effort: 'low' }],
    ['claude-3-7-sonnet-20250219', 'default', undefined, undefined],
    ['claude-3-5-haiku-20241022', 'high', undefined, undefined],
    ['deepseek-v4', 'high', { type: 'enabled', budget_tokens: 13_107 }, undefined],
  ] as const)(
    'of %s are asked for with the effort %s',
    async (model, reasoning, thinking, config) => {
      const body = await sentBody({ ...ask, reasoning }, { model });
      expect(body['thinking']).toEqual(thinking);
      expect(body['output_config']).toEqual(config);
    },
  );

  it('have room next to a small limit', async () => {
    const request = { ...ask, reasoning: 'high', maxOutputTokens: 500 } as const;
    const body = await sentBody(request, { model: 'claude-sonnet-4-5' });
    expect(body).toMatchObject({ max_tokens: 1524, thinking: { budget_tokens: 1219 } });
  });
});

describe('the limit of an answer', () => {
  it.each([
    ['claude-3-opus-20240229', 4096],
    ['claude-3-5-sonnet-20241022', 8192],
    ['claude-3-7-sonnet-latest', 64_000],
    ['claude-opus-4-20250514', 32_000],
    ['claude-opus-4-1', 32_000],
    ['claude-sonnet-4-20250514', 64_000],
    ['anthropic/claude-sonnet-4.5', 64_000],
    ['us.anthropic.claude-haiku-4-5-20251001-v1:0', 64_000],
    ['claude-opus-4@20250514', 32_000],
    ['claude-opus-4-6', 128_000],
    ['claude-opus-4-8', 128_000],
    ['claude-haiku-5-5', 128_000],
    ['claude-mythos-preview', 128_000],
    ['glm-5', 16_384],
  ])('of %s is %d', async (model, tokens) => {
    expect(await sentBody(ask, { model })).toMatchObject({ max_tokens: tokens });
  });

  it.each([
    [
      'max_tokens: 128000 > 64000, which is the maximum allowed number of output tokens for m',
      64_000,
      64_000,
    ],
    [
      'The maximum tokens you requested exceeds the model limit of 8192. Try again with a maximum tokens value that is lower than 8192.',
      8192,
      8192,
    ],
    ['Invalid max_tokens value, the valid range of max_tokens is [1, 8192]', 8192, 8192],
    ['max_tokens must be less than or equal to 32768', 32_768, 32_768],
    [
      'input length and `max_tokens` exceed context limit: 190000 + 128000 > 200000, decrease input length or `max_tokens` and try again',
      10_000,
      128_000,
    ],
    [
      "'max_tokens' or 'max_completion_tokens' is too large: 128000. This model's maximum context length is 4096 tokens and your request has 96 input tokens (128000 > 4096 - 96).",
      4000,
      128_000,
    ],
  ])('is learned from: %s', async (said, then, next) => {
    const llm = await fakeServer();
    const body = { type: 'error', error: { type: 'invalid_request_error', message: said } };
    llm.fail({ type: 'status', status: 400, body });
    const model = claude(llm, { model: `claude-sonnet-5-5-v${said.length}` });
    await model.generate(ask);
    await model.generate(ask);
    const limits = llm.requests.map((request) => bodyOf(request)['max_tokens']);
    expect(limits).toEqual([128_000, then, next]);
  });

  it('is not changed where the caller set it', async () => {
    const llm = await fakeServer();
    const said =
      'max_tokens: 200000 > 128000, which is the maximum allowed number of output tokens';
    const body = { type: 'error', error: { type: 'invalid_request_error', message: said } };
    llm.fail({ type: 'status', status: 400, body });
    const failing = claude(llm).generate({ ...ask, maxOutputTokens: 200_000 });
    await expect(failing).rejects.toMatchObject({ code: 'invalid_request' });
  });
});

describe('a request', () => {
  it('has what the system says first, and results before what the user adds', async () => {
    const body = await sentBody({
      messages: [
        textMessage('system', 'Be kind.'),
        QUESTION,
        {
          role: 'assistant',
          parts: [{ type: 'tool-call', id: 'call:1/猫', name: '天気 を見る', input: [] }],
        },
        {
          role: 'tool',
          parts: [
            {
              type: 'tool-result',
              id: 'call:1/猫',
              name: '天気 を見る',
              output: null,
              isError: true,
            },
          ],
        },
        textMessage('user', 'つづけて'),
        { role: 'assistant', parts: [{ type: 'reasoning', text: 'of another model' }] },
        textMessage('assistant', 'はい、 \n'),
      ],
    });
    expect(body['system']).toBe('Be kind.');
    const [, called, answered, last] = body['messages'] as { content: { id?: string }[] }[];
    const id = called?.content[0]?.id;
    expect(id).toMatch(/^[a-zA-Z0-9_-]+$/);
    expect(called).toMatchObject({
      content: [
        { type: 'tool_use', name: expect.stringMatching(/^[\w-]+$/), input: { value: [] } },
      ],
    });
    expect(answered).toEqual({
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: id, content: 'null', is_error: true },
        { type: 'text', text: 'つづけて' },
      ],
    });
    expect(last).toEqual({ role: 'assistant', content: 'はい、' });
  });

  it('gives tools their names back', async () => {
    const llm = await fakeServer();
    const model = claude(llm);
    const tool = { name: '天気', parameters: {} };
    await model.generate({ ...ask, tools: [tool] });
    const [{ name = '' } = {}] = bodyOf(llm.requests[0])['tools'] as { name?: string }[];
    llm.answer([{ type: 'tool-call', id: 'a', name, input: {} }]);
    const { parts } = await model.generate({ ...ask, tools: [tool], toolChoice: { tool: '天気' } });
    expect(parts).toEqual([{ type: 'tool-call', id: 'a', name: '天気', input: {} }]);
    expect(bodyOf(llm.requests[1])['tool_choice']).toEqual({ type: 'tool', name });
  });

  it('shows pictures, documents and texts, also as results of tools', async () => {
    const text = Buffer.from('吾輩は猫である');
    const pdf = new URL('https://example.com/a.pdf');
    const shot = [
      { type: 'text', text: 'here' },
      { type: 'image', mimeType: 'image/png', data: png.toString('base64') },
    ];
    const body = await sentBody({
      messages: [
        {
          role: 'user',
          parts: [
            { type: 'file', mediaType: 'image/*', data: png },
            { type: 'file', mediaType: 'application/pdf', data: pdf, name: 'a' },
            { type: 'file', mediaType: 'text/markdown', data: text },
            {
              type: 'file',
              mediaType: 'image/png',
              data: new URL(`data:image/png;base64,iVBORw0KGgo=`),
            },
          ],
        },
        { role: 'assistant', parts: [{ type: 'tool-call', id: 'a', name: 'shot', input: {} }] },
        { role: 'tool', parts: [{ type: 'tool-result', id: 'a', name: 'shot', output: shot }] },
      ],
    });
    const image = {
      type: 'image',
      source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' },
    };
    expect(body['messages']).toMatchObject([
      {
        content: [
          image,
          { type: 'document', source: { type: 'url', url: pdf.href }, title: 'a' },
          { type: 'document', source: { type: 'text', data: '吾輩は猫である' } },
          image,
        ],
      },
      {},
      {
        content: [
          {
            type: 'tool_result',
            tool_use_id: 'a',
            content: [{ type: 'text', text: 'here' }, image],
          },
        ],
      },
    ]);
  });

  it('refuses sound, before anything is sent', async () => {
    const llm = await fakeServer();
    const sound: Part = { type: 'file', mediaType: 'audio/wav', data: png };
    const failing = claude(llm).generate({ messages: [{ role: 'user', parts: [sound] }] });
    await expect(failing).rejects.toMatchObject({ code: 'unsupported' });
    expect(llm.requests).toEqual([]);
  });

  it('marks what is to be cached', async () => {
    const mark = { type: 'ephemeral', ttl: '1h' } as const;
    const body = await sentBody(
      {
        messages: [
          { ...textMessage('system', 'long'), meta: { anthropic: { cacheControl: mark } } },
          {
            role: 'user',
            parts: [
              { type: 'text', text: 'a', meta: { anthropic: { cache_control: mark } } },
              { type: 'text', text: 'b' },
            ],
          },
        ],
      },
      { cache: '5m' },
    );
    expect(body).toMatchObject({
      cache_control: { type: 'ephemeral', ttl: '5m' },
      system: [{ type: 'text', text: 'long', cache_control: mark }],
      messages: [
        {
          content: [
            { type: 'text', text: 'a', cache_control: mark },
            { type: 'text', text: 'b' },
          ],
        },
      ],
    });
  });

  it('adds tools of the server, betas and fields of its own', async () => {
    const llm = await fakeServer();
    const search = { type: 'web_search_20260318', name: 'web_search' };
    const servers = [{ type: 'url', url: 'https://mcp.example.com', name: 'm' }];
    await claude(llm, { betas: ['a-1'] }).generate({
      ...ask,
      tools: [{ name: 'mine', description: 'd', parameters: { type: 'object' } }],
      providerOptions: {
        anthropic: {
          tools: [search],
          betas: ['b-2', 'a-1'],
          mcp_servers: servers,
          service_tier: 'auto',
        },
      },
    });
    const [request] = llm.requests;
    expect(request?.headers['anthropic-beta']).toBe('a-1,b-2');
    expect(bodyOf(request)).toMatchObject({
      tools: [{ name: 'mine', description: 'd', input_schema: { type: 'object' } }, search],
      mcp_servers: servers,
      service_tier: 'auto',
    });
    expect(bodyOf(request)).not.toHaveProperty('betas');
  });

  it('holds newer models to a schema, and instructs older ones in words', async () => {
    const schema = {
      type: 'object',
      properties: { age: { type: 'integer', minimum: 0 }, name: { type: 'string' } },
      required: ['age'],
    };
    const output = { type: 'json', schema } as const;
    expect(await sentBody({ ...ask, output })).toMatchObject({
      output_config: {
        format: {
          type: 'json_schema',
          schema: {
            type: 'object',
            properties: { age: { type: 'integer' }, name: { type: 'string' } },
            required: ['age'],
            additionalProperties: false,
          },
        },
      },
    });
    const old = await sentBody({ ...ask, output }, { model: 'claude-sonnet-4-0' });
    expect(old).not.toHaveProperty('output_config');
    expect(old['system']).toContain('"minimum":0');
    const open = await sentBody({ ...ask, output: { type: 'json' } });
    expect(open['system']).toContain('JSON object');
  });

  it('prints nothing, also for models that the SDK warns of', async () => {
    const spies = listenToConsole();
    await sentBody({ ...ask, reasoning: 'high' }, { model: 'claude-opus-4-20250514' });
    await sentBody({ ...ask, temperature: 0 }, { model: 'claude-opus-4-6' });
    for (const spy of spies) expect(spy).not.toHaveBeenCalled();
  });

  it('counts tokens as the server does', async () => {
    const llm = await fakeServer();
    const tokens = await claude(llm).countTokens?.({ messages: [textMessage('user', '猫だ')] });
    expect(tokens).toEqual({ tokens: 2, exact: true });
    expect(bodyOf(llm.requests[0])).not.toHaveProperty('max_tokens');
  });
});
