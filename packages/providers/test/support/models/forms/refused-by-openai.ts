import { body, json, left, tools, warm, type RefusedRow } from './refused-row.ts';

/** Refusals of what can be done without, over Chat Completions. */
export const REFUSED_BY_OPENAI: readonly RefusedRow[] = [
  [
    'OpenAI',
    "Unsupported parameter: 'temperature' is not supported with this model.",
    warm,
    left('temperature'),
    { param: 'temperature', code: 'unsupported_parameter' },
  ],
  [
    'OpenAI, value',
    "Unsupported value: 'temperature' does not support 0.2 with this model. Only the default (1) value is supported.",
    warm,
    left('temperature'),
    { param: 'temperature', code: 'unsupported_value' },
  ],
  ['Azure', 'Unrecognized request argument supplied: stream_options', {}, left('stream_options')],
  [
    'new-api',
    "Unknown parameter: 'stream_options'. (request id: 2024)",
    {},
    left('stream_options'),
    { param: 'stream_options', code: 'unknown_parameter' },
  ],
  ['Groq', "property 'stream_options' is unsupported", {}, left('stream_options')],
  [
    'Cerebras',
    body(400, {
      message: "body.stream_options: property 'body.stream_options' is unsupported",
      type: 'invalid_request_error',
      param: 'validation_error',
      code: 'wrong_api_format',
    }),
    {},
    left('stream_options'),
  ],
  [
    'Mistral',
    body(422, {
      detail: [
        {
          type: 'extra_forbidden',
          loc: ['body', 'seed'],
          msg: 'Extra inputs are not permitted',
          input: 1,
        },
      ],
    }),
    { seed: 1 },
    left('seed'),
  ],
  [
    'NVIDIA NIM',
    body(422, {
      type: 'urn:x',
      title: 'Unprocessable Entity',
      status: 422,
      detail:
        'body -> seed\n  Extra inputs are not permitted (type=extra_forbidden)\nbody -> top_p\n  Extra inputs are not permitted (type=extra_forbidden)',
    }),
    { seed: 1, topP: 0.5 },
    left('seed', 'top_p'),
  ],
  [
    'Dynamo',
    body(400, {
      message: 'Unsupported parameter(s): `seed`, `stop`',
      type: 'Bad Request',
      code: 400,
    }),
    { seed: 1, stop: ['x'] },
    left('seed', 'stop'),
  ],
  [
    'vLLM',
    body(400, {
      object: 'error',
      message:
        "[{'type': 'extra_forbidden', 'loc': ('body', 'seed'), 'msg': 'Extra inputs are not permitted', 'input': 1}]",
      code: 400,
    }),
    { seed: 1 },
    left('seed'),
  ],
  [
    'Fireworks',
    "Extra inputs are not permitted, field: 'seed', value: 1",
    { seed: 1 },
    left('seed'),
  ],
  [
    'Gemini by OpenAI',
    'Invalid JSON payload received. Unknown name "seed": Cannot find field.',
    { seed: 1 },
    left('seed'),
  ],
  [
    'Bedrock',
    body(400, {
      message:
        'Malformed input request: #: extraneous key [seed] is not permitted, please reformat your input and try again.',
    }),
    { seed: 1 },
    left('seed'),
  ],
  [
    'serde',
    'Failed to deserialize the JSON body into the target type: unknown field `seed`, expected one of `model`, `messages`',
    { seed: 1 },
    left('seed'),
  ],
  ['Go', 'json: unknown field "seed"', { seed: 1 }, left('seed')],
  [
    'xAI',
    body(400, {
      code: 'Client specified an invalid argument',
      error: 'Argument not supported on this model: stop',
    }),
    { stop: ['x'] },
    left('stop'),
  ],
  [
    'xAI, effort',
    body(400, { code: 'x', error: 'Model grok-4 does not support parameter reasoningEffort.' }),
    { reasoning: 'low' },
    left('reasoning_effort'),
  ],
  [
    'LiteLLM',
    "litellm.UnsupportedParamsError: bedrock does not support parameters: ['reasoning_effort'], for model=claude. To drop these, set `litellm.drop_params=True`",
    { reasoning: 'low' },
    left('reasoning_effort'),
  ],
  [
    'OpenAI, effort',
    "Unsupported value: 'reasoning_effort' does not support 'minimal' with this model. Supported values are: 'low', 'medium', and 'high'.",
    { reasoning: 'minimal' },
    { sent: { reasoning_effort: 'low' }, requests: 2 },
    { param: 'reasoning_effort', code: 'unsupported_value' },
  ],
  [
    'vLLM, effort',
    body(400, {
      object: 'error',
      message:
        "[{'type': 'literal_error', 'loc': ('body', 'reasoning_effort'), 'msg': \"Input should be 'low', 'medium' or 'high'\", 'input': 'none'}]",
      code: 400,
    }),
    { reasoning: 'none' },
    { sent: { reasoning_effort: 'low' }, requests: 2 },
  ],
  [
    'OpenAI, tools',
    'Function tools with reasoning_effort are not supported for gpt-5.4 in /v1/chat/completions. Please use /v1/responses instead.',
    { tools, reasoning: 'high' },
    left('reasoning_effort'),
    { param: 'reasoning_effort' },
  ],
  [
    'OpenAI, tools without effort',
    "Function tools with reasoning_effort are not supported for gpt-5.6 in /v1/chat/completions. To use function tools, use /v1/responses or set reasoning_effort to 'none'.",
    { tools },
    { sent: { reasoning_effort: 'none' }, requests: 2 },
    { param: 'reasoning_effort' },
  ],
  ['Moonshot', 'invalid temperature: only 1 is allowed for this model', warm, left('temperature')],
  [
    'Anthropic, thinking',
    '`temperature` may only be set to 1 when thinking is enabled.',
    warm,
    left('temperature'),
  ],
  ['Anthropic, old', '`temperature` is deprecated for this model.', warm, left('temperature')],
  [
    'Anthropic, both',
    '`temperature` and `top_p` cannot both be specified for this model. Please use only one.',
    { ...warm, topP: 0.9 },
    { left: ['top_p'], sent: warm, requests: 2 },
  ],
  [
    'Zhipu',
    '`top_p` 与 temperature 不能同时设置，请检查文档',
    { ...warm, topP: 0.9 },
    { left: ['top_p'], sent: warm, requests: 2 },
  ],
  [
    'DashScope, tool_choice',
    '<400> InternalError.Algo.InvalidParameter: The tool_choice parameter does not support being set to required or object in thinking mode',
    { tools, toolChoice: 'required' },
    left('tool_choice'),
  ],
  [
    'DeepSeek, tool_choice',
    'deepseek-reasoner does not support this tool_choice',
    { tools, toolChoice: 'required' },
    left('tool_choice'),
  ],
  [
    'Anthropic, tool_choice',
    'Thinking may not be enabled when tool_choice forces tool use.',
    { tools, toolChoice: 'required' },
    left('tool_choice'),
  ],
  [
    'DeepSeek, schema',
    'This response_format type is unavailable now',
    { output: json },
    { sent: { response_format: { type: 'json_object' } }, requests: 2 },
  ],
  [
    'OpenAI, schema',
    "Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model.",
    { output: json },
    { sent: { response_format: { type: 'json_object' } }, requests: 2 },
    { param: 'response_format' },
  ],
  [
    'OpenAI, format',
    "Invalid schema for response_format 'answer': In context=('properties', 'u'), 'uri' is not a valid format.",
    { output: json },
    { sent: { response_format: { json_schema: { strict: false } } }, requests: 2 },
    { param: 'response_format' },
  ],
  [
    'Groq, tools',
    'json mode cannot be combined with tool/function calling',
    { output: json, tools },
    left('response_format'),
  ],
  [
    'LM Studio',
    "'response_format.type' must be 'json_schema' or 'text'",
    { output: { type: 'json' } },
    { sent: { response_format: { type: 'json_schema' } }, requests: 2 },
  ],
  [
    'OpenAI, o1',
    "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
    { maxOutputTokens: 5 },
    { left: ['max_tokens'], sent: { max_completion_tokens: 5 }, requests: 2 },
    { param: 'max_tokens', code: 'unsupported_parameter' },
  ],
  [
    'Gemma',
    'System role not supported',
    {
      messages: [
        { role: 'system', parts: [{ type: 'text', text: 's' }] },
        { role: 'user', parts: [{ type: 'text', text: 'u' }] },
      ],
    },
    { sent: { messages: [{ role: 'user' }, { role: 'user' }] }, requests: 2 },
  ],
  [
    'DeepSeek, reasoning',
    'The `reasoning_content` in the thinking mode must be passed back to the API.',
    {
      messages: [
        { role: 'user', parts: [{ type: 'text', text: 'u' }] },
        {
          role: 'assistant',
          parts: [
            { type: 'reasoning', text: 'r' },
            { type: 'text', text: 'a' },
          ],
        },
      ],
    },
    { sent: { messages: [{}, { reasoning_content: 'r' }] }, requests: 2 },
  ],
  [
    'OpenAI, streams',
    'Your organization must be verified to stream this model.',
    {},
    { left: ['stream', 'stream_options'], requests: 2 },
    { param: 'stream', code: 'unsupported_value' },
  ],
  [
    'OpenAI o1, streams',
    "Unsupported value: 'stream' does not support true with this model. Only the default (false) value is supported.",
    {},
    left('stream'),
    { param: 'stream', code: 'unsupported_value' },
  ],
  ['a gateway, streams', 'Streaming is not allowed for this key', {}, left('stream')],
  ['Bedrock, streams', 'The model is unsupported for streaming.', {}, left('stream')],
  ['Xinference, streams', 'This model does not support streaming output', {}, left('stream')],
  [
    'a value',
    "Invalid 'temperature': decimal above maximum value.",
    { temperature: 3 },
    { code: 'invalid_request', requests: 1 },
    { code: 'decimal_above_max_value', param: 'temperature' },
  ],
  [
    'a type',
    "Invalid type for 'seed': expected an integer, but got a decimal number instead.",
    { seed: 1.5 },
    { code: 'invalid_request', requests: 1 },
    { code: 'invalid_type', param: 'seed' },
  ],
];
