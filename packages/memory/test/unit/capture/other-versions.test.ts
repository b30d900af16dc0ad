import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { JsonObject } from '@vizprompt/providers';
import { describe, expect, it } from 'vitest';
import { ClaudeLog } from '../../support/capture/claude-log.ts';
import { newFolder, onlyEvents, openMemory, put } from '../../support/capture/open-memory.ts';

const PNG = 'iVBORw0KGgo'.repeat(40);

/** Imports a transcript, and returns its events: who says what, the calls, and the files of edits. */
async function shown(text: string, name = 'session.jsonl'): Promise<readonly string[]> {
  const store = await openMemory();
  const path = await put(await newFolder(), name, text);
  await store.importTranscript(path, { closed: true });
  return (await onlyEvents(store)).flatMap(({ type, data, meta }) => {
    if (type === 'code_intention') return [];
    const isSummary = meta?.['is_compact_summary'] === true;
    if ('content' in data) return [`${isSummary ? 'summary' : type}: ${data.content}`];
    return 'file_path' in data ? [`${type}: ${data.file_path}`] : [type];
  });
}

function lines(...values: readonly JsonObject[]): string {
  return values.map((value) => `${JSON.stringify(value)}\n`).join('');
}

describe('logs of Claude Code', () => {
  const queued = (log: ClaudeLog, prompt: JsonObject[string], commandMode = 'prompt'): ClaudeLog =>
    log.raw({
      type: 'attachment',
      attachment: { type: 'queued_command', prompt: prompt ?? null, commandMode },
      uuid: `${log.session.slice(0, -4)}${log.lines.length}000`,
      parentUuid: null,
      sessionId: log.session,
      timestamp: '2026-03-01T09:00:03Z',
    });

  it('have what the user types while the agent works in attachments', async () => {
    const log = new ClaudeLog('queue').user('start').text('working');
    queued(log, 'the readme, too');
    const source = { type: 'base64', media_type: 'image/png', data: PNG };
    queued(log, [
      { type: 'text', text: 'see this' },
      { type: 'image', source },
    ]);
    queued(log, '<task-notification>\n<task-id>1</task-id></task-notification>', 'task');
    expect(await shown(log.text('yes').toString())).toEqual([
      'user_message: start',
      'assistant_message: working',
      'user_message: the readme, too',
      'user_message: see this',
      'assistant_message: yes',
    ]);
  });

  it.each([
    ['in a block of its own', [{ type: 'text', text: '<ide_selection>x</ide_selection>' }]],
    ['in the same text', []],
  ])('have notes of the program before the words of a user, %s', async (_, blocks) => {
    const note = '<system-reminder>\nnote\n</system-reminder>\n';
    const text = blocks.length === 0 ? `${note}${note}real words` : 'real words';
    const log = new ClaudeLog('note').user([...blocks, { type: 'text', text }]);
    log.user(`${note}<system-reminder>only notes</system-reminder>`);
    expect(await shown(log.toString())).toEqual(['user_message: real words']);
  });

  it.each([
    ['server_tool_use', 'web_search_tool_result'],
    ['mcp_tool_use', 'mcp_tool_result'],
  ])('have results of tools of the provider in answers: %s', async (use, result) => {
    const log = new ClaudeLog(use).user('search');
    const id = 'srvtoolu_0123456789';
    log.assistant({ type: use, id, name: 'web_search', input: { query: 'x' } });
    log.assistant({ type: result, tool_use_id: id, content: [] }).text('found');
    expect(await shown(log.toString())).toEqual([
      'user_message: search',
      'tool_use',
      'assistant_message: found',
    ]);
  });

  it('have fillers where a turn was interrupted, which no model said', async () => {
    const log = new ClaudeLog('filler').user('start');
    const fill = (text: string, model: string): void => {
      const message = { role: 'assistant', model, content: [{ type: 'text', text }] };
      const id = `${log.session.slice(0, -4)}${log.lines.length}000`;
      log.raw({ type: 'assistant', uuid: id, parentUuid: null, sessionId: log.session, message });
    };
    fill('No response requested.', '<synthetic>');
    fill('API Error: overloaded', '<synthetic>');
    fill('No response requested.', 'claude-opus-4-5');
    expect(await shown(log.user('again').toString())).toEqual([
      'user_message: start',
      'assistant_message: API Error: overloaded',
      'assistant_message: No response requested.',
      'user_message: again',
    ]);
  });

  it('are read where writers left out the ends of lines', async () => {
    const log = new ClaudeLog('joined').user('a').text('b').user('c').text('d');
    const [first = '', second = '', ...rest] = log.lines;
    const text = `${first}${second}\n${first.slice(0, 50)}${rest.join('')}\n`;
    expect(await shown(text)).toEqual([
      'user_message: a',
      'assistant_message: b',
      'user_message: c',
      'assistant_message: d',
    ]);
  });
});

