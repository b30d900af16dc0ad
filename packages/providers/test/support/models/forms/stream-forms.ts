import { candidate, delta, line, lines, refusal, sse, type Form } from './form.ts';
import { DONE, gemini, of, ollama, openai, type Row } from './row.ts';

const stop = delta({}, 'stop');
const done = line({}, { done: true, done_reason: 'stop' });
const whole = {
  id: 'x',
  object: 'chat.completion',
  choices: [{ index: 0, message: { role: 'assistant', content: 'whole' }, finish_reason: 'stop' }],
};
const json = { 'content-type': 'application/json' };
const pretty = (value: object): string => JSON.stringify(value, null, 2);
const ok = { text: 'whole', finish: 'stop', requests: 1 } as const;

/** Whole answers where a stream was asked for. */
const WHOLE: readonly Row[] = [
  openai('JSON', { headers: json, body: whole }, ok),
  openai('JSON over several lines', { headers: json, body: pretty(whole) }, ok),
  openai('JSON as a text', { headers: { 'content-type': 'text/plain' }, body: pretty(whole) }, ok),
  openai(
    'JSON that says it is a stream',
    { headers: { 'content-type': 'text/event-stream' }, body: JSON.stringify(whole) },
    ok,
  ),
  openai('a chunk with `message`', sse(whole, DONE), ok),
  openai(
    'a chunk with `text`',
    sse({ choices: [{ index: 0, text: 'whole', finish_reason: 'stop' }] }, DONE),
    ok,
  ),
  openai('lines of JSON', lines(delta({ content: 'whole' }), stop), ok),
  openai(
    'events that say they are JSON',
    {
      headers: json,
      body: `data: ${JSON.stringify(delta({ content: 'whole' }))}\n\ndata: ${JSON.stringify(stop)}\n\n`,
    },
    ok,
  ),
  {
    wire: 'openai',
    name: 'events, though none were asked for',
    answers: [
      { status: 400, body: { error: { message: 'Streaming is not allowed for this key' } } },
      sse(delta({ content: 'who' }), delta({ content: 'le' }, 'stop'), DONE),
    ],
    expected: { ...ok, requests: 2 },
  },
  {
    wire: 'openai',
    name: 'JSON as a text, where no stream was asked for',
    answers: [
      { status: 400, body: { error: { message: 'Streaming is not allowed for this key' } } },
      { headers: { 'content-type': 'text/plain' }, body: JSON.stringify(whole) },
    ],
    expected: { ...ok, requests: 2 },
  },
  gemini('JSON', { headers: json, body: candidate([{ text: 'whole' }], 'STOP') }, ok),
  gemini(
    'a list',
    { headers: json, body: [candidate([{ text: 'who' }]), candidate([{ text: 'le' }], 'STOP')] },
    ok,
  ),
  gemini(
    'a list over several lines',
    { headers: json, body: pretty([candidate([{ text: 'whole' }], 'STOP')]) },
    ok,
  ),
  ollama(
    'JSON',
    { headers: json, body: line({ content: 'whole' }, { done: true, done_reason: 'stop' }) },
    ok,
  ),
  ollama(
    'JSON over several lines',
    {
      headers: json,
      body: pretty(line({ content: 'whole' }, { done: true, done_reason: 'stop' })),
    },
    ok,
  ),
  ollama('server-sent events', sse(line({ content: 'whole' }), done), ok),
];

