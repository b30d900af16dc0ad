import { textMessage, type ChatModel, type ChatRequest } from '@vizprompt/providers';
import { gemini } from '@vizprompt/providers/gemini';
import { ollama } from '@vizprompt/providers/ollama';
import { openai, type OpenAIProfileName } from '@vizprompt/providers/openai';
import { describe, expect, it } from 'vitest';
import { KEY } from '../../support/models/adapters.ts';

// Answers that single servers are known to send, byte by byte.

const request: ChatRequest = { messages: [textMessage('user', 'x')] };
type Body = Readonly<Record<string, unknown>>;

interface Stub {
  readonly bodies: Body[];
  readonly fetch: typeof fetch;
}

function stub(answer: (body: Body, call: number) => Response): Stub {
  const bodies: Body[] = [];
  return {
    bodies,
    fetch: async (_input, init) => {
      const body = JSON.parse(init?.body as string) as Body;
      bodies.push(body);
      return answer(body, bodies.length);
    },
  };
}

function events(...chunks: readonly object[]): Response {
  const text = chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join('');
  return new Response(text, { headers: { 'content-type': 'text/event-stream' } });
}

function delta(fields: object, finish: string | null = null): object {
  return { id: 'a', choices: [{ index: 0, delta: fields, finish_reason: finish }] };
}

const call = (
  index: number | undefined,
  id: string | undefined,
  name: string,
  args: string,
): object => delta({ tool_calls: [{ index, id, function: { name, arguments: args } }] });

function refusal(error: object, status = 400): Response {
  return Response.json({ error }, { status });
}

let servers = 0;
function speaking({ fetch }: Stub, profile?: OpenAIProfileName): ChatModel {
  const baseURL = `http://server-${servers++}.invalid/v1`;
  return openai({ model: 'm', apiKey: KEY, baseURL, fetch, profile });
}

const done = delta({}, 'stop');
const inputs = async (...chunks: readonly object[]): Promise<unknown[]> => {
  const { parts } = await speaking(stub(() => events(...chunks, delta({}, 'tool_calls')))).generate(
    request,
  );
  return parts.map((part) => (part.type === 'tool-call' ? [part.name, part.input] : part));
};

describe('tool calls in pieces', () => {
  const both = [
    ['f', { a: 1 }],
    ['g', { b: 2 }],
  ];
  it.each([
    [
      'calls that all have the index 0',
      [call(0, 'i', 'f', '{"a":1}'), call(0, 'j', 'g', '{"b":2}')],
    ],
    [
      'whole calls without index and id',
      [call(undefined, undefined, 'f', '{"a":1}'), call(undefined, undefined, 'g', '{"b":2}')],
    ],
    [
      'pieces without index and id behind the first',
      [
        call(undefined, 'i', 'f', '{"a"'),
        delta({ tool_calls: [{ function: { arguments: ':1}' } }] }),
        call(undefined, 'j', 'g', '{"b":2}'),
      ],
    ],
    [
      'names that are repeated as empty texts',
      [call(0, 'i', 'f', '{"a"'), call(0, '', '', ':1}'), call(1, 'j', 'g', '{"b":2}')],
    ],
  ])('are put together: %s', async (_, chunks) => {
    expect(await inputs(...chunks)).toEqual(both);
  });

  it('that the limit of tokens cut off are left out, and what they cost is reported', async () => {
    const usage = { prompt_tokens: 500, completion_tokens: 4000 };
    const cut = (): Stub =>
      stub(() =>
        events(call(0, 'i', 'f', '{"a'), delta({}, 'length'), { id: 'a', choices: [], usage }),
      );
    const result = await speaking(cut()).generate(request);
    expect(result).toMatchObject({ finishReason: 'length', parts: [] });
    expect(result.usage.outputTokens).toBe(4000);
    const broken = stub(() =>
      events(call(0, 'i', 'f', '{"a'), delta({}, 'stop'), { id: 'a', choices: [], usage }),
    );
    await expect(speaking(broken).generate(request)).rejects.toMatchObject({
      code: 'output_parse',
      outputStarted: true,
      partial: { usage: { inputTokens: 500, outputTokens: 4000 } },
    });
  });
});

