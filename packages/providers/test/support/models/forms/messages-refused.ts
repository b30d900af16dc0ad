import type { ChatRequest, Part } from '@vizprompt/providers';
import type { Expected, Form } from './form.ts';
import { json, left, tools, warm } from './refused-row.ts';

type Row = readonly [
  server: string,
  sentence: string,
  request: Partial<ChatRequest>,
  expected: Expected,
  model?: string,
];

const CLAUDE_5 = 'claude-sonnet-5-5';
const CLAUDE_4_5 = 'claude-sonnet-4-5';
const think = { reasoning: 'high' } as const;
const budget = { thinking: { type: 'enabled' } };
const adaptive = { thinking: { type: 'adaptive' } };

const call: Part = { type: 'tool-call', id: 'a', name: 'w', input: {} };
const result: Part = { type: 'tool-result', id: 'a', name: 'w', output: 'x' };
const thought: Part = { type: 'reasoning', text: 'まず', meta: { anthropic: { signature: 's' } } };
const history = (...said: readonly Part[]): Partial<ChatRequest> => ({
  messages: [
    { role: 'user', parts: [{ type: 'text', text: '猫' }] },
    { role: 'assistant', parts: said },
    { role: 'tool', parts: [result] },
  ],
});

/** Fields, values and combinations that are refused, for each generation of models. */
const ROWS: readonly Row[] = [
  [
    '`temperature`, deprecated',
    '`temperature` is deprecated for this model.',
    warm,
    left('temperature'),
    CLAUDE_5,
  ],
  [
    '`temperature`, not supported',
    'temperature: Non-default values are not supported for this model',
    warm,
    left('temperature'),
    CLAUDE_5,
  ],
  [
    '`temperature` with `top_p`',
    '`temperature` and `top_p` cannot both be specified for this model. Please use only one.',
    { ...warm, topP: 0.9 },
    { left: ['top_p'], sent: { temperature: 0.2 }, requests: 2 },
    CLAUDE_4_5,
  ],
  [
    '`temperature` while thinking',
    '`temperature` may only be set to 1 when thinking is enabled. Please consult our documentation.',
    { ...warm, ...think },
    { left: ['temperature'], sent: budget, requests: 2 },
    CLAUDE_4_5,
  ],
  [
    '`top_k` while thinking',
    '`top_k` must be unset when thinking is enabled.',
    { topK: 5, ...think },
    { left: ['top_k'], sent: budget, requests: 2 },
    CLAUDE_4_5,
  ],
  [
    '`top_k`, deprecated',
    '`top_k` is deprecated for this model.',
    { topK: 5 },
    left('top_k'),
    CLAUDE_5,
  ],
  [
    '`top_p`, deprecated',
    '`top_p` is deprecated for this model.',
    { topP: 0.5 },
    left('top_p'),
    CLAUDE_5,
  ],
  ['extra inputs (Bedrock)', 'top_k: Extra inputs are not permitted', { topK: 5 }, left('top_k')],
  [
    'extraneous key (Bedrock)',
    '#: extraneous key [top_k] is not permitted',
    { topK: 5 },
    left('top_k'),
  ],
  ['`stop_sequences`', 'stop_sequences is not supported', { stop: ['x'] }, left('stop_sequences')],
  [
    'adaptive thinking',
    'adaptive thinking is not supported on this model',
    think,
    { sent: budget, requests: 2 },
    CLAUDE_5,
  ],
  [
    'the type `adaptive` (pydantic)',
    "thinking: Input tag 'adaptive' found using 'type' does not match any of the expected tags: 'disabled', 'enabled'",
    think,
    { sent: budget, requests: 2 },
    CLAUDE_5,
  ],
  [
    'the type `enabled`',
    '"thinking.type.enabled" is not supported for this model. Use "thinking.type.adaptive" and "output_config.effort" to control thinking behavior.',
    think,
    { sent: adaptive, requests: 2 },
    CLAUDE_4_5,
  ],
  [
    'budgets',
    'thinking.enabled.budget_tokens: Extra inputs are not permitted',
    think,
    { sent: adaptive, requests: 2 },
    CLAUDE_4_5,
  ],
  [
    'the type `disabled`',
    '"thinking.type.disabled" is not supported for this model. Thinking is always on.',
    { reasoning: 'none' },
    { sent: { ...adaptive, output_config: { effort: 'low' } }, requests: 2 },
    CLAUDE_5,
  ],
  [
    'the type `disabled`, but another',
    'thinking: `disabled` is not supported on this model; use `between_tools` to turn thinking off',
    { reasoning: 'none' },
    { sent: { thinking: { type: 'between_tools' } }, requests: 2 },
    CLAUDE_5,
  ],
  [
    'thinking at all',
    'This model does not support thinking',
    think,
    { sent: adaptive, requests: 2 },
    'kimi-k3',
  ],
  [
    'thinking with a forced tool',
    'Thinking may not be enabled when tool_choice forces tool use.',
    { ...think, tools, toolChoice: 'required' },
    { left: ['thinking'], sent: { tool_choice: { type: 'any' } }, requests: 2 },
    CLAUDE_4_5,
  ],
  [
    'an effort',
    'This model does not support the effort parameter.',
    think,
    { left: ['output_config'], sent: adaptive, requests: 2 },
    CLAUDE_5,
  ],
  [
    'a forced tool',
    'tool_choice: `any` is not supported by this model',
    { tools, toolChoice: 'required' },
    left('tool_choice'),
  ],
  [
    'a schema',
    'output_config.format: Extra inputs are not permitted',
    { output: json },
    left('output_config'),
    CLAUDE_5,
  ],
  [
    'structured outputs',
    "'m' does not support structured outputs.",
    { output: json },
    left('output_config'),
    CLAUDE_5,
  ],
  [
    'a schema that it cannot hold to',
    'output_config.format.schema: The compiled grammar is too large, which would cause performance issues. Simplify your schema.',
    { output: json },
    left('output_config'),
    CLAUDE_5,
  ],
  [
    'a signature',
    'messages.1.content.0: Invalid `signature` in `thinking` block',
    history(thought, call),
    { requests: 2 },
  ],
  [
    'thoughts of another account',
    'messages.1.content.0: `thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified.',
    history(thought, call),
    { requests: 2 },
  ],
  [
    'blocks of thoughts',
    'messages.1.content.0.thinking: Extra inputs are not permitted',
    history(thought, call),
    { requests: 2 },
  ],
  [
    'a call without a thought',
    'messages.1.content.0.type: Expected `thinking` or `redacted_thinking`, but found `tool_use`. When `thinking` is enabled, a final `assistant` message must start with a thinking block.',
    { ...history(call), ...think },
    left('thinking'),
    CLAUDE_4_5,
  ],
  ['streams', 'Streaming is not supported for this model', {}, { left: ['stream'], requests: 2 }],
  [
    'too many tokens',
    'max_tokens: 128000 > 64000, which is the maximum allowed number of output tokens for m',
    {},
    { sent: { max_tokens: 64_000 }, requests: 2 },
    CLAUDE_5,
  ],
];

export const MESSAGES_REFUSED: readonly Form[] = ROWS.map(
  ([name, message, request, expected, model]) => ({
    kind: 'Messages: what is refused, and left out',
    wire: 'anthropic',
    name,
    request,
    ...(model === undefined ? {} : { model }),
    answers: [
      { status: 400, body: { type: 'error', error: { type: 'invalid_request_error', message } } },
    ],
    expected,
  }),
);
