import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import type { JsonObject } from '@vizprompt/providers';
import { expect, it } from 'vitest';
import {
  allEvents,
  newFolder,
  onlyEvents,
  openMemory,
  put,
} from '../../support/capture/open-memory.ts';
import { OpencodeLog } from '../../support/capture/opencode-log.ts';

/** The tables that opencode 2.0 has, as far as they are read. */
const TABLES = `
  CREATE TABLE session_v2 (id TEXT PRIMARY KEY, project_id TEXT NOT NULL, parent_id TEXT, fork_session_id TEXT,
    directory TEXT NOT NULL, title TEXT, version TEXT NOT NULL, time_created INTEGER NOT NULL,
    time_updated INTEGER NOT NULL);
  CREATE TABLE session_message (id TEXT PRIMARY KEY, session_id TEXT NOT NULL, type TEXT NOT NULL,
    seq INTEGER NOT NULL, time_created INTEGER NOT NULL, time_updated INTEGER NOT NULL, data TEXT NOT NULL);`;
const START = Date.parse('2026-11-21T10:00:00Z');

/** Adds tables and a session of version 2 to a database. */
function session2(
  path: string,
  records: readonly (readonly [type: string, data: JsonObject])[],
  { id = 'ses_2', parent = null, fork = null }: { readonly [name: string]: string | null } = {},
): void {
  const database = new Sqlite(path);
  database.exec(TABLES.replaceAll('CREATE TABLE', 'CREATE TABLE IF NOT EXISTS'));
  database
    .prepare('INSERT INTO session_v2 VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)')
    .run(id, 'p', parent, fork, '/home/ann/shop', 'Tools', '2.0.14', START, START);
  for (const [at, [type, data]] of records.entries()) {
    const created = START + at * 1000;
    const whole = { time: { created, completed: created + 900 }, ...data };
    database
      .prepare('INSERT INTO session_message VALUES (?, ?, ?, ?, ?, ?, ?)')
      .run(`${id}_${at}`, id, type, at * 3, created, created, JSON.stringify(whole));
  }
  database.close();
}

function tool(name: string, input: JsonObject, state: JsonObject): JsonObject {
  const time = { created: START, ran: START + 5, completed: START + 25 };
  return {
    type: 'tool',
    id: `call_${name}`,
    name,
    time,
    state: { status: 'completed', input, ...state },
  };
}

const said = (text: string): JsonObject => ({ content: [{ type: 'text', text }] });
const PATCH =
  'Index: a.py\n===\n--- a.py\n+++ a.py\n@@ -1,2 +1,2 @@\n a = 1\n-b = 2\n+b = 3\n\\ No newline at end of file\n';
const RECORDS: readonly (readonly [string, JsonObject])[] = [
  ['agent-switched', { agent: 'build' }],
  [
    'user',
    {
      text: '直して',
      files: [{ mime: 'image/png', name: 'a.png', data: 'iVBORw0KGgo'.repeat(40) }],
    },
  ],
  ['synthetic', { text: '<system-reminder>plan</system-reminder>' }],
  [
    'assistant',
    {
      model: { id: 'big-pickle', providerID: 'opencode' },
      tokens: { input: 5, output: 6 },
      content: [
        { type: 'reasoning', text: 'まず読む', time: { created: START + 1, completed: START + 2 } },
        { type: 'text', text: 'I read it.' },
        tool(
          'read',
          { path: 'a.py' },
          {
            content: [{ type: 'text', text: 'Read file a.py, lines 1-2\n1: a = 1\n2: b = 2' }],
            metadata: { truncated: false },
          },
        ),
        tool(
          'edit',
          { path: 'a.py', oldString: 'b = 2', newString: 'b = 3' },
          {
            content: [{ type: 'text', text: 'Edited a.py (1 replacement)' }],
            metadata: { files: [{ file: 'a.py', patch: PATCH, status: 'modified' }] },
          },
        ),
        tool(
          'write',
          { path: 'new.py', content: 'c = 4\n' },
          {
            content: [{ type: 'text', text: 'Created file successfully: new.py' }],
          },
        ),
        tool(
          'shell',
          { command: 'cat no.txt' },
          {
            content: [
              { type: 'text', text: 'cat: no.txt: No such file\n' },
              { type: 'text', text: 'Command exited with code 1.' },
            ],
            metadata: { exit: 1 },
          },
        ),
        tool(
          'websearch',
          { query: 'x' },
          { status: 'error', error: { type: 'unknown', message: 'cancelled' } },
        ),
      ],
    },
  ],
  ['idle', { outcome: 'succeeded' }],
  [
    'shell',
    {
      shellID: 'sh_1',
      command: 'git status',
      status: 'exited',
      exit: 0,
      output: { output: 'clean' },
    },
  ],
  ['compaction', { status: 'completed', reason: 'manual', summary: 'What was done.' }],
  ['compaction', { status: 'failed', reason: 'auto', error: { message: 'no' } }],
  ['assistant', { time: { created: START + 8000 }, ...said('half of it') }],
];

