import { candidate, delta, line, lines, sse, type Form } from './form.ts';

const DONE = 'data: [DONE]\n\n';
const stop = delta({}, 'stop');
const whole = {
  id: 'x',
  object: 'chat.completion',
  choices: [{ index: 0, message: { role: 'assistant', content: 'whole' }, finish_reason: 'stop' }],
};
const json = { 'content-type': 'application/json' };
const pretty = (value: object): string => JSON.stringify(value, null, 2);
const done = line({}, { done: true, done_reason: 'stop' });

type Row = Omit<Form, 'kind'>;

const openai = (
  name: string,
  answer: Form['answers'][number],
  expected: Form['expected'],
): Row => ({ wire: 'openai', name, answers: [answer], expected });
const gemini = (
  name: string,
  answer: Form['answers'][number],
  expected: Form['expected'],
): Row => ({ wire: 'gemini', name, answers: [answer], expected });
const ollama = (
  name: string,
  answer: Form['answers'][number],
  expected: Form['expected'],
): Row => ({ wire: 'ollama', name, answers: [answer], expected });

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

/** Errors behind a status of success. */
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
    '`event: error` with a text',
    sse(delta({ content: 'abc' }), 'event: error\ndata: crashed badly\n\n'),
    { code: 'server', says: 'crashed badly', partial: 'abc' },
  ),
  openai(
    '`error: {…}` (llama.cpp)',
    sse(delta({ content: 'abc' }), 'error: {"code":500,"message":"context shift is disabled"}\n\n'),
    { code: 'server', says: 'context shift is disabled', partial: 'abc' },
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

const thought = (name: string, ...pieces: readonly string[]): readonly Row[] => {
  const expected = { text: 'answer', reasoning: 'thoughts', finish: 'stop' } as const;
  return [
    openai(name, sse(...pieces.map((content) => delta({ content })), stop, DONE), expected),
    ollama(name, lines(...pieces.map((content) => line({ content })), done), expected),
  ];
};

/** Thoughts in the text. */
const THOUGHTS: readonly Row[] = [
  ...thought('`<think>`', '<think>thoughts</think>answer'),
  ...thought(
    '`<think>`, cut anywhere',
    '<th',
    'ink',
    '>\ntho',
    'ughts\n</',
    'thi',
    'nk',
    '>\n\nans',
    'wer',
  ),
  ...thought('`<thinking>`', '<thinking>thoughts</thinking>\nanswer'),
  ...thought('`<thought>`', '<thought>\nthoughts\n</thought>\nanswer'),
  ...thought('`<THINK>`', '<THINK>thoughts</THINK>answer'),
  ...thought('`<reasoning>`', '<reasoning>thoughts</reasoning>answer'),
  ...thought('`<seed:think>`', '<seed:think>thoughts</seed:think>answer'),
  ...thought('`[THINK]` (Magistral)', '[THI', 'NK]thoughts[/THI', 'NK]answer'),
  ...thought('`◁think▷` (Kimi)', '◁think▷thoughts◁/think▷answer'),
  ...thought(
    '`<|channel|>` (gpt-oss)',
    '<|channel|>analysis<|message|>thoughts<|end|><|start|>assistant<|channel|>final<|mess',
    'age|>answer',
  ),
  ...thought(
    '`<|START_THINKING|>` (Cohere)',
    '<|START_THINKING|>thoughts<|END_THINKING|><|START_RESPONSE|>answer<|END_RESPONSE|>',
  ),
  ...thought(
    '`<|begin_of_thought|>`',
    '<|begin_of_thought|>thoughts<|end_of_thought|>\n\n<|begin_of_solution|>answer<|end_of_solution|>',
  ),
  ...thought('`</think>` alone', 'tho', 'ughts\n</th', 'ink>\n\nanswer'),
  openai('marks in a sentence', sse(delta({ content: 'Use `<think>draft</think>` so.' }), stop), {
    text: 'Use `<think>draft</think>` so.',
    reasoning: '',
  }),
  openai('marks in code', sse(delta({ content: 'So:\n```\n<think>\n```' }), stop), {
    text: 'So:\n```\n<think>\n```',
    reasoning: '',
  }),
  openai(
    'marks where thoughts came apart',
    sse(delta({ reasoning_content: 'r' }), delta({ content: '<think>a' }), stop),
    { text: '<think>a', reasoning: 'r' },
  ),
  openai(
    '`reasoning: { content }`',
    sse(delta({ reasoning: { content: 'r' } }), delta({ content: 'a' }), stop),
    { text: 'a', reasoning: 'r' },
  ),
  openai(
    'both names',
    sse(delta({ reasoning: 'r', reasoning_content: 'r' }), delta({ content: 'a' }), stop),
    { text: 'a', reasoning: 'r' },
  ),
  openai(
    'details alone (OpenRouter)',
    sse(
      delta({ reasoning_details: [{ type: 'reasoning.text', text: 'r', index: 0 }] }),
      delta({ content: 'a' }),
      stop,
    ),
    { text: 'a', reasoning: 'r' },
  ),
  openai(
    'details in pieces',
    sse(
      delta({
        reasoning: 'Let',
        reasoning_details: [{ type: 'reasoning.text', text: 'Let', index: 0 }],
      }),
      delta({
        reasoning: ' me',
        reasoning_details: [{ type: 'reasoning.text', text: ' me', index: 0 }],
      }),
      delta({ reasoning_details: [{ type: 'reasoning.text', signature: 'SIG', index: 0 }] }),
      delta({ content: 'a' }),
      stop,
    ),
    {
      reasoning: 'Let me',
      parts: [
        {
          type: 'reasoning',
          meta: {
            openai: {
              reasoning_details: [
                { type: 'reasoning.text', text: 'Let me', signature: 'SIG', index: 0 },
              ],
            },
          },
        },
        { type: 'text' },
      ],
    },
  ),
  openai(
    '`thinking_blocks` (LiteLLM)',
    sse(
      delta({ thinking_blocks: [{ type: 'thinking', thinking: 'th', signature: null }] }),
      delta({ thinking_blocks: [{ type: 'thinking', thinking: '', signature: 'SIG' }] }),
      delta({ content: 'a' }),
      stop,
    ),
    {
      reasoning: 'th',
      parts: [
        {
          type: 'reasoning',
          meta: {
            openai: { thinking_blocks: [{ type: 'thinking', thinking: 'th', signature: 'SIG' }] },
          },
        },
        { type: 'text' },
      ],
    },
  ),
  openai(
    'a list of thoughts (Mistral)',
    sse(
      delta({ content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'r' }] }] }),
      delta({ content: 'a' }),
      stop,
    ),
    { text: 'a', reasoning: 'r' },
  ),
];

