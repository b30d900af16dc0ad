import { join } from 'node:path';
import type { JsonObject } from '@vizprompt/providers';
import { expect, it } from 'vitest';
import { handleHook } from '../../../src/hooks/index.ts';
import type { MemoryEvent } from '../../../src/index.ts';
import { newFolder, onlyEvents, openMemory, put } from '../../support/capture/open-memory.ts';

const timestamp = '2026-05-01T10:00:00.000Z';
const line = (type: string, payload: JsonObject): JsonObject => ({ timestamp, type, payload });
const event = (type: string, more: JsonObject): JsonObject => line('event_msg', { type, ...more });
const item = (payload: JsonObject): JsonObject => line('response_item', payload);
const completed = (value: JsonObject): JsonObject => event('item_completed', { item: value });
const said = (role: 'assistant' | 'user', text: string): JsonObject => {
  const type = role === 'user' ? 'input_text' : 'output_text';
  return item({ type: 'message', role, content: [{ type, text }] });
};
const ID = '0199aaaa-0000-7000-8000-000000000001';
const HEAD = line('session_meta', { id: ID, timestamp, cwd: '/w/p', cli_version: '0.160.0' });

/**
 * Imports a rollout, and returns who says what, the calls with their results, and the edits with their texts. Hooks that
 * read it line by line record the same.
 */
async function shown(...values: readonly JsonObject[]): Promise<readonly string[]> {
  const [store, live] = [await openMemory(), await openMemory()];
  const folder = await newFolder();
  const lines = [HEAD, ...values].map((value) => `${JSON.stringify(value)}\n`);
  const options = { agent: 'codex', stateFolder: join(folder, 'state') } as const;
  for (const at of lines.keys()) {
    const path = await put(folder, 'live.jsonl', lines.slice(0, at + 1).join(''));
    const input = { session_id: ID, transcript_path: path, cwd: '/w/p' };
    await handleHook(live, { ...input, hook_event_name: 'PostToolUse' }, options);
  }
  const path = await put(folder, 'rollout.jsonl', lines.join(''));
  await store.importTranscript(path, { closed: true });
  const told = (await onlyEvents(store)).flatMap(shownEvent);
  expect((await onlyEvents(live)).flatMap(shownEvent)).toEqual(told);
  expect(await live.importTranscript(path)).toMatchObject({ added: 0 });
  return told;
}

function shownEvent({ type, data }: MemoryEvent): readonly string[] {
  if (type === 'code_intention') return [];
  if ('content' in data) return [`${type}: ${data.content}`];
  if ('file_path' in data) {
    const { action, file_path: file, old_content: before, new_content: after } = data;
    return [`${action} ${file}: ${JSON.stringify([before, after])}`];
  }
  if (!('tool' in data)) return [type];
  return [`${data.tool} ${JSON.stringify([data.parameters, data.result, data.success])}`];
}

const PLAN = 'First this.\n<proposed_plan>\n- measure\n- paint\n</proposed_plan>\nThen that.';
const CITED = 'As before.<oai-mem-citation><rollout_ids>x</rollout_ids></oai-mem-citation>';

it.each([
  [
    'a plan, which events for the user have apart',
    [
      event('agent_message', { message: 'First this.\nThen that.' }),
      completed({ type: 'Plan', id: 'p', text: '- measure\n- paint\n' }),
      said('assistant', PLAN),
    ],
    ['First this.\nThen that.', '- measure\n- paint\n'],
  ],
  [
    'a plan, before the events',
    [
      said('assistant', PLAN),
      event('agent_message', { message: 'First this.\nThen that.' }),
      completed({ type: 'Plan', id: 'p', text: '- measure\n- paint\n' }),
    ],
    ['First this.\nThen that.', '- measure\n- paint\n'],
  ],
  [
    'a plan in another mode, where it is a part of the answer',
    [event('agent_message', { message: PLAN }), said('assistant', PLAN)],
    ['First this.\nThen that.', '- measure\n- paint\n'],
  ],
  ['a plan alone', [said('assistant', PLAN)], ['First this.\nThen that.', '- measure\n- paint\n']],
  [
    'citations, which the user does not see',
    [event('agent_message', { message: 'As before.' }), said('assistant', CITED)],
    ['As before.'],
  ],
  [
    'tags that are no plan',
    [said('assistant', 'Use `<proposed_plan>` and </proposed_plan>.')],
    ['Use `<proposed_plan>` and </proposed_plan>.'],
  ],
])('an answer of Codex is there once: %s', async (_, values, texts) => {
  expect(await shown(said('user', 'plan it'), ...values)).toEqual([
    'user_message: plan it',
    ...texts.map((text) => `assistant_message: ${text}`),
  ]);
});