it('a session of opencode 2 becomes what was said and done', async () => {
  const path = join(await newFolder(), 'opencode.db');
  session2(path, RECORDS);
  const store = await openMemory();
  expect(await store.importTranscript(path, { closed: false })).toMatchObject({ unknown: {} });
  const events = await onlyEvents(store);
  const shown = events.map(({ type, data }) => {
    if ('content' in data) return [type, data.content];
    return 'tool' in data ? [type, data.tool, data.success, data.result] : [type];
  });
  expect(shown).toEqual([
    ['user_message', '直して'],
    ['thinking', 'まず読む'],
    ['assistant_message', 'I read it.'],
    ['tool_use', 'read', true, 'Read file a.py, lines 1-2\n1: a = 1\n2: b = 2'],
    ['code_intention'],
    ['file_edit'],
    ['code_intention'],
    ['file_edit'],
    ['tool_use', 'shell', false, 'cat: no.txt: No such file\n'],
    ['tool_use', 'websearch', false, 'cancelled'],
    ['tool_use', 'shell', true, 'clean'],
    ['assistant_message', 'What was done.'],
  ]);
  const edits = events.filter(({ type }) => type === 'file_edit').map(({ data }) => data);
  expect(edits).toMatchObject([
    {
      action: 'edit',
      file_path: '/home/ann/shop/a.py',
      success: true,
      new_content: 'a = 1\nb = 3',
    },
    { action: 'create', file_path: '/home/ann/shop/new.py', new_content: 'c = 4\n' },
  ]);
  expect(events[0]?.meta).toMatchObject({ attachments: [{ type: 'file', filename: 'a.png' }] });
  expect(JSON.stringify(events)).not.toContain('iVBORw0KGgo');
  expect(events[1]?.meta).toMatchObject({ model: 'big-pickle', usage: { input: 5 } });
  const [session] = await store.listSessions();
  expect(session).toMatchObject({
    workspace_path: '/home/ann/shop',
    metadata: { title: 'Tools', agent_version: '2.0.14' },
  });

  // The answer that was being written is read when nothing more can come, and all of it once.
  expect(await store.importTranscript(path, { closed: true })).toMatchObject({ added: 1 });
  expect((await onlyEvents(store)).at(-1)?.data).toEqual({ content: 'half of it' });
});

it('a session that opencode 2 has taken over continues, each message once', async () => {
  const path = join(await newFolder(), 'opencode.db');
  const log = new OpencodeLog(path);
  const session = log.session('/home/ann/shop');
  log.ask(session, 'before');
  log.answer(session, { say: 'told before' });
  log.close();
  const store = await openMemory();
  await store.importTranscript(path, { closed: true });
  const old = Date.parse('2026-11-20T10:00:03Z');
  session2(
    path,
    [
      ['user', { text: 'after' }],
      ['assistant', said('told after')],
    ],
    { id: session },
  );
  const database = new Sqlite(path);
  // As taken over: the same words without the times of parts.
  for (const [type, data] of [
    ['user', { text: 'before' }],
    ['assistant', said('told before')],
  ] as const) {
    const whole = JSON.stringify({ ...data, time: { created: old, completed: old } });
    database
      .prepare('INSERT INTO session_message VALUES (?, ?, ?, ?, ?, ?, ?)')
      .run(`old_${type}`, session, type, -1, old, old, whole);
  }
  database.close();
  await store.importTranscript(path, { closed: true });
  const fresh = await openMemory();
  await fresh.importTranscript(path, { closed: true });
  for (const one of [store, fresh]) {
    const contents = (await onlyEvents(one)).map(({ data }) => 'content' in data && data.content);
    expect(contents).toEqual(['before', 'told before', 'after', 'told after']);
  }
});

it('subagents and forks of opencode 2 name the sessions that they come from', async () => {
  const path = join(await newFolder(), 'opencode.db');
  const talk = [
    ['user', { text: 'first' }],
    ['assistant', said('answer')],
  ] as const;
  session2(path, talk);
  session2(path, [...talk, ['user', { text: 'in the fork' }]], { id: 'ses_3', fork: 'ses_2' });
  session2(path, [['user', { text: 'the task' }]], { id: 'ses_4', parent: 'ses_2' });
  const store = await openMemory();
  await store.importTranscript(path, { closed: true });
  const contents = [...(await allEvents(store)).values()].map((events) =>
    events.map(({ type, data }) => [type, 'content' in data && data.content]),
  );
  expect(contents.toSorted((a, b) => b.length - a.length || (a < b ? -1 : 1))).toEqual([
    [
      ['user_message', 'first'],
      ['assistant_message', 'answer'],
    ],
    [['assistant_message', 'the task']],
    [['user_message', 'in the fork']],
  ]);
});

it('an export of opencode 2 is read as its database', async () => {
  const folder = await newFolder();
  session2(join(folder, 'opencode.db'), RECORDS.slice(0, -1));
  const database = await openMemory();
  await database.importTranscript(join(folder, 'opencode.db'), { closed: true });
  const messages = RECORDS.slice(0, -1).map(([type, data], at) => {
    const created = START + at * 1000;
    return { id: `ses_2_${at}`, type, time: { created, completed: created + 900 }, ...data };
  });
  const info = {
    id: 'ses_2',
    title: 'Tools',
    location: { directory: '/home/ann/shop' },
    time: { created: START, updated: START },
  };
  const exported = await openMemory();
  const text = JSON.stringify({ info, messages }, undefined, 2);
  await exported.importTranscript(await put(folder, 'out/session.json', text), { closed: true });
  const ids = (await onlyEvents(exported)).map(({ id }) => id);
  expect(ids).toEqual((await onlyEvents(database)).map(({ id }) => id));
  expect(ids).toHaveLength(12);
});
