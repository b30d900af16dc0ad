import { body, json, left, tools, warm, type RefusedRow } from './refused-row.ts';

const sampled = { seed: 1, stop: ['x'] } as const;
const system = {
  messages: [{ role: 'system', parts: [{ type: 'text', text: 's' }] }],
} as const satisfies RefusedRow[2];
const asUser = { sent: { messages: [{ role: 'user' }] }, requests: 2 } as const;

/** Fields that servers refuse in words of their own, and mistakes of the caller, which no one repairs. */
export const REFUSED_BY_NEWER: readonly RefusedRow[] = [
  [
    'vLLM',
    'Grammar error: Unimplemented keys: ["minLength"]',
    { output: json },
    { requests: 2, finish: 'stop' },
  ],
  ['llama.cpp', 'Failed to parse grammar', { output: json }, { requests: 2, finish: 'stop' }],
  [
    'llama.cpp, tools',
    'Cannot use custom grammar constraints with tools.',
    { output: json, tools },
    left('response_format'),
  ],
  [
    'Gemini by way of others',
    "Function calling with a response mime type: 'application/json' is unsupported",
    { output: json, tools },
    left('response_format'),
  ],
  [
    'OpenRouter',
    'Reasoning is mandatory for this endpoint and cannot be disabled.',
    { reasoning: 'none' },
    left('reasoning_effort'),
  ],
  [
    'Gemini by way of others',
    'Thinking is not enabled for models/x',
    { reasoning: 'high' },
    left('reasoning_effort'),
  ],
  [
    'Groq, levels',
    '`reasoning_effort` must be one of `none` or `default`',
    { reasoning: 'high' },
    left('reasoning_effort'),
  ],
  ['MiniMax', 'invalid params, invalid message role: system (2013)', system, asUser],
  ['Bedrock', "This model doesn't support system messages.", system, asUser],
  ['Gemma', 'Developer instruction is not enabled for models/gemma-3-27b-it', system, asUser],
  [
    'ASP.NET',
    body(400, {
      title: 'One or more validation errors occurred.',
      errors: { seed: ["Could not find member 'seed' on object of type 'R'."] },
    }),
    sampled,
    left('seed'),
  ],
  [
    'Groq',
    "property 'stop' is unsupported, did you mean 'stream'?",
    sampled,
    { left: ['stop'], sent: { stream: true } },
  ],
  [
    'Ollama',
    'failed to load model vocabulary required for format',
    { output: json },
    left('format'),
    {},
    'ollama',
  ],
  [
    'DeepSeek, after another server',
    'Missing `reasoning_content` field in the assistant message at message index 0',
    {
      messages: [
        {
          role: 'assistant',
          parts: [
            {
              type: 'reasoning',
              text: 'hm',
              meta: { openai: { reasoning_details: [{ type: 'reasoning.text', text: 'hm' }] } },
            },
          ],
        },
      ],
    },
    { sent: { messages: [{ reasoning_content: 'hm' }] }, requests: 2 },
  ],
  ['yup', 'this field has unspecified keys: seed', sampled, left('seed')],
  ['a server', '`stop` is not a supported parameter', sampled, left('stop')],
  ['a server', 'stream_options is only allowed when stream is true', {}, left('stream_options')],
  [
    'a server',
    "Only 'auto' is supported for tool_choice",
    { tools, toolChoice: 'required' },
    left('tool_choice'),
  ],
  [
    'a server',
    'Only temperature = 1 is allowed when thinking is enabled',
    warm,
    left('temperature'),
  ],
  ['a type', 'seed must be an integer', sampled, { code: 'invalid_request', requests: 1 }],
  [
    'nothing',
    'stop sequences must not be empty',
    sampled,
    { code: 'invalid_request', requests: 1 },
  ],
  [
    'a range',
    'top_p must be in (0, 1], got 5.0.',
    { topP: 5 },
    { code: 'invalid_request', requests: 1 },
    { param: 'top_p' },
  ],
  [
    'Vertex, a range',
    'it has a temperature value of 5 but the supported range is from 0 to 2',
    warm,
    { code: 'invalid_request', requests: 1 },
    {},
    'gemini',
  ],
  ...[
    'Unexpected role after user message: conversation roles must alternate',
    'Unexpected role: roles must alternate',
    'Invalid tools[0]: unexpected role property in schema',
    'unknown role in user directory',
  ].map((said): RefusedRow => [
    'another role',
    said,
    system,
    { code: 'invalid_request', sent: { messages: [{ role: 'system' }] }, requests: 1 },
  ]),
  [
    'the order of messages',
    "An assistant message with 'tool_calls' must be followed by tool messages",
    system,
    { code: 'invalid_request', requests: 1 },
    { param: 'messages.[3].role' },
  ],
];