describe('rollouts of Codex', () => {
  const id = '0199aaaa-0000-7000-8000-000000000001';
  const timestamp = '2026-05-01T10:00:00.000Z';
  const head = { timestamp, type: 'session_meta', payload: { id, timestamp, cwd: '/w/p' } };
  const user = (text: string): JsonObject => ({
    type: 'message',
    role: 'user',
    content: [{ type: 'input_text', text }],
  });
  const answer = (text: string): JsonObject => ({
    type: 'message',
    role: 'assistant',
    content: [{ type: 'output_text', text }],
  });
  const item = (payload: JsonObject): JsonObject => ({ timestamp, type: 'response_item', payload });
  const event = (payload: JsonObject): JsonObject => ({ timestamp, type: 'event_msg', payload });
  const call = { type: 'function_call', name: 'shell', call_id: 'call_zzzzzzzzzzzz' };
  const output = { type: 'function_call_output', call_id: 'call_zzzzzzzzzzzz', output: 'a' };

  it.each([
    [
      'as lines without a type at the head',
      lines(
        { id, timestamp, instructions: null },
        { record_type: 'state' },
        user('<environment_context>x</environment_context>'),
        user('hi'),
        { ...call, arguments: '{"command":["ls"]}' },
        output,
        answer('yo'),
      ),
    ],
    [
      'as one object',
      JSON.stringify({
        session: { id, timestamp, instructions: '' },
        items: [user('hi'), { ...call, arguments: '{"command":["ls"]}' }, output, answer('yo')],
      }),
    ],
  ])('of 2025 are read, %s', async (_, text) => {
    const name = text.startsWith('{"session"') ? 'rollout.json' : 'rollout.jsonl';
    expect(await shown(text, name)).toEqual([
      'user_message: hi',
      'tool_use',
      'assistant_message: yo',
    ]);
  });

  it('have context in events, too', async () => {
    const context = '<environment_context>\n<cwd>/w</cwd></environment_context>';
    const told = { type: 'user_message', message: context, kind: 'environment_context' };
    const text = lines(head, item(user(context)), event(told), item(user('hi')));
    expect(await shown(text)).toEqual(['user_message: hi']);
    // Newer versions say what each item is.
    const kinds = (...content_item_kinds: string[]): JsonObject => ({
      internal_chat_message_metadata_passthrough: { content_item_kinds },
    });
    const content = ['use $pdf', 'Skill: read all pages'].map((words) => {
      return { type: 'input_text', text: words };
    });
    const mixed = { ...user(''), content, ...kinds('user.text', 'skills.selected_skill') };
    const hook = { ...user('What is remembered.'), ...kinds('hooks.additional_context') };
    const unknown = { ...user('yes'), ...kinds('unknown') };
    const newer = lines(head, item(hook), item(mixed), item(unknown));
    expect(await shown(newer)).toEqual(['user_message: use $pdf', 'user_message: yes']);
  });

  it.each([
    ['a sub folder', 'cd sub && ', '/w/p/sub/n.txt'],
    ['another folder, quoted', 'cd "/w/other dir" && ', '/w/other dir/n.txt'],
    ['none', 'set -e; ', '/w/p/n.txt'],
  ])('patch files in the folder that the command goes to: %s', async (_, before, path) => {
    const patch = '*** Begin Patch\n*** Add File: n.txt\n+one\n*** End Patch';
    const command = ['bash', '-lc', `${before}apply_patch <<'EOF'\n${patch}\nEOF`];
    const shell = { ...call, arguments: JSON.stringify({ command }) };
    const done = { ...output, output: '{"output":"Success.","metadata":{"exit_code":0}}' };
    expect(await shown(lines(head, item(shell), item(done)))).toEqual([`file_edit: ${path}`]);
  });

  it('have a summary once', async () => {
    const told = { timestamp, type: 'compacted', payload: { message: 'Before: all of it' } };
    expect(
      await shown(lines(head, item(user('p')), told, item(user('Before: all of it')))),
    ).toEqual(['user_message: p', 'summary: Before: all of it']);
    expect(await shown(lines(head, item(user('p')), item(answer('all of it')), told))).toEqual([
      'user_message: p',
      'assistant_message: all of it',
    ]);
  });
});

