import type { JsonObject } from '@vizprompt/providers';
import type { TranscriptAgent } from '../../src/transcripts/index.ts';

/** When all of it was said. */
export const TIME = '2026-03-01T09:00:00.000Z';
const UUID = '0b9c1e5e-0000-4000-8000-00000000000';

const claude = (type: string, at: number, more: JsonObject): JsonObject => ({
  type,
  uuid: `${UUID}${at}`,
  parentUuid: at === 1 ? null : `${UUID}${at - 1}`,
  sessionId: 'claude-1',
  cwd: '/shop',
  timestamp: TIME,
  ...more,
});
const answer = (at: number, block: JsonObject): JsonObject =>
  claude('assistant', at, { message: { id: 'm', model: 'sonnet', content: [block] } });
const codex = (type: string, payload: JsonObject): JsonObject => ({
  timestamp: TIME,
  type,
  payload,
});
const item = (payload: JsonObject): JsonObject => codex('response_item', payload);
const copilot = (type: string, at: number, data: JsonObject): JsonObject => ({
  type,
  id: `e${at}`,
  parentId: at === 1 ? null : `e${at - 1}`,
  timestamp: TIME,
  data,
});
const gemini = (type: string, id: string, more: JsonObject): JsonObject => ({
  type,
  id,
  timestamp: TIME,
  ...more,
});
const opencode = (role: string, at: number, parts: readonly JsonObject[]): JsonObject => ({
  info: { id: `msg_${at}`, sessionID: 'opencode-1', role, time: { created: Date.parse(TIME) } },
  parts: [...parts],
});
const pi = (id: string, parentId: string | null, message: JsonObject): JsonObject => ({
  type: 'message',
  id,
  parentId,
  timestamp: TIME,
  message,
});

/** A text that must come out as it is in the file. */
export const TEXT = ' \t直して\r\n"two"  \u0000\uD83D\uDE00\uD83D ';

/** Lines of each agent, and what their entries must say: kind, type, role, and the facts of each part. */
export const TABLE: Readonly<
  Record<TranscriptAgent, readonly (readonly [JsonObject, ...(readonly unknown[])[]])[]>
