import { join } from 'node:path';
import { CodedError } from '@vizprompt/providers';
import { MemoryStore, type MemoryEvent } from '@vizprompt/memory';
import { describe, expect, it } from 'vitest';
import { call, connect, textOf as resultText, WORKSPACE } from '../support/mcp/connect-client.ts';
import { all, newStore, temporaryFolder, textOf } from '../support/open-store.ts';

/** Names that no database can hold. */
const texts = ['\0', 'a\0b', '\ud800', 'x\udfff'];
const SQL = /\b(?:SELECT|INSERT|UPDATE|DELETE FROM|parameter \d)/;

/** Returns the code of the package's own error, or what came instead of one. */
async function refusal(answer: () => Promise<unknown>): Promise<unknown> {
  try {
    return { answered: await answer() };
  } catch (error) {
    const isTold = error instanceof CodedError && !SQL.test(error.message);
    return isTold ? `${error.name} ${error.code}` : error;
  }
}

/** Returns a store with a session, a message and an edit in it. */
async function filled(): Promise<{ store: MemoryStore; session: string; event: MemoryEvent }> {
  const store = await newStore();
  const { id: session } = await store.startSession({ workspace: WORKSPACE });
  const event = await store.log(session, 'user_message', { content: 'はじめまして' });
  await store.log(session, 'file_edit', {
    action: 'create',
    file_path: '一.md',
    new_content: '二',
    success: true,
  });
  return { store, session, event };
}

type Ask = (store: MemoryStore, text: string, session: string) => Promise<unknown>;

const content = { content: 'x' };

/** All that is asked by the id of something. */
const ids: Readonly<Record<string, Ask>> = {
  getSession: (store, id) => store.getSession(id),
  endSession: (store, id) => store.endSession(id),
  updateSession: (store, id) => store.updateSession(id, { endedAt: null }),
  deleteSession: (store, id) => store.deleteSession(id),
  log: (store, id) => store.log(id, 'thinking', content),
  logMany: (store, id) => store.logMany(id, [{ type: 'thinking', data: content }]),
  events: (store, id) => store.events(id).page(),
  getEvent: (store, id) => store.getEvent(id),
  'listSessions before one': (store, id) => store.listSessions({ before: id }),
  'search in one': (store, id) => store.search('x', { session: id }),
  'searchSessions in one': (store, id) => store.searchSessions('x', { session: id }),
  'editFile in one': (store, id) =>
    store.editFile({ session: id, path: 'a', reason: 'r', newContent: 'x' }),
  'recordEdit in one': (store, id) =>
    store.recordEdit({ session: id, path: 'a', reason: 'r', run: async () => undefined }),
  'pendingIntentions of one': (store, id) => store.pendingIntentions({ session: id }),
  'stats of one': (store, id) => store.stats({ session: id }),
  'exportJson of one': (store, id) => textOf(store.exportJson({ session: id })),
  'exportHtml of one': (store, id) => textOf(store.exportHtml({ session: id })),
  'fileHistory before one': (store, id) => store.fileHistory('/a', { before: id }),
  'fileAt one': (store, id) => store.fileAt('/a', { event: id }),
  'a retriever in one': (store, id) => store.retriever().retrieve('x', { filter: { session: id } }),
};

/** All that must be a path, an id or a name of its own. */
const wrong: Readonly<Record<string, Ask>> = {
  'an id of a session': (store, id) => store.startSession({ id }),
  'an id of an event': (store, id, session) => store.log(session, 'thinking', content, { id }),
  'a parent': (store, parent, session) => store.log(session, 'thinking', content, { parent }),
  'the id of an intention': (store, id, session) =>
    store.log(session, 'file_edit', {
      action: 'edit',
      file_path: 'a',
      success: true,
      intention_event_id: id,
    }),
  'a time': (store, timestamp, session) => store.log(session, 'thinking', content, { timestamp }),
  'a path that is edited': (store, path, session) =>
    store.log(session, 'file_edit', { action: 'edit', file_path: path, success: true }),
  'a path of editFile': (store, path, session) =>
    store.editFile({ session, path, reason: 'r', newContent: 'x' }),
  'a path of recordEdit': (store, path, session) =>
    store.recordEdit({ session, path, reason: 'r', run: async () => undefined }),
  'a path that is listed': (store, path, session) => store.events(session, { path }).page(),
  'a path that is searched': (store, path) => store.search('x', { path }),
  'a path that is recalled': (store, path) =>
    store.recall({ path, workspace: WORKSPACE, budgetTokens: 100 }),
  'a path with a history': (store, path) => store.fileHistory(path),
  'a path as it was': (store, path) => store.fileAt(path),
  'a path that is exported': (store, path) => textOf(store.exportFile(path)),
  'a path behind which files are': (store, after) => store.files({ after }),
  'a path of a backup': (store, path) => store.backup(path),
  'a path of a file to check': (_, path) => MemoryStore.checkFile(path),
  'a path of a transcript': (store, path) => store.importTranscript(path),
  'a path of a memory': (_, path) => MemoryStore.open({ path }),
  'a tenant': (_, tenant) => MemoryStore.open({ path: ':memory:', tenant }),
  'a workspace to start in': (store, workspace) => store.startSession({ workspace }),
  'a workspace to move to': (store, workspace, session) =>
    store.updateSession(session, { workspace }),
  'a workspace with a session': (store, workspace) => store.currentSession(workspace),
  'a workspace with sessions': (store, workspace) => store.listSessions({ workspace }),
  'a workspace that is searched': (store, workspace) => store.search('x', { workspace }),
  'a workspace that is recalled': (store, workspace) =>
    store.recall({ workspace, budgetTokens: 100 }),
  'a workspace with files': (store, workspace) => store.files({ workspace }),
  'a workspace with intentions': (store, workspace) => store.pendingIntentions({ workspace }),
  'a workspace that is counted': (store, workspace) => store.stats({ workspace }),
  'a workspace that is exported': (store, workspace) => textOf(store.exportJson({ workspace })),
  'a workspace of a recorder': (store, workspace) =>
    store.recorder({ workspace }).record({
      id: 't',
      conversationId: 'c',
      speaker: 's',
      follows: [],
      kind: 'turn',
      status: 'done',
      startedAt: '2026-01-31T12:00:00Z',
      input: [],
      output: [{ type: 'text', text: 'x' }],
    }),
  'a workspace that is joined': (store, workspace) => store.joinWorkspaces('/a', workspace),
  'a workspace that is left': (store, workspace) => store.leaveWorkspaces(workspace),
  'a workspace of a group': (store, workspace) => store.workspaceGroup(workspace),
  'something to forget': (store, event) => store.forget({ event }),
  'a session to forget': (store, session) => store.forget({ session }),
};

