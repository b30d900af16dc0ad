import { body, left, tools, type RefusedRow } from './refused-row.ts';

const text = (role: 'system' | 'user', said: string) =>
  ({ role, parts: [{ type: 'text', text: said }] }) as const;
const twice = { messages: [text('system', 's1'), text('system', 's2'), text('user', 'u')] };
const once = { messages: [text('system', 's'), text('user', 'u')] };
const joined = {
  sent: { messages: [{ role: 'system', content: 's1\n\ns2' }, { role: 'user' }] },
  requests: 2,
} as const;
const asUser = { sent: { messages: [{ role: 'user' }, { role: 'user' }] }, requests: 2 } as const;
const effort = (reasoning: string) => ({ sent: { reasoning_effort: reasoning }, requests: 2 });

/** Refusals of hosts and gateways of 2026, and what they say of the caller's own mistakes. */
export const REFUSED_BY_GATEWAYS: readonly RefusedRow[] = [
  ['Qwen, two instructions', 'System message must be at the beginning.', twice, joined],
  [
    'llama.cpp, two instructions',
    body(500, { error: { code: 500, message: 'Jinja Exception: System message must be first' } }),
    twice,
    joined,
  ],
  ['a server, two instructions', 'Only one system message is supported', twice, joined],
  [
    'Qwen, a later instruction',
    'System message must be at the beginning.',
    { messages: [text('user', 'u'), text('system', 's')] },
    asUser,
  ],
  ['Zhipu, a role', '[1214] Incorrect role information', once, asUser],
  ['Zhipu, a role in Chinese', '角色信息不正确', once, asUser],
  [
    'a template, a role',
    'chat template rejected the request: Unexpected message role.',
    once,
    asUser,
  ],
  [
    'Mistral, an order',
    "Unexpected role 'user' after role 'tool'",
    once,
    { code: 'invalid_request', requests: 1 },
  ],
  [
    'a proxy, streams',
    "Streaming completion is not support yet, please remove 'stream' key value in the request payload.",
    {},
    left('stream'),
  ],
  [
    'Bedrock, streams with tools',
    "This model doesn't support tool use in streaming mode.",
    { tools },
    left('stream'),
  ],
  [
    'a level without its field',
    'level "max" not supported, valid levels: low, medium, high, xhigh',
    { reasoning: 'max' },
    effort('xhigh'),
  ],
  [
    'levels without quotes',
    'Unexpected reasoning effort high. Supported types are xhigh, medium, low',
    { reasoning: 'high' },
    effort('medium'),
  ],
  [
    'levels between bars',
    "reasoning_effort: expected one of low|medium|high, received 'xhigh'",
    { reasoning: 'xhigh' },
    effort('high'),
  ],
  [
    'Mistral, a list in the message',
    body(422, {
      object: 'error',
      message: {
        detail: [
          { type: 'extra_forbidden', loc: ['body', 'seed'], msg: 'Extra inputs are not permitted' },
        ],
      },
    }),
    { seed: 1, stop: ['x'] },
    { left: ['seed'], sent: { stop: ['x'] }, requests: 2 },
  ],
  [
    'vLLM, tool_choice',
    'Value error, `tool_choice` must either be a named tool, "auto", or "none".',
    { tools, toolChoice: 'required' },
    left('tool_choice'),
  ],
  [
    'GitHub Copilot, a second sentence',
    body(400, {
      error: { message: 'invalid request body', details: 'json: unknown field "stream_options"' },
    }),
    {},
    left('stream_options'),
  ],
];