describe('logs of other agents', () => {
  const time = '2026-05-01T10:00:00.000Z';

  it('of Gemini CLI have what hooks give in the message of the user', async () => {
    const context =
      '<hook_context>&lt;recalled-memory&gt;\nold words\n&lt;/recalled-memory&gt;</hook_context>';
    const user = (id: string, ...texts: readonly string[]): JsonObject => ({
      id,
      timestamp: '2026-03-01T09:00:00Z',
      type: 'user',
      content: texts.map((text) => ({ text })),
    });
    const text = lines(
      { sessionId: 'gem-2', projectHash: 'abc', startTime: '2026-03-01T09:00:00Z' },
      user('u1', `${context}\n\n一つ目`),
      user('u2', '二つ目', `\n\n${context}`),
      user('u3', context),
      user('u4', `${context}\n${context}\n\n三つ目`),
      user('u5', '<hook_context> とは何？'),
      user('u6', 'これは <hook_context>何</hook_context> ですか'),
    );
    expect(await shown(text)).toEqual([
      'user_message: 一つ目',
      'user_message: 二つ目',
      'user_message: 三つ目',
      'user_message: <hook_context> とは何？',
      'user_message: これは <hook_context>何</hook_context> ですか',
    ]);
  });

  it('of Gemini CLI have their history again when they are resumed', async () => {
    const call = { id: 'c1', name: 'read_file', args: { file_path: '/w/a' } };
    const response = {
      functionResponse: { id: 'c1', name: 'read_file', response: { output: 'x' } },
    };
    const at = { timestamp: '2026-03-01T09:00:00Z' };
    const head = { sessionId: 'gem-3', projectHash: 'abc', startTime: '2026-03-01T09:00:00Z' };
    const text = lines(
      head,
      { ...at, id: 'u1', type: 'user', content: [{ text: '読んで' }] },
      {
        ...at,
        id: 'g1',
        type: 'gemini',
        content: '読みます。',
        toolCalls: [{ ...call, status: 'success', result: [response] }],
      },
      { ...at, id: 'g2', type: 'gemini', content: '読みました。' },
      {
        $set: {
          messages: [
            { ...at, id: 'u1', type: 'user', content: [{ text: '読んで' }] },
            {
              ...at,
              id: 'g1',
              type: 'gemini',
              content: [
                { text: '考え', thought: true },
                { text: '読みます。' },
                { functionCall: call },
              ],
            },
            { ...at, id: 'g1_response', type: 'user', content: [response] },
            { ...at, id: 'g2', type: 'gemini', content: [{ text: '読みました。' }] },
          ],
        },
      },
      { ...at, id: 'u2', type: 'user', content: [{ text: '続けて' }] },
    );
    expect(await shown(text)).toEqual([
      'user_message: 読んで',
      'assistant_message: 読みます。',
      'tool_use',
      'assistant_message: 読みました。',
      'user_message: 続けて',
    ]);
  });

  it('of Gemini CLI are in the workspace whose hash names their folder', async () => {
    const folder = await newFolder();
    const hash = createHash('sha256').update('/w/proj').digest('hex');
    const chat = {
      sessionId: 'old',
      projectHash: hash,
      startTime: time,
      messages: [{ id: '1', timestamp: time, type: 'user', content: 'hi' }],
    };
    await put(
      folder,
      'trustedFolders.json',
      '{"/w/other":"TRUST_FOLDER","/w/proj":"TRUST_FOLDER"}',
    );
    const text = `\uFEFF${JSON.stringify(chat, null, 2).replaceAll('\n', '\r\n')}`;
    await put(folder, `tmp/${hash}/chats/session-1.json`, text);
    const store = await openMemory();
    await store.importTranscript(join(folder, 'tmp'));
    expect(await store.listSessions()).toMatchObject([
      { workspace_path: '/w/proj', event_count: 1 },
    ]);
  });

  it.each(['一行', '一行\n', '一\n二'])(
    'of Copilot CLI have new files as written: %j',
    async (text) => {
      const at = '2026-03-01T09:00:00Z';
      const line = (id: string, type: string, data: JsonObject): JsonObject => ({
        id,
        type,
        data,
        timestamp: at,
        parentId: null,
      });
      const args = { path: '/w/n.txt', file_text: text };
      const shownLines = text.replace(/\n$/, '').split('\n');
      const detailedContent = `\ndiff --git a/w/n.txt b/w/n.txt\ncreate file mode 100644\n--- a/dev/null\n+++ b/w/n.txt\n@@ -1,0 +1,${shownLines.length} @@\n${shownLines.map((one) => `+${one}\n`).join('')}`;
      const store = await openMemory();
      const log = lines(
        line('1', 'session.start', { sessionId: 'cop', context: { cwd: '/w' } }),
        line('2', 'user.message', { content: 'write' }),
        line('3', 'tool.execution_start', { toolCallId: 'c', toolName: 'create', arguments: args }),
        line('4', 'tool.execution_complete', {
          toolCallId: 'c',
          success: true,
          result: { content: 'Created', detailedContent },
        }),
      );
      const path = await put(await newFolder(), 'events.jsonl', log);
      await store.importTranscript(path, { closed: true });
      const edit = (await onlyEvents(store)).find(({ type }) => type === 'file_edit');
      expect(edit?.data).toMatchObject({ action: 'create', new_content: text });
    },
  );

  it('of Copilot CLI have summaries, and tasks of subagents that no user wrote', async () => {
    const event = (type: string, data: JsonObject): JsonObject => {
      return { type, data, id: type, timestamp: time, parentId: null };
    };
    const text = lines(
      event('session.start', { sessionId: 'one', context: { cwd: '/w' } }),
      event('user.message', { content: 'hi' }),
      { ...event('user.message', { content: 'count' }), id: 'task', agentId: 'a1' },
      event('session.compaction_complete', { success: true, summaryContent: 'all of it' }),
    );
    expect(await shown(text)).toEqual([
      'user_message: hi',
      'assistant_message: count',
      'summary: all of it',
    ]);
  });

  it('of opencode before 1.2 lead to no file outside of their folder', async () => {
    const folder = await newFolder();
    const write = (name: string, value: JsonObject): Promise<string> =>
      put(folder, `${name}.json`, JSON.stringify(value));
    const role = 'user';
    await write('oc/storage/session/p/ses_1', { id: '../../../private', directory: '/w' });
    await write('private/m1', { id: 'm1', role });
    await write('oc/storage/message/ses_1/m2', { id: '../../../private', role });
    await write('oc/storage/message/ses_1/m3', { id: 'm3', role });
    await write('oc/storage/part/m3/p1', { type: 'text', text: 'hi' });
    await write('private/p2', { type: 'text', text: 'secret' });
    const store = await openMemory();
    await store.importTranscript(join(folder, 'oc'));
    const events = await onlyEvents(store);
    expect(JSON.stringify(events)).not.toContain('secret');
    expect(events.map(({ type }) => type)).toEqual(['user_message']);
  });

  it('of opencode before 1.2 are in a file for each message and part', async () => {
    const folder = await newFolder();
    const write = (name: string, value: JsonObject): Promise<string> =>
      put(folder, `opencode/storage/${name}.json`, JSON.stringify(value));
    const of = { sessionID: 'ses_1' };
    const created = 1_760_000_000_000;
    await write('session/p1/ses_1', { id: 'ses_1', directory: '/w/oc', time: { created } });
    await write('message/ses_1/msg_1', { ...of, id: 'msg_1', role: 'user', time: { created } });
    await write('message/ses_1/msg_2', {
      ...of,
      id: 'msg_2',
      role: 'assistant',
      time: { created: created + 1, completed: created + 9 },
    });
    await write('part/msg_1/prt_1', { ...of, id: 'prt_1', type: 'text', text: 'hi' });
    const input = { filePath: '/w/oc/a.txt', content: 'x' };
    const state = { status: 'completed', input, output: '', metadata: { exists: false } };
    await write('part/msg_2/prt_2', { type: 'tool', callID: 'c', tool: 'write', state });
    await write('part/msg_2/prt_3', { type: 'text', text: 'yo' });
    await write('todo/ses_1', {});
    const store = await openMemory();
    const report = await store.importTranscript(folder);
    expect(report).toMatchObject({ files: 1, added: 4 });
    expect((await onlyEvents(store)).map(({ type }) => type)).toEqual([
      'user_message',
      'code_intention',
      'file_edit',
      'assistant_message',
    ]);
    expect(await store.importTranscript(folder)).toMatchObject({ added: 0 });
    expect(await store.listSessions()).toMatchObject([{ workspace_path: '/w/oc' }]);
  });
});
