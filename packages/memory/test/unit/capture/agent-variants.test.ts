import type { JsonObject } from '@vizprompt/providers';
import { describe, expect, it } from 'vitest';
import { newFolder, onlyEvents, openMemory, put } from '../../support/capture/open-memory.ts';

const timestamp = '2026-05-01T10:00:00.000Z';

/** Imports a log, and returns who says what, and the edits with their texts. */
async function shown(name: string, values: readonly JsonObject[]): Promise<readonly string[]> {
  const store = await openMemory();
  const text = values.map((value) => `${JSON.stringify(value)}\n`).join('');
  await store.importTranscript(await put(await newFolder(), name, text), { closed: true });
  return (await onlyEvents(store)).flatMap(({ type, data, meta }) => {
    if (type === 'code_intention') return [];
    const isSummary = meta?.['is_compact_summary'] === true;
    if ('content' in data) return [`${isSummary ? 'summary' : type}: ${data.content}`];
    if (!('file_path' in data)) return [type];
    const { action, file_path: file, old_content: before, new_content: after } = data;
    return [`${action} ${file}: ${JSON.stringify([before, after])}`];
  });
}

describe('chats of Gemini CLI', () => {
  const head = { sessionId: 'gem', projectHash: 'x', startTime: timestamp, kind: 'main' };
  const user = (
    id: string,
    content: JsonObject['x'] = null,
    more: JsonObject = {},
  ): JsonObject => ({
    id,
    timestamp,
    type: 'user',
    content,
    ...more,
  });
  const chat = (...values: readonly JsonObject[]) => shown('session-1.jsonl', [head, ...values]);
  const files = [
    { text: '@a.txt を読んで' },
    { text: '\n--- Content from referenced files ---' },
    { text: '\nContent from @a.txt:\n' },
    { text: 'secret of the file' },
    { text: '\n--- End of content ---' },
  ];
  const given = { text: '<hook_context>today</hook_context>' };

  it.each([
    ['typed', user('u', files)],
    ['typed, before what hooks give', user('u', [...files, given])],
    ['shown', user('u', files, { displayContent: [{ text: '@a.txt を読んで' }] })],
    ['shown as a text', user('u', files, { displayContent: '@a.txt を読んで' })],
  ])('have what the user typed, and not the files that it names: %s', async (_, line) => {
    expect(await chat(line)).toEqual(['user_message: @a.txt を読んで']);
  });

  it.each([
    'Why do you print --- Content from referenced files --- and then\nmy words in between\n--- End of content --- in my prompt?',
    'It printed\n--- Content from referenced files ---\nand then\n--- End of content --- and stopped.',
  ])('have the words of a user between marks that a user names: %s', async (text) => {
    expect(await chat(user('u', text))).toEqual([`user_message: ${text}`]);
  });

  it('have the whole text of an answer that a history has longer', async () => {
    const answer = { id: 'g', timestamp, type: 'gemini', content: 'Half of the ans', model: 'm' };
    const whole = { ...answer, content: 'Half of the answer is whole now.' };
    const history = { $set: { messages: [whole, { ...answer, content: '[short]' }] } };
    expect(await chat(answer, history, history)).toEqual([
      'assistant_message: Half of the ans',
      'assistant_message: Half of the answer is whole now.',
    ]);
  });

  it('have summaries of compressions once, and no fillers', async () => {
    const summary = '<state_snapshot>\n<goal>paint</goal>\n</state_snapshot>';
    const filler = {
      id: 'f',
      timestamp,
      type: 'gemini',
      content: [{ text: 'Got it. Thanks for the additional context!' }],
    };
    const messages = [user('s', [{ text: summary }]), filler, user('u2', 'next')];
    expect(
      await chat(
        user('u1', 'first'),
        user('u2', 'next'),
        { $set: { messages } },
        { $set: { messages } },
      ),
    ).toEqual(['user_message: first', 'user_message: next', `summary: ${summary}`]);
  });

  it('have what was said once, although a history has it shortened', async () => {
    const answer = { id: 'g', timestamp, type: 'gemini', content: 'a long answer', model: 'm' };
    const messages = [user('u', '[shortened]'), { ...answer, content: [{ text: '[shortened]' }] }];
    expect(await chat(user('u', 'a long question'), answer, { $set: { messages } })).toEqual([
      'user_message: a long question',
      'assistant_message: a long answer',
    ]);
  });
});