const PNG = 'iVBORw0KGgo=';
const url = 'https://example.com/a';

/** Content of all kinds. */
const CONTENT: readonly Row[] = [
  openai(
    '`images` (OpenRouter)',
    sse(
      delta({
        content: '',
        images: [{ type: 'image_url', image_url: { url: `data:image/png;base64,${PNG}` } }],
      }),
      stop,
    ),
    { parts: [{ type: 'file', mediaType: 'image/png' }] },
  ),
  openai(
    'a picture by its address',
    sse(delta({ images: [{ image_url: { url: `${url}.png` } }] }), stop),
    { parts: [{ type: 'file' }] },
  ),
  openai(
    'a picture in the content',
    sse(
      delta({
        content: [
          { type: 'text', text: 'see' },
          { type: 'image', b64_json: PNG },
        ],
      }),
      stop,
    ),
    { text: 'see', parts: [{ type: 'text' }, { type: 'file', mediaType: 'image/png' }] },
  ),
  openai(
    'sound',
    sse(
      delta({ audio: { id: 'a', data: 'AAAA', transcript: 'hel' } }),
      delta({ audio: { data: 'AAAA', transcript: 'lo' } }),
      stop,
    ),
    { text: 'hello', parts: [{ type: 'text' }, { type: 'file', mediaType: 'audio/pcm' }] },
  ),
  openai(
    '`annotations`',
    sse(
      delta({
        content: 'see',
        annotations: [{ type: 'url_citation', url_citation: { url, title: 't' } }],
      }),
      stop,
    ),
    { parts: [{ type: 'text' }, { type: 'source', url, title: 't' }] },
  ),
  openai(
    '`citations` (Perplexity)',
    sse({ ...delta({ content: 'see[1]' }), citations: [url] }, { ...stop, citations: [url] }),
    { parts: [{ type: 'text' }, { type: 'source', url }] },
  ),
  openai(
    '`search_results`',
    sse({ ...delta({ content: 'see' }), search_results: [{ url, title: 't' }] }, stop),
    { parts: [{ type: 'text' }, { type: 'source', url, title: 't' }] },
  ),
  openai(
    '`web_search` (Zhipu)',
    sse(
      { ...delta({ content: 'see' }), web_search: [{ link: url, title: 't', content: 'c' }] },
      stop,
    ),
    { parts: [{ type: 'text' }, { type: 'source', url, title: 't', text: 'c' }] },
  ),
  openai(
    '`executed_tools` (Groq)',
    sse(
      delta({ executed_tools: [{ index: 0, type: 'search', arguments: '{}', output: 'found' }] }),
      delta({ content: 'a' }),
      stop,
    ),
    {
      text: 'a',
      finish: 'stop',
      parts: [
        { type: 'tool-call', name: 'search' },
        { type: 'tool-result', output: 'found' },
        { type: 'text' },
      ],
    },
  ),
  openai(
    'a list of texts',
    sse(
      delta({
        content: [
          { type: 'text', text: 'li' },
          { type: 'text', text: 'st' },
        ],
      }),
      stop,
    ),
    { text: 'list' },
  ),
  openai('a refusal', sse(delta({ refusal: "I can't" }), stop), {
    text: "I can't",
    finish: 'content-filter',
  }),
  openai(
    '`x_groq`, filter results',
    sse(
      { choices: [], prompt_filter_results: [{}] },
      delta({ content: 'a' }),
      { choices: [{ index: 0, finish_reason: null, content_filter_offsets: {} }] },
      stop,
    ),
    { text: 'a', finish: 'stop' },
  ),
  gemini(
    '`groundingMetadata`',
    sse(
      candidate([{ text: 'a' }], 'STOP', {
        groundingMetadata: { groundingChunks: [{ web: { uri: url, title: 't' } }] },
      }),
    ),
    { text: 'a', parts: [{ type: 'text' }, { type: 'source', url, title: 't' }] },
  ),
  gemini(
    '`citationMetadata`',
    sse(
      candidate([{ text: 'a' }], 'STOP', { citationMetadata: { citationSources: [{ uri: url }] } }),
    ),
    { parts: [{ type: 'text' }, { type: 'source', url }] },
  ),
  gemini(
    '`urlContextMetadata`',
    sse(
      candidate([{ text: 'a' }], 'STOP', {
        urlContextMetadata: { urlMetadata: [{ retrievedUrl: url }] },
      }),
    ),
    { parts: [{ type: 'text' }, { type: 'source', url }] },
  ),
  gemini(
    '`toolCall` and `toolResponse`',
    sse(
      candidate(
        [
          { toolCall: { toolType: 'GOOGLE_SEARCH', args: { q: 'x' }, id: 'z' } },
          { toolResponse: { toolType: 'GOOGLE_SEARCH', response: { a: 1 }, id: 'z' } },
          { text: 'a' },
        ],
        'STOP',
      ),
    ),
    {
      text: 'a',
      finish: 'stop',
      parts: [
        { type: 'tool-call', id: 'z', name: 'google_search' },
        { type: 'tool-result', id: 'z', output: { a: 1 } },
        { type: 'text' },
      ],
    },
  ),
  gemini(
    '`executableCode`',
    sse(
      candidate(
        [
          { executableCode: { code: '1' } },
          { codeExecutionResult: { output: '1' } },
          { text: 'a' },
        ],
        'STOP',
      ),
    ),
    {
      finish: 'stop',
      parts: [
        { type: 'tool-call', name: 'code_execution' },
        { type: 'tool-result' },
        { type: 'text' },
      ],
    },
  ),
  gemini(
    '`fileData`',
    sse(candidate([{ fileData: { mimeType: 'image/png', fileUri: `${url}.png` } }], 'STOP')),
    { parts: [{ type: 'file', mediaType: 'image/png' }] },
  ),
  gemini(
    '`inlineData`',
    sse(candidate([{ inlineData: { mimeType: 'image/png', data: PNG } }], 'STOP')),
    { parts: [{ type: 'file', mediaType: 'image/png' }] },
  ),
  gemini(
    'arguments in pieces',
    sse(
      candidate([
        {
          functionCall: {
            name: 'f',
            id: '1',
            partialArgs: [{ jsonPath: '$.x', stringValue: 'a' }],
            willContinue: true,
          },
        },
      ]),
      candidate(
        [
          {
            functionCall: {
              partialArgs: [
                { jsonPath: '$.x', stringValue: 'b' },
                { jsonPath: '$.y[0].z', numberValue: 2 },
              ],
            },
          },
        ],
        'STOP',
      ),
    ),
    {
      finish: 'tool-calls',
      parts: [{ type: 'tool-call', name: 'f', input: { x: 'ab', y: [{ z: 2 }] } }],
    },
  ),
  ollama('`images`', lines(line({ images: [PNG] }), done), {
    parts: [{ type: 'file', mediaType: 'image/png' }],
  }),
];

