import type { JsonObject } from '@vizprompt/providers';
import { TranscriptReader } from '@vizprompt/providers/transcripts';
import { textHash } from '@vizprompt/providers/transcripts/internal';
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

  const steering =
    'Internal instruction: Re-evaluate the active plan using this user steering update.';
  const ran = (command: string): string =>
    `I ran the following shell command:\n\`\`\`sh\n${command}\n\`\`\`\n\nThis produced the following result:\n\`\`\`\na\n\`\`\``;
  it.each([ran('git status'), `User hints:\n<user_input>\na\n</user_input>\n${steering}`])(
    'have the keys that the whole texts gave before they were read as typed: %j',
    (text) => {
      const reader = new TranscriptReader();
      const ids = [head, user('u', text)].flatMap((line) =>
        reader.read(JSON.stringify(line)).map(({ id }) => id),
      );
      expect(ids.at(-1)).toBe(`gem/u#${textHash(text)}`);
    },
  );

  it.each([
    "Here is the user's editor context as a JSON object. It is",
    'Background execution update:\n<background_output>\nx\n</background_output>',
  ])('have words of the user in a part after such a text: %j', async (text) => {
    expect(await chat(user('u', [{ text }, { text: '\n\nwhat is it?' }]))).toEqual([
      `user_message: ${text}\n\nwhat is it?`,
    ]);
  });

  /** Source: the bundle of version 0.61. */
  it.each([
    [
      "Here is the user's editor context as a JSON object. This is for your information only.",
      null,
    ],
    ["Here is a summary of changes in the user's editor context, in JSON format. This is", null],
    ['Background execution update:\n<background_output>\ndone\n</background_output>', null],
    ['You have exceeded the maximum number of turns. You have one final chance to', null],
    ['### [System Note: Conversation History Truncated]\nPrior context was offloaded', null],
    ['[Continuing from previous AI thoughts...]', null],
    [`User steering update:\n<user_input>\nskip it\n</user_input>\n${steering}`, 'skip it'],
    [`User hints:\n<user_input>\n- a\n- b\n</user_input>\n\n${steering}`, '- a\n- b'],
    [ran('git status'), '! git status'],
    [ran('echo \\`date\\` \\\\n'), '! echo `date` \\n'],
    ['I ran the following shell command: ls', 'I ran the following shell command: ls'],
    ['User hints:\n<user_input>\nx', 'User hints:\n<user_input>\nx'],
    [`${ran('git status')}\n\nWhy?`, `${ran('git status')}\n\nWhy?`],
    [`${ran('a')}\nor\n\`\`\`\nb\n\`\`\``, `${ran('a')}\nor\n\`\`\`\nb\n\`\`\``],
    ["Here is the user's editor, broken", "Here is the user's editor, broken"],
    ['You have exceeded the time limit', 'You have exceeded the time limit'],
  ])('have what is said by the program, and by a user through it: %j', async (text, words) => {
    const response = { functionResponse: { id: 'c', name: 'x', response: { output: 'x' } } };
    const told = words === null ? [] : [`user_message: ${words}`];
    for (const content of [[{ text }], [{ text }, response]])
      expect(await chat(user('u', content), user('v', 'next'))).toEqual([
        ...told,
        'user_message: next',
      ]);
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

describe('edits of Gemini CLI', () => {
  it('have the diff that was shown where the texts are not', async () => {
    const fileDiff = '--- a.txt\tCurrent\n+++ a.txt\tProposed\n@@ -1,1 +1,1 @@\n-b\n+c\n';
    const args = { file_path: '/w/a.txt', old_string: 'b', new_string: 'c' };
    const done = { id: 'c1', name: 'replace', args, status: 'success', timestamp };
    const chat = {
      sessionId: 'gem-5',
      projectHash: 'x',
      startTime: timestamp,
      messages: [
        {
          id: 'g1',
          timestamp,
          type: 'gemini',
          content: '',
          toolCalls: [{ ...done, resultDisplay: { fileDiff, fileName: 'a.txt' } }],
        },
      ],
    };
    const store = await openMemory();
    const path = await put(await newFolder(), 'session-1.json', JSON.stringify(chat));
    await store.importTranscript(path, { closed: true });
    const edit = (await onlyEvents(store)).find(({ type }) => type === 'file_edit');
    expect(edit?.data).toMatchObject({ action: 'edit', diff: fileDiff });
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
        said('where to work', { source: 'jit-instruction' }),
        said('Please continue', { source: 'thinking-exhausted-continuation' }),
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

describe('sessions of Copilot CLI', () => {
  const id = 'd5f1d7f0-0000-4000-8000-000000000001';
  const ids = ['toolu_0123456789abcdefghijkl', 'toolu_0123456789abcdefghijkm'] as const;
  const call = (callId: string, name: string, input: JsonObject): JsonObject => {
    return { id: callId, type: 'function', function: { name, arguments: JSON.stringify(input) } };
  };
  const added =
    '\n\n<current_datetime>2025-09-27T10:00:05.000Z</current_datetime>\n\n<reminder>\none\n</reminder>\n\n<reminder>\ntwo\n</reminder>';
  const says = (
    role: string,
    content: JsonObject['x'] = null,
    more: JsonObject = {},
  ): JsonObject => {
    return { role, content, ...more };
  };
  const input = { command: 'create', path: '/w/a.txt', file_text: 'one\n' };
  const session = {
    sessionId: id,
    startTime: '2025-09-27T10:00:00.000Z',
    chatMessages: [
      says('system', 'You are an agent.'),
      says('user', `make it${added}`),
      says('assistant', null, {
        tool_calls: [
          call(ids[0], 'str_replace_editor', input),
          call(ids[1], 'bash', { command: 'x' }),
        ],
      }),
      says('tool', 'Created', { tool_call_id: ids[0] }),
      says('tool', 'The user denied it.', { tool_call_id: ids[1] }),
      says('assistant', [{ type: 'text', text: 'made' }]),
      says('user', 'What is a <reminder>?'),
      says('user', 'What is a <reminder>?'),
    ],
    timeline: [
      {
        type: 'tool_call_completed',
        callId: ids[1],
        timestamp: '2025-09-27T10:00:09.000Z',
        result: { type: 'denied', log: '' },
      },
    ],
  };
  const old = [
    'user_message: make it',
    'create /w/a.txt: [null,"one\\n"]',
    'tool_use',
    'assistant_message: made',
    'user_message: What is a <reminder>?',
    'user_message: What is a <reminder>?',
  ];

  it('are one object until 0.0.340', async () => {
    const path = await put(await newFolder(), 'session_1_2.json', JSON.stringify(session, null, 2));
    const store = await openMemory();
    const report = await store.importTranscript(path, { closed: true });
    expect(report).toMatchObject({ unknown: {}, openCalls: 0, events: { user_message: 3 } });
    const events = await onlyEvents(store);
    expect(events[0]?.timestamp).toBe('2025-09-27T10:00:05.000Z');
    expect(events.find(({ type }) => type === 'tool_use')).toMatchObject({
      data: { tool: 'bash', success: false },
      timestamp: '2025-09-27T10:00:09.000Z',
    });
    // The oldest messages are left out when there are many.
    const { chatMessages, ...rest } = session;
    const later = { ...rest, chatMessages: [...chatMessages.slice(5), says('user', 'more')] };
    const grown = await put(await newFolder(), 'session_1_2.json', JSON.stringify(later));
    expect(await store.importTranscript(grown, { closed: true })).toMatchObject({ added: 1 });
    expect(await shown('session.json', [session])).toEqual(old);
  });

  it('are copied into the events of 0.0.365', async () => {
    const folder = await newFolder();
    const line = (eventId: string, type: string, data: JsonObject): JsonObject => {
      return { type, id: eventId, timestamp, parentId: null, data };
    };
    const events = [
      line('a', 'session.start', { sessionId: id, startTime: timestamp }),
      line('b', 'session.import_legacy', { legacySession: session, importTime: timestamp }),
      line('c', 'user.message', { content: 'go on' }),
    ];
    expect(await shown('events.jsonl', events)).toEqual([...old, 'user_message: go on']);
    await put(folder, 'history-session-state/session_1_2.json', JSON.stringify(session));
    await put(
      folder,
      'session-state/1.jsonl',
      events.map((one) => `${JSON.stringify(one)}\n`).join(''),
    );
    const store = await openMemory();
    const report = await store.importTranscript(folder, { closed: true });
    expect(report.events).toMatchObject({ user_message: 4, assistant_message: 1, file_edit: 1 });
    const empty = line('d', 'session.import_legacy', { legacySession: {} });
    expect(await shown('events.jsonl', [empty, ...events.slice(2)])).toEqual([
      'user_message: go on',
    ]);
  });

  it('have the commands that a user runs in 0.0.403', async () => {
    const line = (eventId: string, type: string, data: JsonObject): JsonObject => {
      return { type, id: eventId, timestamp, parentId: null, data };
    };
    const events = [
      line('a', 'session.start', { sessionId: id, context: { cwd: '/w' } }),
      line('b', 'tool.user_requested', {
        toolCallId: 'u1',
        toolName: 'bash',
        arguments: { command: 'ls' },
      }),
      line('c', 'tool.execution_complete', {
        toolCallId: 'u1',
        success: true,
        isUserRequested: true,
        result: { content: 'a' },
      }),
    ];
    const path = await put(
      await newFolder(),
      'events.jsonl',
      events.map((one) => `${JSON.stringify(one)}\n`).join(''),
    );
    const store = await openMemory();
    const report = await store.importTranscript(path, { closed: true });
    expect(report).toMatchObject({ unknown: {}, openCalls: 0 });
    expect(await onlyEvents(store)).toMatchObject([
      { type: 'tool_use', data: { tool: 'bash', parameters: { command: 'ls' }, success: true } },
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
