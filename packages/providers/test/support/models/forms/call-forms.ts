import { candidate, delta, line, lines, sse, type Form } from './form.ts';
import { gemini, of, ollama, openai, type Row } from './row.ts';

const done = line({}, { done: true, done_reason: 'stop' });
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
  ...['</s>', '<｜tool▁call▁end｜>', '<end_of_turn>', '<|eot_id|>', '</tool_call>'].map((mark) =>
    openai(`\`${mark}\` at the end`, sse(calls(call(`${args}${mark}`)), end), one),
  ),
  openai('JSON in JSON in JSON', sse(calls(call(JSON.stringify(JSON.stringify(args)))), end), one),
  openai(
    'all so far with each piece',
    sse(calls(call('{"ci')), calls(call('{"city":"')), calls(call(args)), end),
    one,
  ),
  openai(
    'an index as text',
    sse(calls(call('{"ci', { index: '0' })), calls(call('ty":"X"}', { index: '0' })), end),
    one,
  ),
  openai('one call, no list', sse(delta({ tool_calls: call(args) }), end), one),
  openai(
    'a call without `function`',
    sse(calls({ index: 0, id: 'a', name: 'w', arguments: args }), end),
    one,
  ),
  openai(
    '`parameters`',
    sse(calls({ index: 0, id: 'a', function: { name: 'w', parameters: { city: 'X' } } }), end),
    one,
  ),
  openai(
    'a second call at the place of the first, its pieces at the next',
    sse(
      calls(call('{"a":1}')),
      calls({ index: 0, id: 'b', function: { name: 'w', arguments: '' } }),
      calls({ index: 1, function: { arguments: args } }),
      end,
    ),
    {
      finish: 'tool-calls',
      parts: [
        { type: 'tool-call', id: 'a' },
        { id: 'b', ...one.parts[0] },
      ],
    },
  ),
  openai(
    'an id at another place',
    sse(
      calls(call('{"ci')),
      calls(call('{"a"', { index: 1, id: 'b' })),
      calls({ index: 0, id: 'b', function: { arguments: ':1}' } }),
      calls({ index: 1, id: 'a', function: { arguments: 'ty":"X"}' } }),
      end,
    ),
    {
      finish: 'tool-calls',
      parts: [
        { id: 'a', ...one.parts[0] },
        { id: 'b', input: { a: 1 } },
      ],
    },
  ),
  openai('one id for two calls', sse(calls(call(args), call('{"a":1}', { index: 1 })), end), {
    finish: 'tool-calls',
    parts: [one.parts[0], { input: { a: 1 } }],
  }),
  openai(
    'one id for two calls, in pieces',
    sse(
      calls(call('{"ci')),
      calls({ index: 0, id: 'a', function: { arguments: 'ty":"X"}' } }),
      calls({ index: 1, id: 'a', function: { name: 'v', arguments: '{"a"' } }),
      calls({ index: 1, id: 'a', function: { arguments: ':1}' } }),
      end,
    ),
    { finish: 'tool-calls', parts: [one.parts[0], { name: 'v', input: { a: 1 } }] },
  ),
  openai(
    'one id for two calls without arguments',
    sse(calls(call('')), calls({ index: 1, id: 'a', function: { name: 'v', arguments: '' } }), end),
    {
      finish: 'tool-calls',
      parts: [
        { type: 'tool-call', name: 'w', input: {} },
        { type: 'tool-call', name: 'v', input: {} },
      ],
    },
  ),
  openai('two objects that differ', sse(calls(call('{"a":1}{"a":2}')), end), {
    code: 'output_parse',
  }),
  openai('broken JSON', sse(calls(call('{city: Kyoto}')), end), { code: 'output_parse' }),
  openai('half a call, cut by the limit', sse(calls(call('{"ci')), delta({}, 'length')), {
    finish: 'length',
    parts: [],
  }),
  gemini(
    'arguments as a text',
    sse(candidate([{ functionCall: { name: 'w', args } }], 'STOP')),
    one,
  ),
  ollama(
    'the call once more at the end',
    lines(line({ tool_calls: [{ id: 'a', function: { name: 'w', arguments: { city: 'X' } } }] }), {
      ...done,
      message: {
        content: '',
        tool_calls: [{ id: 'a', function: { name: 'w', arguments: { city: 'X' } } }],
      },
    }),
    one,
  ),
  ollama(
    'arguments as a text',
    lines(line({ tool_calls: [{ function: { name: 'w', arguments: args } }] }), done),
    one,
  ),
];

export const CALL_FORMS: readonly Form[] = of('calls of tools', CALLS);
