import type { JsonObject } from '@vizprompt/providers';

const lines = (...values: readonly JsonObject[]): string =>
  `${values.map((value) => JSON.stringify(value)).join('\n')}\n`;

const at = (second: number): string => new Date(Date.UTC(2026, 2, 1, 9, 0, second)).toISOString();

let second = 0;
const codexLine = (type: string, payload: JsonObject): JsonObject => {
  second += 1;
  return { timestamp: at(second), type, payload };
};
const item = (payload: JsonObject): JsonObject => codexLine('response_item', payload);
const said = (role: string, kind: string, text: string): JsonObject =>
  item({ type: 'message', role, content: [{ type: kind, text }] });

/** The patch of the log below. */
const PATCH: string = [
  '*** Begin Patch',
  '*** Add File: docs/new.md',
  '+# 新しい',
  '+text',
  '*** Update File: src/old.ts',
  '@@ function a() {',
  '-\treturn 1;',
  '+\treturn 2;',
  ' }',
  '*** Delete File: gone.txt',
  '*** End Patch',
  '',
].join('\n');

/** A rollout of Codex: what is said is in it twice, calls are joined by their ids. */
export const codexLog: string = lines(
  codexLine('session_meta', {
    id: '019c4b43-0000-7000-8000-000000000001',
    timestamp: at(0),
    cwd: '/home/ann/shop',
    cli_version: '0.140.0',
    git: { branch: 'main' },
  }),
  codexLine('turn_context', { cwd: '/home/ann/shop', model: 'gpt-5-codex' }),
  said('user', 'input_text', '<environment_context>\n  <cwd>/home/ann/shop</cwd>'),
  said('user', 'input_text', '直して'),
  codexLine('event_msg', { type: 'user_message', message: '直して' }),
  codexLine('event_msg', { type: 'agent_reasoning', text: '**Look first**' }),
  item({ type: 'reasoning', summary: [{ type: 'summary_text', text: '**Look first**' }] }),
  item({ type: 'reasoning', summary: [], encrypted_content: 'zzz' }),
  item({
    type: 'function_call',
    name: 'exec_command',
    arguments: JSON.stringify({ cmd: 'ls', workdir: '/home/ann/shop' }),
    call_id: 'call_1',
  }),
  item({
    type: 'function_call_output',
    call_id: 'call_1',
    output: 'Exit code: 1\nWall time: 0.5 seconds\nOutput:\nno such file',
  }),
  codexLine('event_msg', { type: 'agent_message', message: 'I patch it.' }),
  said('assistant', 'output_text', 'I patch it.'),
  item({ type: 'custom_tool_call', name: 'apply_patch', input: PATCH, call_id: 'call_2' }),
  codexLine('event_msg', {
    type: 'patch_apply_end',
    call_id: 'call_2',
    success: true,
    stdout: 'Success.',
    changes: {
      '/home/ann/shop/docs/new.md': { type: 'add', content: '# 新しい\ntext\n' },
      '/home/ann/shop/src/old.ts': {
        type: 'update',
        unified_diff: '@@ -11,3 +11,3 @@\n function a() {\n-\treturn 1;\n+\treturn 2;\n }\n',
      },
      '/home/ann/shop/gone.txt': { type: 'delete', content: 'bye\n' },
    },
  }),
  item({ type: 'custom_tool_call_output', call_id: 'call_2', output: 'Success.' }),
  codexLine('turn_context', { cwd: '/home/ann/shop/docs', model: 'gpt-5-codex' }),
  item({
    type: 'function_call',
    name: 'apply_patch',
    arguments: JSON.stringify({
      input: '*** Begin Patch\n*** Update File: new.md\n@@\n-text\n+more text\n*** End Patch',
    }),
    call_id: 'call_3',
  }),
  item({
    type: 'function_call_output',
    call_id: 'call_3',
    output: '{"output":"Success.","metadata":{"exit_code":0,"duration_seconds":0.1}}',
  }),
  codexLine('event_msg', { type: 'token_count', info: { total: 1 } }),
  said('assistant', 'output_text', 'Done.'),
);

const call = (id: string, name: string, args: JsonObject, more: JsonObject): JsonObject => ({
  id,
  name,
  args,
  ...more,
});

