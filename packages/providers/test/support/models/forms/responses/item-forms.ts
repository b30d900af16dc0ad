import type { Form } from '../form.ts';
import { withItem } from './response.ts';

const PNG = 'iVBORw0KGgo=';

/** An item, and the parts that it becomes. The types are those of the SDK's `ResponseOutputItem`. */
type ItemRow = readonly [
  name: string,
  item: object,
  parts: readonly object[],
  finish: 'stop' | 'tool-calls',
];

const ran = { meta: { openai: { providerExecuted: true } } };

const ROWS: readonly ItemRow[] = [
  [
    '`web_search_call`',
    {
      id: 'ws_1',
      type: 'web_search_call',
      status: 'completed',
      action: {
        type: 'search',
        query: '猫',
        sources: [{ type: 'url', url: 'https://example.com/a' }],
      },
    },
    [
      { type: 'tool-call', id: 'ws_1', name: 'web_search', ...ran },
      { type: 'tool-result', id: 'ws_1', output: { status: 'completed' }, ...ran },
      { type: 'source', url: 'https://example.com/a' },
    ],
    'stop',
  ],
  [
    '`file_search_call`',
    {
      id: 'fs_1',
      type: 'file_search_call',
      status: 'completed',
      queries: ['猫'],
      results: [{ file_id: 'f', filename: 'a.pdf', text: '猫は' }],
    },
    [
      { type: 'tool-call', name: 'file_search', input: ['猫'], ...ran },
      { type: 'tool-result', output: { results: [{ filename: 'a.pdf' }] }, ...ran },
      { type: 'source', title: 'a.pdf', text: '猫は' },
    ],
    'stop',
  ],
  [
    '`code_interpreter_call`',
    {
      id: 'ci_1',
      type: 'code_interpreter_call',
      status: 'completed',
      code: '1+1',
      container_id: 'c',
      outputs: [{ type: 'logs', logs: '2' }],
    },
    [
      { type: 'tool-call', name: 'code_interpreter', input: '1+1', ...ran },
      { type: 'tool-result', output: { outputs: [{ logs: '2' }] }, ...ran },
    ],
    'stop',
  ],
  [
    '`image_generation_call`',
    { id: 'ig_1', type: 'image_generation_call', status: 'completed', result: PNG },
    [{ type: 'file', mediaType: 'image/png', meta: { openai: { item: { id: 'ig_1' } } } }],
    'stop',
  ],
  [
    '`image_generation_call` that failed',
    { id: 'ig_1', type: 'image_generation_call', status: 'failed', result: null },
    [{ type: 'tool-call', name: 'image_generation', ...ran }],
    'stop',
  ],
  [
    '`mcp_call`',
    {
      id: 'mcp_1',
      type: 'mcp_call',
      server_label: 's',
      name: 'roll',
      arguments: '{"n":6}',
      output: '4',
    },
    [
      { type: 'tool-call', name: 'roll', input: { n: 6 }, ...ran },
      { type: 'tool-result', output: { output: '4' }, ...ran },
    ],
    'stop',
  ],
  [
    '`mcp_call` that failed',
    {
      id: 'mcp_1',
      type: 'mcp_call',
      server_label: 's',
      name: 'roll',
      arguments: '{}',
      error: 'no',
    },
    [{ type: 'tool-call' }, { type: 'tool-result', isError: true, output: { error: 'no' } }],
    'stop',
  ],
  [
    '`mcp_list_tools`',
    { id: 'mcpl_1', type: 'mcp_list_tools', server_label: 's', tools: [{ name: 'roll' }] },
    [
      { type: 'tool-call', name: 'mcp_list_tools', input: 's', ...ran },
      { type: 'tool-result', output: { tools: [{ name: 'roll' }] } },
    ],
    'stop',
  ],
  [
    '`mcp_approval_request`',
    {
      id: 'mcpr_1',
      type: 'mcp_approval_request',
      server_label: 's',
      name: 'roll',
      arguments: '{"n":6}',
    },
    [{ type: 'tool-call', id: 'mcpr_1', name: 'mcp_approval_request', input: { name: 'roll' } }],
    'tool-calls',
  ],
  [
    '`custom_tool_call`',
    { id: 'ctc_1', type: 'custom_tool_call', call_id: 'c', name: 'sql', input: 'SELECT 1' },
    [{ type: 'tool-call', id: 'c', name: 'sql', input: 'SELECT 1' }],
    'tool-calls',
  ],
  [
    '`computer_call`',
    {
      id: 'cu_1',
      type: 'computer_call',
      call_id: 'c',
      action: { type: 'click', x: 1, y: 2 },
      pending_safety_checks: [],
    },
    [{ type: 'tool-call', id: 'c', name: 'computer', input: { action: { type: 'click' } } }],
    'tool-calls',
  ],
  [
    '`local_shell_call`',
    {
      id: 'lsh_1',
      type: 'local_shell_call',
      call_id: 'c',
      action: { type: 'exec', command: ['ls'] },
    },
    [{ type: 'tool-call', id: 'c', name: 'local_shell', input: { command: ['ls'] } }],
    'tool-calls',
  ],
  [
    '`shell_call`, here',
    {
      id: 'sh_1',
      type: 'shell_call',
      call_id: 'c',
      action: { commands: ['ls'] },
      environment: null,
    },
    [{ type: 'tool-call', id: 'c', name: 'shell', input: { action: { commands: ['ls'] } } }],
    'tool-calls',
  ],
  [
    '`shell_call`, in a container of the server',
    {
      id: 'sh_1',
      type: 'shell_call',
      call_id: 'c',
      action: { commands: ['ls'] },
      environment: { type: 'container_reference', container_id: 'k' },
    },
    [{ type: 'tool-call', id: 'c', name: 'shell', ...ran }],
    'stop',
  ],
  [
    '`shell_call_output`',
    { id: 'sho_1', type: 'shell_call_output', call_id: 'c', output: [{ stdout: 'a' }] },
    [{ type: 'tool-result', id: 'c', name: 'shell', output: [{ stdout: 'a' }], ...ran }],
    'stop',
  ],
  [
    '`apply_patch_call`',
    {
      id: 'apc_1',
      type: 'apply_patch_call',
      call_id: 'c',
      operation: { type: 'delete_file', path: 'a' },
    },
    [{ type: 'tool-call', id: 'c', name: 'apply_patch', input: { path: 'a' } }],
    'tool-calls',
  ],
  [
    '`tool_search_call` of the server',
    { id: 'ts_1', type: 'tool_search_call', call_id: 'c', execution: 'server', arguments: {} },
    [{ type: 'tool-call', name: 'tool_search', ...ran }],
    'stop',
  ],
  [
    '`tool_search_call` of the caller',
    {
      id: 'ts_1',
      type: 'tool_search_call',
      call_id: 'c',
      execution: 'client',
      arguments: { q: 'x' },
    },
    [{ type: 'tool-call', id: 'c', name: 'tool_search', input: { q: 'x' } }],
    'tool-calls',
  ],
  [
    '`tool_search_output`',
    { id: 'tso_1', type: 'tool_search_output', call_id: 'c', tools: [{ name: 'w' }] },
    [{ type: 'tool-result', id: 'c', name: 'tool_search', output: [{ name: 'w' }], ...ran }],
    'stop',
  ],
  [
    '`program`',
    { id: 'p_1', type: 'program', call_id: 'c', code: 'f()', fingerprint: 'x' },
    [{ type: 'tool-call', id: 'c', name: 'program', input: 'f()', ...ran }],
    'stop',
  ],
  [
    '`program_output`',
    { id: 'po_1', type: 'program_output', call_id: 'c', result: '4', status: 'completed' },
    [{ type: 'tool-result', id: 'c', name: 'program', output: '4', ...ran }],
    'stop',
  ],
  [
    '`function_call` within a program',
    {
      id: 'fc_1',
      type: 'function_call',
      call_id: 'c',
      name: 'w',
      arguments: '{}',
      caller: { type: 'program', caller_id: 'p' },
    },
    [
      {
        type: 'tool-call',
        id: 'c',
        name: 'w',
        meta: { openai: { item: { caller: { type: 'program' } } } },
      },
    ],
    'tool-calls',
  ],
  ...(['function', 'computer', 'local_shell', 'apply_patch', 'custom_tool'] as const).map(
    (tool): ItemRow => [
      `\`${tool}_call_output\``,
      { id: 'o_1', type: `${tool}_call_output`, call_id: 'c', output: 'x', status: 'completed' },
      [{ type: 'tool-result', id: 'c', name: tool, ...ran }],
      'stop',
    ],
  ),
  ...(['compaction', 'additional_tools', 'mcp_approval_response', 'dream'] as const).map(
    (type): ItemRow => [
      type === 'dream' ? 'an item of tomorrow' : `\`${type}\``,
      { id: 'x_1', type, encrypted_content: 'gAAA' },
      [{ type: 'reasoning', text: '', meta: { openai: { item: { type, id: 'x_1' } } } }],
      'stop',
    ],
  ),
  [
    'a call of tomorrow',
    { id: 'd_1', type: 'dream_call', status: 'completed' },
    [{ type: 'tool-call', id: 'd_1', name: 'dream', ...ran }],
    'stop',
  ],
];

export const ITEM_FORMS: readonly Form[] = ROWS.map(([name, item, parts, finish]) => ({
  kind: 'the Responses API: items',
  wire: 'responses',
  name,
  answers: [withItem(item)],
  expected: { parts, finish },
}));