/** Errors after a status of success. */
const IN_BAND: readonly Row[] = [
  openai(
    '`{ error }` as the answer',
    { headers: json, body: { error: { message: 'no credits left', code: 402 } } },
    { code: 'quota', says: 'no credits left' },
  ),
  openai(
    '`{ code, msg }` as the answer',
    { headers: json, body: { code: 1113, msg: '余额不足' } },
    { code: 'quota' },
  ),
  openai(
    '`{ detail }` as the answer',
    { headers: json, body: { detail: 'the model has crashed' } },
    { code: 'server', says: 'the model has crashed' },
  ),
  openai(
    '`{ error }` as a chunk',
    sse(delta({ content: 'abc' }), { error: { message: 'exploded', code: 502 } }),
    { code: 'server', says: 'exploded', partial: 'abc' },
  ),
  openai(
    '`{ error: "text" }` as a chunk',
    sse(delta({ content: 'abc' }), { error: 'CUDA out of memory' }),
    { code: 'server', says: 'CUDA out of memory', partial: 'abc' },
  ),
  openai(
    '`choices[0].error` (OpenRouter)',
    sse(delta({ content: 'abc' }), {
      choices: [
        {
          index: 0,
          delta: {},
          finish_reason: 'error',
          error: { code: 429, message: 'upstream is busy' },
        },
      ],
    }),
    { code: 'rate_limit', says: 'upstream is busy', partial: 'abc' },
  ),
  openai(
    '`errors` as a chunk (Cloudflare)',
    sse(delta({ content: 'abc' }), {
      success: false,
      errors: [{ message: 'AiError: capacity temporarily exceeded', code: 3040 }],
    }),
    { code: 'overloaded', says: 'temporarily exceeded', partial: 'abc' },
  ),
  openai(
    '`event: error` with a comment (DashScope)',
    sse('id:1\nevent:error\n:HTTP_STATUS/400\ndata:{"code":"DataInspectionFailed"}\n\n'),
    { code: 'content_filter' },
  ),
  openai(
    '`event: error` after its data',
    sse(delta({ content: 'abc' }), 'data: {"error":{"message":"boom"}}\nevent: error\n\n'),
    { code: 'server', says: 'boom', partial: 'abc' },
  ),
  openai(
    'a sentence',
    { headers: { 'content-type': 'text/plain' }, body: 'Rate limit exceeded, slow down' },
    { code: 'rate_limit', says: 'Rate limit exceeded' },
  ),
  openai(
    'words that name nothing',
    { headers: { 'content-type': 'text/plain' }, body: 'Please contact the admin' },
    { code: 'bad_response', says: 'Please contact the admin', isRetryable: true },
  ),
  openai(
    'a page without its media type',
    { headers: { 'content-type': 'text/plain' }, body: '<!doctype html><title>Login</title>' },
    { code: 'bad_response', says: 'Login' },
  ),
  openai('`object: error` (vLLM)', sse({ object: 'error', message: 'boom', code: 400 }), {
    code: 'invalid_request',
    says: 'boom',
  }),
  openai(
    '`base_resp` (MiniMax)',
    sse({ base_resp: { status_code: 1008, status_msg: 'insufficient balance' }, choices: null }),
    { code: 'quota', says: 'insufficient balance' },
  ),
  openai(
    '`event: error` with JSON',
    sse(delta({ content: 'abc' }), 'event: error\ndata: {"message":"crashed"}\n\n'),
    { code: 'server', says: 'crashed', partial: 'abc' },
  ),
  openai(
    '`event: error` first, without an empty line',
    sse('event: error\ndata: {"error":{"message":"The engine is overloaded"}}\n'),
    { code: 'overloaded', says: 'The engine is overloaded' },
  ),
  openai(
    '`error:` with a text, without an empty line',
    sse(delta({ content: 'abc' }), 'error: the engine is overloaded\n'),
    { code: 'overloaded', says: 'the engine is overloaded', partial: 'abc' },
  ),
  openai(
    '`event: error` with a text',
    sse(delta({ content: 'abc' }), 'event: error\ndata: crashed badly\n\n'),
    { code: 'server', says: 'crashed badly', partial: 'abc' },
  ),
  openai(
    '`error: {…}` (llama.cpp)',
    sse(delta({ content: 'abc' }), 'error: {"code":500,"message":"context shift is disabled"}\n\n'),
    { code: 'context_length', says: 'context shift is disabled', partial: 'abc' },
  ),
  openai(
    '`{ message }` as a chunk',
    sse(delta({ content: 'abc' }), { message: 'gone', type: 'server_error' }),
    { code: 'server', says: 'gone', partial: 'abc' },
  ),
  openai('no end', sse(delta({ content: 'abc' }), DONE), { code: 'truncated', partial: 'abc' }),
  gemini(
    '`{ error }` as a chunk',
    sse(candidate([{ text: 'abc' }]), {
      error: { code: 503, message: 'overloaded', status: 'UNAVAILABLE' },
    }),
    { code: 'overloaded', says: 'overloaded', partial: 'abc' },
  ),
  gemini(
    'a prompt that is blocked',
    sse({ promptFeedback: { blockReason: 'PROHIBITED_CONTENT' } }),
    { code: 'content_filter' },
  ),
  ollama('an error as a line', lines(line({ content: 'abc' }), { error: 'CUDA error' }), {
    code: 'server',
    says: 'CUDA error',
    partial: 'abc',
  }),
  ollama('no last line', lines(line({ content: 'abc' })), { code: 'truncated', partial: 'abc' }),
];