const call = (args: unknown, more: object = {}): object => ({
  index: 0,
  id: 'a',
  function: { name: 'w', arguments: args },
  ...more,
});
const calls = (...list: readonly object[]): object => delta({ tool_calls: list });
const end = delta({}, 'tool_calls');
const one = {
  finish: 'tool-calls',
  parts: [{ type: 'tool-call', name: 'w', input: { city: 'X' } }],
} as const;
const args = '{"city":"X"}';

/** Calls of tools. */
const CALLS: readonly Row[] = [
  openai(
    '`function_call`',
    sse(delta({ function_call: { name: 'w', arguments: args } }, 'function_call')),
    one,
  ),
  openai('arguments as an object', sse(calls(call({ city: 'X' })), end), one),
  openai('arguments in JSON twice', sse(calls(call(JSON.stringify(args))), end), one),
  openai(
    '`{}` before the object (vLLM)',
    sse(calls(call('{}')), calls({ index: 0, function: { arguments: args } }), end),
    one,
  ),
  openai(
    'the object twice',
    sse(calls(call(args)), delta({ tool_calls: [call(args)] }, 'tool_calls')),
    one,
  ),
  openai(
    'the pieces, then the object',
    sse(calls(call('{"city":')), calls({ index: 0, function: { arguments: args } }), end),
    one,
  ),
  openai('a comma at the end', sse(calls(call('{"city":"X",}')), end), one),
  openai('fences', sse(calls(call('```json\n{"city":"X"}\n```')), end), one),
  openai(
    'a new id with each piece',
    sse(
      calls(call('{"ci', { id: 'a1' })),
      calls({ index: 0, id: 'a2', function: { arguments: 'ty":"X"}' } }),
      end,
    ),
    one,
  ),
  openai(
    'the name in pieces',
    sse(
      calls({ index: 0, id: 'a', function: { name: 'get_', arguments: '' } }),
      calls({ index: 0, function: { name: 'weather', arguments: '' } }),
      calls({ index: 0, function: { arguments: args } }),
      end,
    ),
    { parts: [{ type: 'tool-call', name: 'get_weather' }] },
  ),
  openai('no arguments', sse(calls(call(null)), end), {
    parts: [{ type: 'tool-call', input: {} }],
  }),
  openai('a line break in a text', sse(calls(call('{"city":"X\nY"}')), end), {
    parts: [{ type: 'tool-call', input: { city: 'X\nY' } }],
  }),
  openai('broken JSON', sse(calls(call('{city: Kyoto}')), end), { code: 'output_parse' }),
  openai('half a call, cut by the limit', sse(calls(call('{"ci')), delta({}, 'length')), {
    finish: 'length',
    parts: [],
  }),
  ollama(
    'arguments as a text',
    lines(line({ tool_calls: [{ function: { name: 'w', arguments: args } }] }), done),
    one,
  ),
];

const of = (kind: string, rows: readonly Row[]): readonly Form[] =>
  rows.map((row) => ({ kind, ...row }));

export const ANSWER_FORMS: readonly Form[] = [
  ...of('a whole answer instead of a stream', WHOLE),
  ...of('an error behind a status of success', IN_BAND),
  ...of('thoughts', THOUGHTS),
  ...of('content of all kinds', CONTENT),
  ...of('calls of tools', CALLS),
];