describe('a refused field', () => {
  it('is no field whose value was wrong', async () => {
    const server = stub(({ temperature = 0, max_tokens: limit = 0 }) => {
      if (Number(temperature) > 2) {
        const message = "Invalid 'temperature': decimal above maximum value.";
        return refusal({ message, param: 'temperature', code: 'decimal_above_max_value' });
      }
      if (Number(limit) > 100) {
        return refusal({ message: 'max_tokens is too large: 200', param: 'max_tokens' });
      }
      return events(delta({ content: 'ok' }), done);
    });
    const model = speaking(server);
    const refused = { code: 'invalid_request', status: 400 };
    await expect(model.generate({ ...request, temperature: 3 })).rejects.toMatchObject(refused);
    await expect(model.generate({ ...request, maxOutputTokens: 200 })).rejects.toMatchObject(
      refused,
    );
    await model.generate({ ...request, temperature: 0.1, maxOutputTokens: 10 });
    expect(server.bodies.at(-1)).toMatchObject({ temperature: 0.1, max_tokens: 10 });
  });

  it('is asked for in words if it is the schema', async () => {
    const server = stub((body) =>
      'response_format' in body
        ? refusal({ message: "Unknown parameter: 'response_format'.", param: 'response_format' })
        : events(delta({ content: '{}' }), done),
    );
    const output = { type: 'json', schema: { type: 'object', title: 'Cat' } } as const;
    const { warnings } = await speaking(server).generate({ ...request, output });
    expect(JSON.stringify(server.bodies[1])).toContain('Cat');
    expect(warnings).toMatchObject([{ field: 'output' }]);
  });

  it('is left out for calls side by side, too', async () => {
    const server = stub(({ temperature }) =>
      temperature === undefined
        ? events(delta({ content: 'ok' }), done)
        : refusal({ message: "Unsupported parameter: 'temperature'", param: 'temperature' }),
    );
    const model = speaking(server);
    const calls = Array.from({ length: 20 }, () => model.generate({ ...request, temperature: 1 }));
    for (const { text } of await Promise.all(calls)) expect(text).toBe('ok');
  });
});

describe('what one server says in its own way', () => {
  it('is an error after a status of success', async () => {
    const whole = stub(() => Response.json({ error: { code: 402, message: 'no credits' } }));
    await expect(speaking(whole).generate(request)).rejects.toMatchObject({ code: 'quota' });
    const chunk = stub(() => events({ object: 'error', message: 'boom', code: 400 }));
    await expect(speaking(chunk).generate(request)).rejects.toMatchObject({
      code: 'invalid_request',
    });
    const text = stub(() => Response.json({ choices: [] }));
    await expect(speaking(text).generate(request)).rejects.toThrow('was asked for a stream');
  });

  it('is a redirect, which would carry the key elsewhere', async () => {
    const headers = { location: 'http://elsewhere.invalid/v1?key=secret' };
    const server = stub(() => new Response(null, { status: 307, headers }));
    const calling = speaking(server).generate(request);
    await expect(calling).rejects.toThrow('redirects to http://elsewhere.invalid/v1, which is not');
    expect(server.bodies).toHaveLength(1);
  });

  it('is a refusal, of the model itself', async () => {
    const server = stub(() => events(delta({ refusal: 'No.' }), done));
    expect(await speaking(server).generate(request)).toMatchObject({
      text: 'No.',
      finishReason: 'content-filter',
    });
  });

  it('is Mistral: content in lists, ids of nine', async () => {
    const thinking = [{ type: 'thinking', thinking: [{ type: 'text', text: '考え' }] }];
    const server = stub(() =>
      events(
        delta({ content: thinking }),
        delta({ content: [{ type: 'text', text: 'Hello' }] }),
        delta({ content: ' there' }),
        done,
      ),
    );
    const model = speaking(server, 'mistral');
    const { parts } = await model.generate({
      messages: [
        { role: 'assistant', parts: [{ type: 'tool-call', id: 'call_1', name: 't', input: {} }] },
        { role: 'tool', parts: [{ type: 'tool-result', id: 'call_1', name: 't', output: 1 }] },
      ],
    });
    expect(parts).toEqual([
      { type: 'reasoning', text: '考え', meta: { openai: { thinking: true } } },
      { type: 'text', text: 'Hello there' },
    ]);
    const sent = JSON.stringify(server.bodies[0]);
    const id = /"tool_call_id":"([a-z0-9]{9})"/.exec(sent)?.[1];
    expect(sent).toContain(`"tool_calls":[{"id":"${id}"`);
  });

  it('is OpenRouter: details of thoughts, each once', async () => {
    const one = { type: 'reasoning.text', text: 'a', signature: 's' };
    const two = { type: 'reasoning.encrypted', data: 'z' };
    const server = stub(() =>
      events(
        delta({ reasoning: 'a', reasoning_details: [one] }),
        delta({ content: 'b' }),
        delta({ reasoning_details: [two] }),
        done,
      ),
    );
    const model = speaking(server, 'openrouter');
    const { parts } = await model.generate(request);
    await model.generate({ messages: [{ role: 'assistant', parts }, ...request.messages] });
    expect(server.bodies[1]?.['messages']).toMatchObject([{ reasoning_details: [one, two] }, {}]);
  });

  it('never shows a key, wherever it is in a long message', async () => {
    const server = stub(() => refusal({ message: `${'x'.repeat(570)} ${KEY}` }, 401));
    const calling = speaking(server).generate(request);
    await expect(calling).rejects.toMatchObject({ code: 'auth' });
    await expect(calling).rejects.not.toThrow(KEY.slice(0, 12));
  });
});