const abc = { text: 'abc', finish: 'stop' } as const;
const chunk = JSON.stringify(delta({ content: 'abc' }));
const last = JSON.stringify(delta({}, 'stop'));
const choice = (index: unknown, fields: object): object => ({ index, delta: fields });

/** Streams that are not as they should be, and lose nothing. */
const ODD: readonly Row[] = [
  openai(
    'a long text before the events',
    sse(`${'proxy ready\n'.repeat(400)}data: ${chunk}\n\ndata: ${last}\n\n`),
    abc,
  ),
  openai('no empty lines', sse(`data: ${chunk}\ndata: ${last}\ndata: [DONE]\n`), abc),
  openai('no empty lines, CRLF', sse(`data: ${chunk}\r\ndata: ${last}\r\n`), abc),
  openai('`data:` with nothing', sse(`data: ${chunk}\n\ndata:\n\ndata: ${last}\n\n`), abc),
  openai(
    'spaces around `[DONE]`',
    sse(`data: ${chunk}\n\ndata: ${last}\n\ndata:  [DONE] \n\n`),
    abc,
  ),
  openai('tabs', sse(`data:\t${chunk}\n\ndata:\t${last}\n\ndata:\t[DONE]\n\n`), abc),
  openai('a field that is not known, first', sse(`foo: bar\n\ndata: ${chunk}\n\n`, stop), abc),
  openai(
    'JSON in several lines of data',
    sse(`data: {"choices":[\ndata: {"delta":{"content":"abc"}}\ndata: ]}\n\ndata: ${last}\n\n`),
    abc,
  ),
  openai(
    'the whole message after its deltas (MiniMax)',
    sse(delta({ content: 'a' }), delta({ content: 'bc' }), {
      object: 'chat.completion',
      choices: [{ index: 0, message: { content: 'abc' }, finish_reason: 'stop' }],
    }),
    abc,
  ),
  openai(
    'pieces in `message`',
    sse(
      { choices: [{ index: 0, message: { content: 'ab' } }] },
      { choices: [{ index: 0, message: { content: 'c' }, finish_reason: 'stop' }] },
    ),
    abc,
  ),
  openai(
    'an index as text',
    sse({ choices: [choice('0', { content: 'abc' })] }, delta({}, 'stop')),
    {
      text: 'abc',
    },
  ),
  openai(
    'an index from 1',
    sse(
      { choices: [choice(1, { content: 'abc' })] },
      { choices: [{ index: 1, finish_reason: 'stop' }] },
    ),
    abc,
  ),
  openai(
    'several choices, mixed',
    sse(
      { choices: [choice(0, { content: 'ab' })] },
      { choices: [choice(1, { content: 'x' })] },
      delta({ content: 'c' }, 'stop'),
    ),
    abc,
  ),
  openai(
    '`length`, and `stop` once more',
    sse(delta({ content: 'abc' }, 'length'), delta({}, 'stop')),
    {
      text: 'abc',
      finish: 'length',
    },
  ),
  openai(
    'a failure without choices (MiniMax)',
    {
      body: { choices: null, base_resp: { status_code: 1008, status_msg: 'insufficient balance' } },
    },
    { code: 'quota', says: 'insufficient balance' },
  ),
];

/** Moonshot wants reasoning of each answer, and takes an empty text for none. */
const missing = refusal(
  'openai',
  400,
  'thinking is enabled but reasoning_content is missing in assistant tool call message at index 1',
);

/** Forms that are refused twice. */
const TWICE: readonly Row[] = [
  {
    wire: 'openai',
    name: 'Moonshot, an answer of another model',
    request: {
      messages: [
        { role: 'user', parts: [{ type: 'text', text: 'u' }] },
        { role: 'assistant', parts: [{ type: 'text', text: 'a' }] },
      ],
    },
    answers: [missing, missing],
    expected: { sent: { messages: [{}, { reasoning_content: '.' }] }, requests: 3 },
  },
];

export const STREAM_FORMS: readonly Form[] = [
  ...of('unsupported fields', TWICE),
  ...of('a stream that is odd', ODD),
  ...of('a whole answer instead of a stream', WHOLE),
  ...of('an error after a status of success', IN_BAND),
];