it.each([
  '<hook_prompt hook_run_id="stop:1">Run the tests, too.</hook_prompt>',
  '<subagent_notification>\n{"agent_path":"a","status":{"completed":"x"}}\n</subagent_notification>',
  '<codex_internal_context source="exec_completion">\nexit_code: 3\n</codex_internal_context>',
  '<goal_context>\nx\n</goal_context>',
  '<extension_context>\nx\n</extension_context>',
  '<heartbeat>\n  <automation_id>a</automation_id>\n</heartbeat>',
  '<skill>\n<name>a</name>\n<path>/a/SKILL.md</path>\nx\n</skill>',
  '<user_action>\n  <context>User initiated a review task.</context>\n</user_action>',
  'Warning: apply_patch was requested via exec_command. Use the apply_patch tool instead.',
  'Warning: The maximum number of unified exec processes you can keep open is 60.',
])('what Codex says in the name of the user is not the user: %s', async (text) => {
  expect(await shown(said('user', 'go'), said('user', text))).toEqual(['user_message: go']);
});

it('words of a user may begin with a tag or a warning', async () => {
  const texts = [
    '<html> is broken',
    'Warning: this is urgent',
    '<goal> what is that?',
    '<heartbeat interval="5"/> why is this tag rejected?',
    '<skill> is no tag',
    '<environment_context> is what?',
    '<turn_aborted> appears in the log',
    '<permissions> are wrong',
  ];
  expect(await shown(...texts.map((text) => said('user', text)))).toEqual(
    texts.map((text) => `user_message: ${text}`),
  );
});

it('an unknown role of Codex is kept, and instructions are not', async () => {
  const store = await openMemory();
  const message = (role: string): JsonObject =>
    item({ type: 'message', role, content: [{ type: 'input_text', text: `by ${role}` }] });
  const lines = [HEAD, message('developer'), message('critic'), said('assistant', 'ok')];
  const text = lines.map((value) => `${JSON.stringify(value)}\n`).join('');
  const path = await put(await newFolder(), 'rollout.jsonl', text);
  const report = await store.importTranscript(path, { closed: true });
  expect(report.unknown).toEqual({ 'message:critic': 1 });
  const kept = JSON.stringify((await store.events(ID, { contents: 'all' }).page()).events);
  expect(kept).toContain('by critic');
  expect(kept).not.toContain('by developer');
});

const MESSAGE = { author: '/root', recipient: '/root/child', other_recipients: [] };

it.each([
  [
    'a line of its own',
    line('inter_agent_communication', { ...MESSAGE, content: 'count', trigger_turn: true }),
  ],
  [
    'an envelope in a line of its own',
    line('inter_agent_communication', {
      ...MESSAGE,
      content: 'Message Type: NEW_TASK\nTask name: /root/child\nSender: /root\nPayload:\ncount',
      trigger_turn: true,
    }),
  ],
  [
    'JSON in the name of the model',
    said('assistant', JSON.stringify({ ...MESSAGE, content: 'count', trigger_turn: true })),
  ],
])('a task of another agent of Codex is kept as %s', async (_, value) => {
  expect(await shown(value, said('assistant', 'three'))).toEqual([
    'assistant_message: count',
    'assistant_message: three',
  ]);
});

it('an answer to another agent of Codex is in the session of that alone', async () => {
  const text = 'Message Type: FINAL_ANSWER\nTask name: /root\nSender: /root/child\nPayload:\nthree';
  const content = [{ type: 'input_text', text }];
  const values = [
    item({ type: 'agent_message', author: '/root/child', recipient: '/root', content }),
    line('inter_agent_communication', { ...MESSAGE, content: text, trigger_turn: false }),
    said('assistant', 'The child has counted.'),
  ];
  expect(await shown(...values)).toEqual(['assistant_message: The child has counted.']);
});