describe('a text that no database holds', () => {
  it('is the id of nothing', async () => {
    const { store, session } = await filled();
    for (const [what, ask] of Object.entries(ids)) {
      for (const text of texts) {
        expect([what, text, await refusal(() => ask(store, text, session))]).toEqual([
          what,
          text,
          expect.stringMatching(/^MemoryError (?:session|event)-not-found$/),
        ]);
      }
    }
  });

  it('is no path, no id of something new and no name', async () => {
    const { store, session } = await filled();
    for (const [what, ask] of Object.entries(wrong)) {
      for (const text of texts) {
        expect([what, text, await refusal(() => ask(store, text, session))]).toEqual([
          what,
          text,
          expect.stringMatching(/^MemoryError invalid-(?:input|text)$/),
        ]);
      }
    }
    expect((await store.getSession(session)).event_count).toBe(2);
  });

  it('finds nothing as a query, a tag or an id that is asked for', async () => {
    const { store } = await filled();
    for (const text of texts) {
      for (const query of [text, `"${text}"`, `猫${text}犬`]) {
        for (const ask of [
          () => store.search(query),
          () => store.searchSessions(query),
          () => store.retriever().retrieve(query),
        ]) {
          expect([query, await refusal(ask)]).toEqual([query, { answered: [] }]);
        }
        await store.recall({ query, workspace: WORKSPACE, budgetTokens: 100 });
      }
      expect(await store.listSessions({ tag: text })).toEqual([]);
      expect(await store.knownEvents([text])).toEqual(new Set());
    }
  });

  it('is reported to a model in words when it calls a tool with it', async () => {
    const { store, session, event } = await filled();
    const client = await connect(store);
    const calls: readonly [string, (text: string) => Record<string, unknown>][] = [
      ['session_start', (workspace) => ({ workspace })],
      ['session_start', (id) => ({ session_id: id })],
      ['session_end', (id) => ({ session_id: id })],
      ['list_sessions', (workspace) => ({ workspace })],
      ['list_sessions', (before) => ({ before })],
      ['timeline', (id) => ({ session_id: id })],
      ['timeline', (id) => ({ event_id: id })],
      ['timeline', (path) => ({ session_id: session, path })],
      ['search', (workspace) => ({ query: 'x', workspace })],
      ['search', (path) => ({ query: 'x', path })],
      ['search', (after) => ({ query: 'x', after })],
      ['recall', (path) => ({ query: 'x', path })],
      ['file_history', (path) => ({ path })],
      ['file_history', (before) => ({ path: '一.md', before })],
      ['log', (id) => ({ type: 'thinking', data: content, session_id: id })],
      ['log', (id) => ({ type: 'thinking', data: content, parent_event_id: id })],
      ['get_events', (field) => ({ event_ids: [event.id], field })],
    ];
    for (const [tool, args] of calls) {
      for (const text of texts) {
        const result = await call(client, tool, args(text));
        const told = resultText(result);
        expect([tool, text, result.isError, told]).toEqual([
          tool,
          text,
          true,
          expect.not.stringMatching(SQL),
        ]);
        expect(told).not.toContain('The same call may work later.');
      }
    }
    for (const text of texts) {
      const hits = await call(client, 'search', { query: text });
      expect(hits.isError).not.toBe(true);
      const none = await call(client, 'list_sessions', { tag: text });
      expect(none.structuredContent).toEqual({ sessions: [] });
    }
  });
});

it('NUL in what is said stays what it is', async () => {
  const said = 'a\0b\0';
  const folder = await temporaryFolder();
  const path = join(folder, 'memory.db');
  const before = await newStore({ path });
  const { id } = await before.startSession({
    workspace: folder,
    metadata: { tags: [said], [said]: said },
  });
  await before.log(id, 'user_message', { content: said });
  await before.log(id, 'assistant_message', {
    content: said,
    tool_calls: [{ tool: said, args: said }],
  });
  await before.log(id, 'tool_use', { tool: said, parameters: { [said]: [said] }, result: said });
  await before.log(id, 'file_edit', {
    action: 'create',
    file_path: 'a.txt',
    new_content: said,
    success: true,
  });
  await before.close();
  const store = await newStore({ path });
  const events = await all(store.events(id));
  expect(events.map(({ data }) => data)).toMatchObject([
    { content: said },
    { content: said, tool_calls: [{ tool: said, args: said }] },
    { tool: said, parameters: { [said]: [said] }, result: said },
    { new_content: said, diff: expect.stringContaining(said) },
  ]);
  expect(await store.listSessions({ tag: said })).toMatchObject([
    { metadata: { tags: [said], [said]: said } },
  ]);
  expect((await store.fileAt(join(folder, 'a.txt'))).content).toBe(said);
});
