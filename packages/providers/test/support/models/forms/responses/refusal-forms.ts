import type { ChatRequest, Message } from '@vizprompt/providers';
import { refusal, type Form } from '../form.ts';
import { json, tools, warm } from '../refused-row.ts';

const user = { role: 'user', parts: [{ type: 'text', text: 'cats?' }] } as const;
const thought: Message = {
  role: 'assistant',
  parts: [
    {
      type: 'reasoning',
      text: '',
      meta: {
        openai: { item: { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'g' } },
      },
    },
    { type: 'text', text: 'yes.' },
  ],
};
const searched: Message = {
  role: 'assistant',
  parts: [
    {
      type: 'tool-call',
      id: 'ws_1',
      name: 'web_search',
      input: {},
      meta: { openai: { providerExecuted: true, item: { type: 'web_search_call', id: 'ws_1' } } },
    },
    { type: 'text', text: 'yes.' },
  ],
};
const plain = { role: 'assistant', content: 'yes.' };
const stored: Message = {
  role: 'assistant',
  parts: [{ type: 'text', text: 'yes.', meta: { openai: { response: 'resp_0' } } }],
};
const asked = { role: 'user', content: 'cats?' };
const talk = (...messages: readonly Message[]): Partial<ChatRequest> => ({
  messages: [user, ...messages, user],
});

type RefusalRow = readonly [
  server: string,
  sentence: string,
  request: Partial<ChatRequest>,
  expected: Form['expected'],
  more?: object,
];

const without = (...paths: readonly string[]): Form['expected'] => ({ left: paths, requests: 2 });

/** Fields that servers of the Responses API do not take. */
const ROWS: readonly RefusalRow[] = [
  [
    'OpenAI, no reasoning',
    'Encrypted content is not supported with this model.',
    {},
    without('include'),
    { param: 'include' },
  ],
  [
    'a server without `include`',
    "Unknown parameter: 'include'.",
    {},
    without('include'),
    { param: 'include', code: 'unknown_parameter' },
  ],
  [
    'vLLM, an unknown value',
    "Input should be 'file_search_call.results' or 'message.output_text.logprobs' (include.0)",
    {},
    without('include'),
    { param: 'include' },
  ],
  [
    'a server without `store`',
    "Unknown parameter: 'store'.",
    {},
    without('store'),
    { param: 'store', code: 'unknown_parameter' },
  ],
  [
    'a server that stores nothing',
    "'store' is not supported. This model does not support stored responses.",
    {},
    without('store'),
  ],
  [
    'OpenAI, organisations that are not verified',
    'Your organization must be verified to generate reasoning summaries.',
    { reasoning: 'high' },
    { left: ['reasoning.summary'], sent: { reasoning: { effort: 'high' } }, requests: 2 },
    { param: 'reasoning.summary', code: 'unsupported_value' },
  ],
  [
    'a summary of another kind',
    "Unsupported value: 'reasoning.summary' does not support 'auto' with this model.",
    { reasoning: 'low' },
    { left: ['reasoning.summary'], requests: 2 },
    { param: 'reasoning.summary' },
  ],
  [
    'OpenAI, no reasoning',
    "Unsupported parameter: 'reasoning.effort' is not supported with this model.",
    { reasoning: 'high' },
    without('reasoning'),
    { param: 'reasoning.effort', code: 'unsupported_parameter' },
  ],
  [
    'OpenAI, a level',
    "Unsupported value: 'minimal' is not supported with the 'gpt-5.1' model. Supported values are: 'none', 'low', 'medium', and 'high'.",
    { reasoning: 'minimal' },
    { sent: { reasoning: { effort: 'low' } }, requests: 2 },
    { param: 'reasoning.effort', code: 'unsupported_value' },
  ],
  [
    'OpenAI, one level only (`gpt-5-pro`)',
    "Unsupported value: 'low' is not supported with the 'gpt-5-pro' model. Supported values are: 'high'.",
    { reasoning: 'low' },
    { sent: { reasoning: { effort: 'high' } }, requests: 2 },
    { param: 'reasoning.effort', code: 'unsupported_value' },
  ],
  [
    'xAI',
    'Argument not supported on this model: reasoning_effort',
    { reasoning: 'high' },
    without('reasoning'),
  ],
  [
    'OpenAI, reasoning models',
    "Unsupported parameter: 'temperature' is not supported with this model.",
    warm,
    without('temperature'),
    { param: 'temperature', code: 'unsupported_parameter' },
  ],
  [
    'OpenAI, reasoning models',
    "Unsupported parameter: 'top_p' is not supported with this model.",
    { topP: 0.5 },
    without('top_p'),
    { param: 'top_p' },
  ],
  [
    'deep research',
    "Tool choice must be auto: 'tool_choice' is not supported.",
    { tools, toolChoice: 'required' },
    without('tool_choice'),
    { param: 'tool_choice' },
  ],
  [
    'a server without schemas',
    "Invalid value: 'text.format' of type 'json_schema' is not supported with this model.",
    { output: json },
    { left: ['text.format.schema'], requests: 2 },
    { param: 'text.format' },
  ],
  [
    'OpenAI, organisations that may not stream',
    'Your organization must be verified to stream this model.',
    {},
    without('stream'),
    { param: 'stream', code: 'unsupported_value' },
  ],
  [
    'a role that is not known',
    "Invalid value: 'system'. Supported values are: 'assistant' and 'user'.",
    { messages: [{ role: 'system', parts: [{ type: 'text', text: 'brief.' }] }, user] },
    { sent: { input: [{ role: 'user', content: 'brief.' }, asked] }, requests: 2 },
    { param: 'input[0].role' },
  ],
  [
    'OpenAI, reasoning of another key',
    'The encrypted content g could not be verified.',
    talk(thought),
    { sent: { input: [asked, plain, asked] }, requests: 2 },
    { param: 'input', code: 'invalid_encrypted_content' },
  ],
  [
    'OpenAI, reasoning that is gone',
    "Item with id 'rs_1' not found. Items are not persisted when `store` is set to false.",
    talk(thought),
    { sent: { input: [asked, plain, asked] }, requests: 2 },
    { param: 'input' },
  ],
  [
    'OpenAI, reasoning that nothing follows',
    "Item 'rs_1' of type 'reasoning' was provided without its required following item.",
    talk(thought),
    { sent: { input: [asked, plain, asked] }, requests: 2 },
    { param: 'input' },
  ],
  [
    'a server without reasoning items',
    "input[1].type: 'reasoning' is not a valid item; unexpected type 'reasoning'",
    talk(thought),
    { sent: { input: [asked, plain, asked] }, requests: 2 },
  ],
  [
    'OpenAI, a search that is gone',
    "Item with id 'ws_1' not found. Items are not persisted when `store` is set to false.",
    talk(searched),
    { sent: { input: [asked, plain, asked] }, requests: 2 },
    { param: 'input' },
  ],
  [
    'a server without tools of its own',
    "Invalid value: 'web_search_call'. Supported values are: 'message' and 'function_call'.",
    talk(searched),
    { sent: { input: [asked, plain, asked] }, requests: 2 },
    { param: 'input[1].type' },
  ],
  [
    'OpenAI, a response that is gone, its history given',
    "Previous response with id 'resp_0' not found.",
    { ...talk(stored), providerOptions: { openai: { previous_response_id: 'resp_0' } } },
    { left: ['previous_response_id'], sent: { input: [asked, plain, asked] }, requests: 2 },
    { param: 'previous_response_id', code: 'previous_response_not_found' },
  ],
  [
    'OpenAI, a response that is gone, and nothing else',
    "Previous response with id 'resp_0' not found.",
    { providerOptions: { openai: { previous_response_id: 'resp_0' } } },
    { code: 'invalid_request', says: 'Previous response' },
    { param: 'previous_response_id', code: 'previous_response_not_found' },
  ],
  [
    'a wrong value of the caller',
    "Invalid 'max_output_tokens': integer below minimum value. Expected a value >= 16, but got 1 instead.",
    { maxOutputTokens: 1 },
    { code: 'invalid_request', requests: 1 },
    { param: 'max_output_tokens', code: 'integer_below_min_value' },
  ],
];