it('calls of tools by code of Codex are kept, whatever the tool', async () => {
  const code = { type: 'custom_tool_call', name: 'exec', call_id: 'c1', input: 'await tools.x()' };
  const result = { content: [{ type: 'text', text: 'four' }], isError: false };
  const mcp = { type: 'McpToolCall', server: 'ledger', tool: 'sum', arguments: { of: [2, 2] } };
  const contentItems = [{ type: 'inputText', text: 'five' }];
  const dynamic = { type: 'DynamicToolCall', tool: 'lookup', arguments: { id: 7 } };
  const values = [
    item(code),
    completed({ ...mcp, id: 'e1', status: 'completed', result }),
    completed({ ...mcp, id: 'e2', status: 'failed', error: { message: 'no such sum' } }),
    completed({ ...dynamic, id: 'e3', status: 'completed', success: true, contentItems }),
    completed({ ...dynamic, id: 'e4', status: 'failed', success: false, error: 'gone' }),
    completed({ type: 'ImageView', id: 'e5', path: 'file:///w/p/pic.png' }),
    item({ type: 'custom_tool_call_output', call_id: 'c1', output: 'done' }),
  ];
  expect(await shown(...values)).toEqual([
    'sum [{"of":[2,2]},"four",true]',
    'sum [{"of":[2,2]},"no such sum",false]',
    'lookup [{"id":7},"five",true]',
    'lookup [{"id":7},"gone",false]',
    'view_image [{"path":"/w/p/pic.png"},"",true]',
    'exec ["await tools.x()","done",true]',
  ]);
});

it('what this memory answers to code of Codex is no memory of its own', async () => {
  const result = { content: [{ type: 'text', text: 'old words' }] };
  const call = { type: 'McpToolCall', id: 'e1', server: 'ptta', tool: 'search', arguments: {} };
  const [told = ''] = await shown(completed({ ...call, status: 'completed', result }));
  expect(told).toMatch(/^search /);
  expect(told).not.toContain('old words');
});

it('a call of an MCP server by Codex is there once, with the result for the model', async () => {
  const call = { type: 'function_call', name: 'sum', namespace: 'mcp__ledger__', call_id: 'c1' };
  const result = { content: [{ type: 'text', text: 'four' }] };
  const done = { type: 'McpToolCall', id: 'c1', server: 'ledger', tool: 'sum', result };
  const answer = { type: 'function_call_output', call_id: 'c1', output: 'four' };
  const values = [item({ ...call, arguments: '{}' }), completed(done), item(answer)];
  expect(await shown(...values)).toEqual(['sum [{},"four",true]']);
});

it('a picture that Codex made is a call without its bytes', async () => {
  const call = { type: 'image_generation_call', id: 'ig_1', status: 'completed' };
  const values = [
    item({ ...call, revised_prompt: 'a lighthouse', result: 'iVBORw0KGgo'.repeat(60) }),
    event('image_generation_end', { call_id: 'ig_1', result: 'iVBORw0KGgo'.repeat(60) }),
  ];
  const [told, ...others] = await shown(said('user', 'draw'), ...values);
  expect(told).toBe('user_message: draw');
  expect(others).toHaveLength(1);
  expect(others[0]).toMatch(/^image_generation_call .*a lighthouse/);
  expect(others[0]).not.toContain('iVBORw0KGgoiVBORw0KGgo');
});

it.each(['<image name=[Image #1]>', '<image>'])(
  'a prompt with a picture is there once: %s',
  async (tag) => {
    const text = (value: string): JsonObject => ({ type: 'input_text', text: value });
    const image = {
      type: 'input_image',
      image_url: `data:image/png;base64,${'iVBORw0K'.repeat(40)}`,
    };
    const content = [text(tag), image, text('</image>'), text('what is it?')];
    const sent = item({ type: 'message', role: 'user', content });
    const told = line('event_msg', { type: 'user_message', message: 'what is it?' });
    expect(await shown(sent, told)).toEqual(['user_message: what is it?']);
    expect(await shown(told, sent)).toEqual(['user_message: what is it?']);
    expect(await shown(said('user', tag))).toEqual([`user_message: ${tag}`]);
  },
);

const spoken = (more: JsonObject): JsonObject =>
  line('realtime_item', { id: 'v', realtime_session_id: 'voice', ...more });