describe('events of Copilot CLI', () => {
  let count = 0;
  const event = (type: string, data: JsonObject): JsonObject => {
    count += 1;
    return { type, data, id: `e${count}`, timestamp, parentId: null };
  };
  const head = event('session.start', { sessionId: 'cop', context: { cwd: '/w' } });
  const log = (...values: readonly JsonObject[]) => shown('events.jsonl', [head, ...values]);

  it('name who speaks in the name of the user', async () => {
    const said = (content: string, more: JsonObject): JsonObject =>
      event('user.message', { content, ...more });
    expect(
      await log(
        said('hi', { source: 'user' }),
        said('a skill', { source: 'skill-pdf' }),
        said('a notification', { source: 'system' }),
        said('go on', { source: 'autopilot' }),
        said('go on', { isAutopilotContinuation: true }),
        said('count', { source: 'agent-root' }),
        said('every day', { source: 'schedule-1' }),
      ),
    ).toEqual(['user_message: hi', 'assistant_message: count', 'user_message: every day']);
  });

  it('sum up a session that was handed over', async () => {
    const handoff = event('session.handoff', { sourceType: 'remote', summary: 'all of it' });
    expect(await log(handoff, event('user.message', { content: 'next' }))).toEqual([
      'summary: all of it',
      'user_message: next',
    ]);
  });
});

describe('logs of Claude Code', () => {
  const of = '33333333-3333-4333-8333-333333333333';
  let count = 0;
  const line = (type: string, more: JsonObject): JsonObject => {
    count += 1;
    const uuid = `44444444-4444-4444-8444-${String(count).padStart(12, '0')}`;
    return { type, uuid, parentUuid: null, sessionId: of, timestamp, cwd: '/w', ...more };
  };
  const call = (id: string, name: string, input: JsonObject): JsonObject[] => [
    line('assistant', {
      message: { role: 'assistant', content: [{ type: 'tool_use', id, name, input }] },
    }),
    line('user', {
      message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: 'ok' }] },
    }),
  ];

  it('name who speaks in the name of the user', async () => {
    const said = (content: string, kind: string): JsonObject =>
      line('user', { message: { role: 'user', content }, origin: { kind } });
    const queued = (prompt: string, kind: string): JsonObject =>
      line('attachment', { attachment: { type: 'queued_command', prompt, origin: { kind } } });
    const lines = [
      said('hi', 'human'),
      said('go on', 'auto-continuation'),
      said('a task ended', 'task-notification'),
      said('a note', 'plugin'),
      said('count', 'coordinator'),
      queued('and this', 'human'),
      queued('another task ended', 'task-notification'),
      said('by phone', 'channel'),
    ];
    expect(await shown('session.jsonl', lines)).toEqual([
      'user_message: hi',
      'assistant_message: count',
      'user_message: and this',
      'user_message: by phone',
    ]);
  });

  it('of the preview have edits under other names', async () => {
    const lines = [
      ...call('t1', 'Replace', { file_path: '/w/a', content: 'x' }),
      ...call('t2', 'NotebookEditCell', { notebook_path: '/w/n.ipynb', new_source: '1' }),
    ];
    expect(await shown('session.jsonl', lines)).toEqual([
      `create /w/a: ${JSON.stringify([undefined, 'x'])}`,
      `edit /w/n.ipynb: ${JSON.stringify([undefined, undefined])}`,
      'tool_use',
    ]);
  });

  it.each(['str_replace_based_edit_tool', 'str_replace_editor'])(
    'have the texts of edits by commands: %s',
    async (tool) => {
      const path = '/w/n.txt';
      const values = [
        ...call('t1', tool, { command: 'create', path, file_text: 'a\nc\n' }),
        ...call('t2', tool, { command: 'insert', path, insert_line: 1, insert_text: 'b' }),
        ...call('t3', tool, { command: 'insert', path, insert_line: 0, new_str: 'top' }),
        ...call('t4', tool, { command: 'str_replace', path, old_str: 'c', new_str: '$&' }),
        ...call('t5', tool, { command: 'view', path }),
      ];
      expect(await shown('session.jsonl', values)).toEqual([
        `create ${path}: ${JSON.stringify([undefined, 'a\nc\n'])}`,
        `edit ${path}: ${JSON.stringify(['a\nc\n', 'a\nb\nc\n'])}`,
        `edit ${path}: ${JSON.stringify(['a\nb\nc\n', 'top\na\nb\nc\n'])}`,
        `edit ${path}: ${JSON.stringify(['top\na\nb\nc\n', 'top\na\nb\n$&\n'])}`,
        'tool_use',
      ]);
    },
  );
});