/** Ways to say that a model is to be asked by the other protocol. */
const ELSEWHERE: readonly (readonly [server: string, status: number, sentence: string])[] = [
  [
    'OpenAI (goose#2564)',
    404,
    'This model is only supported in v1/responses and not in v1/chat/completions.',
  ],
  [
    'OpenAI (ThunderAI#570)',
    404,
    'This is not a chat model and thus not supported in the v1/chat/completions endpoint. Did you mean to use v1/completions?',
  ],
  [
    'OpenAI',
    400,
    'The model gpt-5-pro is not supported with /v1/chat/completions. Please use /v1/responses instead.',
  ],
  [
    'a gateway (sub2api#885)',
    400,
    'Unsupported legacy protocol: /v1/chat/completions is not supported. Please use /v1/responses.',
  ],
  [
    'GitHub Copilot',
    400,
    'model "gpt-5.1-codex" is not accessible via the /chat/completions endpoint',
  ],
  [
    'Azure',
    400,
    'The chatCompletion operation does not work with the specified model, o3-pro. Please use the Responses API.',
  ],
  ['LiteLLM', 400, 'gpt-5-codex only supports the Responses API; call /v1/responses.'],
];

export const RESPONSES_REFUSAL_FORMS: readonly Form[] = [
  ...ROWS.map(([server, sentence, request, expected, more]): Form => ({
    kind: 'the Responses API: unsupported fields',
    wire: 'responses',
    name: `${server}: \`${sentence.replaceAll('`', "'")}\``,
    request,
    answers: [refusal('responses', 400, sentence, more)],
    expected,
  })),
  ...ELSEWHERE.map(([server, status, sentence]): Form => ({
    kind: 'a model that has the Responses API only',
    wire: 'openai',
    name: `${server}: \`${sentence}\``,
    answers: [refusal('openai', status, sentence)],
    expected: {
      sent: { store: false },
      requests: 2,
    },
  })),
];