it('what is said aloud to Codex is kept, and what it delegates is there once', async () => {
  const values = [
    spoken({ type: 'realtime_session_started' }),
    spoken({ id: 'v1', type: 'transcript_segment', role: 'user', text: 'yes' }),
    spoken({ id: 'v2', type: 'transcript_segment', data: { role: 'user', text: 'yes' } }),
    said('user', '<realtime_delegation>\n  <input>yes</input>\n</realtime_delegation>'),
    spoken({ type: 'transcript_segment', role: 'assistant', text: 'I look.' }),
    spoken({ type: 'bem_item_promoted', turn_id: 't', item_id: 'i' }),
    spoken({ type: 'realtime_session_closed', outcome: 'ended' }),
    said('user', 'yes'),
  ];
  expect(await shown(...values)).toEqual([
    'user_message: yes',
    'user_message: yes',
    'assistant_message: I look.',
    'user_message: yes',
  ]);
});

it('a command that the user runs in Codex is what was typed', async () => {
  const ran = (command: string): string =>
    `<user_shell_command>\n<command>\n${command}\n</command>\n<result>\nExit code: 0\nOutput:\na\n</result>\n</user_shell_command>`;
  const open = '<user_shell_command> is what?';
  expect(await shown(said('user', ran('git status')), said('user', open))).toEqual([
    'user_message: ! git status',
    `user_message: ${open}`,
  ]);
});

it.each([
  [['bash', '-lc', 'dir'], 'dir'],
  [['/usr/bin/fish', '-c', 'dir'], 'dir'],
  [['powershell.exe', '-NoProfile', '-Command', 'dir'], 'dir'],
  [['C:\\Windows\\System32\\cmd.exe', '/d', '/s', '/c', 'dir'], 'dir'],
  [['tcsh', '-c', 'dir'], 'dir'],
  [['bash', '-o', 'pipefail', '-lic', 'dir'], 'dir'],
  [['powershell', '-ExecutionPolicy', 'Bypass', '-Command', 'dir'], 'dir'],
  [
    ['bash', 'deploy.sh', '-c', 'prod'],
    ['bash', 'deploy.sh', '-c', 'prod'],
  ],
  [
    ['git', '-c', 'a=b'],
    ['git', '-c', 'a=b'],
  ],
  [
    ['rg', '-c', 'x', 'y'],
    ['rg', '-c', 'x', 'y'],
  ],
])('a command of Codex is recorded without the shell that runs it: %j', async (command, cmd) => {
  const facts = { status: 'completed', aggregated_output: 'a', exit_code: 0 };
  const done = completed({ type: 'CommandExecution', id: 'c', cwd: '/w', command, ...facts });
  expect(await shown(done)).toEqual([
    `exec_command ${JSON.stringify([{ cmd, workdir: '/w' }, 'a', true])}`,
  ]);
});

it('an output of Codex that no call asked for is a message', async () => {
  const parts = [{ type: 'input_text', text: 'and a second' }];
  const values = [
    item({ type: 'function_call_output', id: 'f', output: 'from another thread' }),
    item({ type: 'function_call_output', id: 'g', output: parts }),
  ];
  expect(await shown(...values)).toEqual([
    'assistant_message: from another thread',
    'assistant_message: and a second',
  ]);
});

it('lines, items and events that version 0.171 writes for itself are known', async () => {
  const types = (list: string): readonly string[] => list.split(' ');
  const values = [
    ...types(
      'agent_response_observation dynamic_tools_updated fork_reference id_allocation retained_context rollout_reference security_risk_score token_usage_record world_state',
    ).map((type) => line(type, { a: 1 })),
    ...types(
      'additional_tools compaction_trigger configuration_update context_compaction other',
    ).map((type) => item({ type })),
    ...types(
      'auth_recovery_started elicitation_abandoned environment_connected environment_disconnected raw_response_completed realtime_conversation_sdp thread_queue_changed turn_complete turn_started',
    ).map((type) => event(type, {})),
  ];
  const text = [HEAD, ...values].map((value) => `${JSON.stringify(value)}\n`).join('');
  const path = await put(await newFolder(), 'rollout.jsonl', text);
  const report = await (await openMemory()).importTranscript(path, { closed: true });
  expect(report).toMatchObject({ added: 0, unknown: {} });
});

it.each(['collab_agent_spawn_end', 'dynamic_tool_call_response', 'guardian_assessment'])(
  'events that other lines say as well are none of the memory: %s',
  async (type) => {
    const told = line('event_msg', { type, call_id: 'c' });
    expect(await shown(said('user', 'p'), told)).toEqual(['user_message: p']);
  },
);