> = {
  'claude-code': [
    [{ type: 'summary', summary: 'Other', leafUuid: 'elsewhere' }, ['note', 'summary', 'system']],
    [
      claude('user', 1, { message: { role: 'user', content: TEXT } }),
      ['message', 'user', 'user', { type: 'text', text: TEXT, key: `${UUID}1#0` }],
    ],
    [
      answer(2, { type: 'thinking', thinking: TEXT, signature: 's' }),
      ['message', 'assistant', 'assistant', { type: 'thinking', text: TEXT }],
    ],
    [
      answer(3, { type: 'tool_use', id: 't1', name: 'Bash', input: { command: TEXT } }),
      [
        'message',
        'assistant',
        'assistant',
        { type: 'tool-call', id: 't1', tool: 'Bash', input: { command: TEXT }, cwd: '/shop' },
      ],
    ],
    [
      claude('user', 4, {
        message: { content: [{ type: 'tool_result', tool_use_id: 't1', content: TEXT }] },
        toolUseResult: { stdout: TEXT, durationMs: 5 },
      }),
      [
        'message',
        'user',
        'tool',
        {
          type: 'tool-result',
          id: 't1',
          output: TEXT,
          success: true,
          details: { stdout: TEXT, durationMs: 5 },
          durationMs: 5,
        },
      ],
    ],
    [
      claude('user', 5, { message: { content: 'Caveat' }, isMeta: true }),
      ['message', 'user', 'system', { type: 'text', text: 'Caveat' }],
    ],
    [
      claude('user', 6, {
        message: {
          content: [
            { type: 'image', source: { data: 'QUJD' } },
            { type: 'hologram', x: 1 },
          ],
        },
      }),
      [
        'message',
        'user',
        'user',
        { type: 'other', name: 'image', kind: 'media' },
        { type: 'other', name: 'hologram', kind: 'unknown', raw: { type: 'hologram', x: 1 } },
      ],
    ],
    [claude('warp', 7, {}), ['unknown', 'warp', 'system']],
  ],
  codex: [
    [
      codex('session_meta', {
        id: 'codex-1',
        timestamp: TIME,
        cwd: '/shop',
        git: { branch: 'main' },
      }),
      ['note', 'session_meta', 'system'],
    ],
    [
      codex('turn_context', { cwd: '/shop/docs', model: 'gpt' }),
      ['note', 'turn_context', 'system'],
    ],
    [
      item({ type: 'message', role: 'user', content: [{ type: 'input_text', text: TEXT }] }),
      ['message', 'message', 'user', { type: 'text', text: TEXT }],
    ],
    [
      codex('event_msg', { type: 'user_message', message: TEXT }),
      ['passing', 'user_message for the user', 'user'],
    ],
    [
      item({
        type: 'message',
        role: 'user',
        content: [{ type: 'input_text', text: '<environment_context>' }],
      }),
      ['note', 'message:user:context', 'system', { type: 'text', text: '<environment_context>' }],
    ],
    [
      item({ type: 'function_call', name: 'shell', call_id: 'c1', arguments: '{"cmd":"ls"}' }),
      [
        'message',
        'function_call',
        'assistant',
        { type: 'tool-call', id: 'c1', tool: 'shell', input: { cmd: 'ls' }, cwd: '/shop/docs' },
      ],
    ],
    [
      item({
        type: 'function_call_output',
        call_id: 'c1',
        output: 'Exit code: 1\nWall time: 0.5 seconds',
      }),
      [
        'message',
        'function_call_output',
        'tool',
        { type: 'tool-result', id: 'c1', success: false, durationMs: 500 },
      ],
    ],
    [
      codex('compacted', { message: TEXT }),
      ['message', 'compacted', 'system', { type: 'text', text: TEXT }],
    ],
    [codex('event_msg', { type: 'warp' }), ['unknown', 'event_msg:warp', 'system']],
  ],
  copilot: [
    [
      copilot('session.start', 1, { sessionId: 'copilot-1', context: { cwd: '/shop' } }),
      ['note', 'session.start', 'system'],
    ],
    [
      copilot('user.message', 2, { content: TEXT }),
      ['message', 'user.message', 'user', { type: 'text', text: TEXT }],
    ],
    [
      copilot('assistant.message', 3, {
        content: TEXT,
        reasoningText: TEXT,
        toolRequests: [{ toolCallId: 't1', name: 'bash', arguments: { command: TEXT } }],
      }),
      [
        'message',
        'assistant.message',
        'assistant',
        { type: 'thinking', text: TEXT },
        { type: 'text', text: TEXT },
        { type: 'tool-call', id: 't1', tool: 'bash', input: { command: TEXT }, cwd: '/shop' },
      ],
    ],
    [
      copilot('tool.execution_start', 4, { toolCallId: 't1', toolName: 'bash' }),
      ['passing', 'tool.execution_start', 'system'],
    ],
    [
      copilot('tool.execution_complete', 5, {
        toolCallId: 't1',
        success: false,
        error: { message: TEXT },
      }),
      [
        'message',
        'tool.execution_complete',
        'tool',
        { type: 'tool-result', id: 't1', success: false, error: TEXT },
      ],
    ],
    [copilot('quantum.leap', 6, {}), ['unknown', 'quantum.leap', 'system']],
  ],
  gemini: [
    [
      { sessionId: 'gemini-1', projectHash: 'abc', startTime: TIME, directories: ['/shop'] },
      ['note', 'session', 'system'],
    ],
    [
      gemini('user', 'u1', { content: [{ text: TEXT }] }),
      ['message', 'user', 'user', { type: 'text', text: TEXT }],
    ],
    [
      gemini('gemini', 'g1', {
        content: TEXT,
        thoughts: [{ subject: 'Plan', description: TEXT }],
        toolCalls: [{ id: 'r', name: 'replace', args: {}, status: 'executing' }],
      }),
      ['message', 'gemini', 'assistant', { type: 'thinking', text: TEXT, subject: 'Plan' }],
      ['message', 'gemini', 'assistant', { type: 'text', text: TEXT }],
    ],
    [
      // The same message again, whose call has ended.
      gemini('gemini', 'g1', {
        content: TEXT,
        toolCalls: [{ id: 'r', name: 'replace', args: {}, status: 'error', resultDisplay: TEXT }],
      }),
      [
        'message',
        'gemini',
        'assistant',
        { type: 'tool-call', callId: 'r', tool: 'replace', cwd: '/shop' },
        { type: 'tool-result', success: false, output: TEXT, error: TEXT },
      ],
    ],
    [{ $rewindTo: 'g1' }, ['note', '$rewindTo', 'system']],
    [gemini('warp', 'w', {}), ['unknown', 'warp', 'system']],
  ],
  opencode: [
    [
      { info: { id: 'opencode-1', directory: '/shop', time: { created: 1_763_632_800_000 } } },
      ['note', 'session', 'system'],
    ],
    [
      opencode('user', 1, [{ type: 'text', text: TEXT }]),
      ['message', 'user', 'user', { type: 'text', text: TEXT }],
    ],
    [
      opencode('assistant', 2, [
        { type: 'reasoning', text: TEXT, time: { start: 1, end: 2 } },
        { type: 'text', text: 'grows', time: { start: 3 } },
        { type: 'tool', callID: 'c', tool: 'bash', state: { status: 'running', input: {} } },
      ]),
      [
        'message',
        'assistant',
        'assistant',
        { type: 'thinking', text: TEXT },
        { type: 'tool-call', callId: 'c', tool: 'bash', cwd: '/shop' },
      ],
    ],
    [
      // The same message again, which has grown.
      opencode('assistant', 2, [
        { type: 'reasoning', text: TEXT, time: { start: 1, end: 2 } },
        { type: 'text', text: TEXT, time: { start: 3, end: 4 } },
        {
          type: 'tool',
          callID: 'c',
          tool: 'bash',
          state: { status: 'error', input: {}, error: TEXT },
        },
        { type: 'warp' },
      ]),
      [
        'message',
        'assistant',
        'assistant',
        { type: 'text', text: TEXT },
        { type: 'tool-result', success: false, output: TEXT, error: TEXT },
        { type: 'other', name: 'warp', kind: 'unknown' },
      ],
    ],
    [opencode('warp', 3, []), ['unknown', 'warp', 'system']],
  ],
  pi: [
    [
      { type: 'session', version: 3, id: 'pi-1', timestamp: TIME, cwd: '/shop' },
      ['note', 'session', 'system'],
    ],
    [
      pi('a', null, { role: 'user', content: TEXT }),
      ['message', 'message', 'user', { type: 'text', text: TEXT }],
    ],
    [
      pi('b', 'a', {
        role: 'assistant',
        model: 'opus',
        stopReason: 'aborted',
        content: [
          { type: 'thinking', thinking: TEXT },
          { type: 'toolCall', id: 't1', name: 'bash', arguments: { command: TEXT } },
        ],
      }),
      [
        'message',
        'message',
        'assistant',
        { type: 'thinking', text: TEXT },
        { type: 'tool-call', id: 't1', tool: 'bash', input: { command: TEXT } },
      ],
    ],
    [
      pi('c', 'b', {
        role: 'toolResult',
        toolCallId: 't1',
        toolName: 'bash',
        content: TEXT,
        isError: true,
      }),
      [
        'message',
        'message',
        'tool',
        { type: 'tool-result', id: 't1', tool: 'bash', output: TEXT, success: false },
      ],
    ],
    [
      { type: 'compaction', id: 'd', parentId: 'c', summary: TEXT, timestamp: TIME },
      ['message', 'compaction', 'system', { type: 'text', text: TEXT }],
    ],
    [{ type: 'model_change', id: 'e', parentId: 'd' }, ['note', 'model_change', 'system']],
    [{ type: 'warp', id: 'f', parentId: 'e' }, ['unknown', 'warp', 'system']],
  ],
};