describe('Gemini', () => {
  const chunk = (parts: readonly object[], finishReason?: string): object => ({
    candidates: [{ content: { role: 'model', parts }, finishReason }],
  });
  const speak = ({ fetch }: Stub): ChatModel =>
    gemini({ model: 'gemini-3-pro', apiKey: KEY, baseURL: 'http://g.invalid', fetch });

  it('keeps each signature, and names the call that a result is for', async () => {
    const server = stub(() =>
      events(
        chunk([{ text: 'a', thought: true, thoughtSignature: 'one' }]),
        chunk([{ text: 'b', thought: true }]),
        chunk([
          { text: 'c', thoughtSignature: 'two' },
          { text: 'd', thoughtSignature: 'three' },
        ]),
        chunk([{ functionCall: { id: 'g1', name: 'f', args: {} } }], 'STOP'),
      ),
    );
    const model = speak(server);
    const { parts } = await model.generate(request);
    const id = parts.find((part) => part.type === 'tool-call')?.id ?? '';
    await model.generate({
      messages: [
        { role: 'assistant', parts },
        { role: 'tool', parts: [{ type: 'tool-result', id, name: 'f', output: 1 }] },
      ],
    });
    const sent = JSON.stringify(server.bodies[1]);
    for (const signature of ['one', 'two', 'three']) expect(sent).toContain(signature);
    expect(sent).toContain('"functionResponse":{"id":"g1"');
  });

  it('keeps code that it ran, and gives it back as it was', async () => {
    const code = { executableCode: { language: 'PYTHON', code: 'print(1)' } };
    const output = { codeExecutionResult: { outcome: 'OUTCOME_OK', output: '1' } };
    const server = stub(() => events(chunk([{ text: 'a' }, code, output], 'STOP')));
    const model = speak(server);
    const { parts, finishReason } = await model.generate(request);
    expect(parts.map(({ type }) => type)).toEqual(['text', 'tool-call', 'tool-result']);
    expect(finishReason).toBe('stop');
    await model.generate({ messages: [{ role: 'assistant', parts }, ...request.messages] });
    expect(server.bodies[1]?.['contents']).toMatchObject([
      { parts: [{ text: 'a' }, code, output] },
      {},
    ]);
  });

  it('is not asked again for what the SDK itself refuses', async () => {
    const server = stub(() => events(chunk([{ text: 'a' }], 'STOP')));
    const calling = speak(server).generate({ messages: [textMessage('system', 'x')] });
    await expect(calling).rejects.toMatchObject({ code: 'invalid_request', isRetryable: false });
  });
});

describe('Ollama', () => {
  const lines = (text: string, type = 'application/x-ndjson'): Response =>
    new Response(text, { headers: { 'content-type': type } });
  const line = (content: string, isDone = false): string =>
    JSON.stringify({ model: 'm', message: { content }, done: isDone, done_reason: 'stop' });
  const speak = ({ fetch }: Stub): ChatModel =>
    ollama({ model: 'm', host: 'http://o.invalid', fetch });

  it('may leave out the last line break', async () => {
    const server = stub(() => lines(`${line('a')}\n${line('b', true)}`));
    expect((await speak(server).generate(request)).text).toBe('ab');
  });

  it('loses no line, whatever the type is called, and keeps what came before', async () => {
    const server = stub(() =>
      lines(`${line('a')}\n{oops\n${line('c', true)}\n`, 'application/json'),
    );
    await expect(speak(server).generate(request)).rejects.toMatchObject({
      code: 'bad_response',
      partial: { text: 'a' },
    });
  });

  it('thinks as far as the model can', async () => {
    const server = stub(({ think }) => {
      if (typeof think === 'string') {
        return Response.json({ error: `think value "${think}" is not supported` }, { status: 400 });
      }
      if (think === true) {
        return Response.json({ error: '"m" does not support thinking' }, { status: 400 });
      }
      return lines(`${line('a', true)}\n`);
    });
    const { text, warnings } = await speak(server).generate({ ...request, reasoning: 'high' });
    expect(text).toBe('a');
    expect(warnings).toMatchObject([{ field: 'reasoning' }]);
    expect(server.bodies.map(({ think }) => think)).toEqual(['high', true, undefined]);
  });
});