/** A chat of Gemini CLI in lines: a message that grows is written again. */
export const geminiLog: string = lines(
  {
    sessionId: 'gem-1',
    projectHash: 'abc',
    startTime: at(0),
    kind: 'main',
    directories: ['/home/ann/shop'],
  },
  { id: 'u1', timestamp: at(1), type: 'user', content: [{ text: '直して' }] },
  {
    id: 'g1',
    timestamp: at(2),
    type: 'gemini',
    content: 'I look.',
    thoughts: [{ subject: 'Plan', description: 'Read it first.', timestamp: at(2) }],
    model: 'gemini-2.5-pro',
  },
  {
    id: 'g1',
    timestamp: at(2),
    type: 'gemini',
    content: 'I look.',
    thoughts: [{ subject: 'Plan', description: 'Read it first.', timestamp: at(2) }],
    model: 'gemini-2.5-pro',
    tokens: { input: 5, output: 2, total: 7 },
    toolCalls: [
      call(
        'read-1',
        'read_file',
        { absolute_path: '/home/ann/shop/a.ts' },
        {
          status: 'success',
          result: [{ functionResponse: { id: 'read-1', response: { output: 'one\n' } } }],
        },
      ),
      call(
        'replace-1',
        'replace',
        { file_path: '/home/ann/shop/a.ts', old_string: 'one', new_string: 'two' },
        {
          status: 'executing',
        },
      ),
    ],
  },
  {
    id: 'g1',
    timestamp: at(2),
    type: 'gemini',
    content: 'I look.',
    model: 'gemini-2.5-pro',
    toolCalls: [
      call(
        'replace-1',
        'replace',
        { file_path: '/home/ann/shop/a.ts', old_string: 'one', new_string: 'two' },
        {
          status: 'success',
          result: [],
        },
      ),
      call(
        'shell-1',
        'run_shell_command',
        { command: 'false' },
        {
          status: 'error',
          resultDisplay: 'exit 1',
        },
      ),
    ],
  },
  { $rewindTo: 'g1' },
  { id: 'i1', timestamp: at(3), type: 'info', content: 'cancelled' },
  { $set: { summary: '値引き', lastUpdated: at(4) } },
);

/** The events of Copilot CLI. */
export const copilotLog: string = lines(
  {
    type: 'session.start',
    id: 'e1',
    parentId: null,
    timestamp: at(1),
    data: {
      sessionId: '301561f1-0000-4000-8000-000000000001',
      startTime: at(1),
      copilotVersion: '1.0.45',
      context: { cwd: '/home/ann/shop', branch: 'main' },
    },
  },
  { type: 'user.message', id: 'e2', parentId: 'e1', timestamp: at(2), data: { content: '直して' } },
  {
    type: 'assistant.message',
    id: 'e3',
    parentId: 'e2',
    timestamp: at(3),
    data: {
      messageId: 'm1',
      content: 'I write it.',
      reasoningText: 'A new file.',
      toolRequests: [
        {
          toolCallId: 't1',
          name: 'create',
          arguments: JSON.stringify({ path: 'a.py', file_text: 'x = 1\n' }),
        },
        {
          toolCallId: 't2',
          name: 'edit',
          arguments: { path: '/home/ann/shop/a.py', old_str: '1', new_str: '2' },
        },
        { toolCallId: 't3', name: 'bash', arguments: { command: 'false' } },
      ],
    },
  },
  {
    type: 'tool.execution_start',
    id: 'e4',
    parentId: 'e3',
    timestamp: at(3),
    data: { toolCallId: 't1', toolName: 'create' },
  },
  {
    type: 'tool.execution_complete',
    id: 'e5',
    parentId: 'e4',
    timestamp: at(4),
    data: { toolCallId: 't1', success: true, result: { content: 'ok' } },
  },
  {
    type: 'tool.execution_complete',
    id: 'e6',
    parentId: 'e5',
    timestamp: at(5),
    data: { toolCallId: 't2', result: { result_type: 'success' } },
  },
  {
    type: 'tool.execution_complete',
    id: 'e7',
    parentId: 'e6',
    timestamp: at(6),
    data: { toolCallId: 't3', success: false, error: { message: 'exit 1' } },
  },
  { type: 'hook.end', id: 'e8', parentId: 'e7', timestamp: at(7), data: {} },
  { type: 'quantum.leap', id: 'e9', parentId: 'e8', timestamp: at(7), data: { to: 1985 } },
  {
    type: 'assistant.message',
    id: 'e10',
    parentId: 'e9',
    timestamp: at(8),
    data: { content: 'Done.' },
  },
);

/** Logs of other programs than Claude Code. */
export const otherLogs: readonly (readonly ['codex' | 'copilot' | 'gemini', string])[] = [
  ['codex', codexLog],
  ['gemini', geminiLog],
  ['copilot', copilotLog],
];
