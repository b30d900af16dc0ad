import type { MemoryStore } from '@vizprompt/memory';
import { describe, expect, it } from 'vitest';
import { newStore } from '../../support/open-store.ts';
import { call, connect, dataOf, textOf, WORKSPACE } from '../../support/mcp/connect-client.ts';

/** Returns a store with one session of seven events. */
async function filledStore(): Promise<{ readonly store: MemoryStore; readonly session: string }> {
  const store = await newStore();
  const { id } = await store.startSession({
    workspace: WORKSPACE,
    metadata: { branch: 'main', tags: ['認証'] },
  });
  const said = await store.log(id, 'user_message', { content: '認証機能を\n追加してください 😀' });
  await store.log(
    id,
    'thinking',
    { content: 'JWTを使用し、middlewareで検証する' },
    { parent: said.id },
  );
  const intention = await store.log(id, 'code_intention', {
    action: 'create',
    file_path: 'src/auth.ts',
    reason: 'トークンを検証するため',
  });
  await store.log(id, 'file_edit', {
    action: 'create',
    file_path: 'src/auth.ts',
    new_content: '- a\n+ b\n'.repeat(20),
    intention_event_id: intention.id,
    success: true,
  });
  await store.log(id, 'file_edit', {
    action: 'edit',
    file_path: 'src/auth.ts',
    success: false,
    error_message: 'EACCES: permission denied',
  });
  await store.log(id, 'tool_use', {
    tool: 'Bash',
    parameters: { command: 'npm test' },
    result: { stdout: 'x'.repeat(50_000) },
    success: false,
  });
  await store.log(id, 'assistant_message', { content: '追加しました。' });
  return { store, session: id };
}

/** The lines of the frame around stored text. */
const FRAME_LINES = 4;

describe('the tools', () => {
  it('have schemas, annotations, and words for models', async () => {
    const client = await connect(await newStore());
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      'recall',
      'search',
      'timeline',
      'get_events',
      'file_history',
      'log',
      'session_start',
      'session_end',
      'list_sessions',
      'forget',
    ]);
    for (const { name, inputSchema, outputSchema, annotations, description } of tools) {
      expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
      expect(outputSchema?.type).toBe('object');
      expect(description?.length).toBeGreaterThan(20);
      const writes = ['log', 'session_start', 'session_end', 'forget'].includes(name);
      expect([name, annotations?.readOnlyHint]).toEqual([name, !writes]);
      expect(annotations).toMatchObject({
        destructiveHint: name === 'forget',
        openWorldHint: false,
      });
    }
    expect(client.getInstructions()).toContain('get_events');
  });

  it('log a session from its start to its end', async () => {
    const store = await newStore();
    const client = await connect(store);
    const started = await dataOf(client, 'session_start', { branch: 'main', tags: ['a'] });
    expect(started).toMatchObject({
      workspace: WORKSPACE,
      ended_at: null,
      metadata: { branch: 'main', tags: ['a'] },
    });
    const again = await dataOf(client, 'session_start', { session_id: started.session_id });
    expect(again).toEqual(started);
    const said = await dataOf(client, 'log', { type: 'user_message', data: { content: 'やあ' } });
    const key = `ghp_${'a1B2'.repeat(9)}`;
    const used = await dataOf(client, 'log', {
      type: 'tool_use',
      data: { tool: 'Bash', parameters: { command: `curl -H 'Authorization: Bearer ${key}'` } },
      parent_event_id: said.event_id,
    });
    expect(used).toMatchObject({ session_id: started.session_id, sequence: 2, redactions: 1 });
    const file = { action: 'edit', file_path: 'src/認証.ts' };
    const intended = await dataOf(client, 'log', {
      type: 'code_intention',
      data: { ...file, reason: 'なぜ' },
    });
    expect(intended).not.toHaveProperty('intention_event_id');
    const edit = { type: 'file_edit', data: { ...file, success: true } };
    const edited = await call(client, 'log', edit);
    expect(edited.structuredContent).toMatchObject({ intention_event_id: intended.event_id });
    expect(textOf(edited)).toContain(`it carried out [${intended.event_id}]`);
    const ended = await dataOf(client, 'session_end');
    expect(ended).toMatchObject({ session_id: started.session_id, event_count: 4 });
    expect(ended.ended_at).toMatch(/^20/);
    expect(await dataOf(client, 'session_end', { session_id: started.session_id })).toEqual(ended);
    const stored = await store.getEvent(used.event_id);
    expect(stored.parent_event_id).toBe(said.event_id);
    expect(JSON.stringify(stored)).not.toContain(key);
    const listed = await dataOf(client, 'list_sessions', { state: 'ended' });
    expect(listed.sessions).toEqual([ended]);
  });

  it('give short results first', async () => {
    const { store, session } = await filledStore();
    const client = await connect(store);
    const found = await call(client, 'search', { query: '検証' });
    const { hits } = found.structuredContent as { hits: Record<string, unknown>[] };
    expect(new Set(hits.map(({ type }) => type))).toEqual(new Set(['code_intention', 'thinking']));
    expect(hits[0]).toMatchObject({ session_id: session });
    expect(hits.find(({ type }) => type === 'thinking')?.['snippet']).toContain('JWTを使用し');
    expect(textOf(found).split('\n')).toHaveLength(2 + FRAME_LINES);
    const long = await dataOf(client, 'search', { query: 'stdout xxx OR npm', type: ['tool_use'] });
    for (const { snippet } of long.hits) expect(snippet.length).toBeLessThanOrEqual(160);

    const shown = await call(client, 'timeline');
    const events = (shown.structuredContent as { events: Record<string, unknown>[] }).events;
    expect(events.map(({ brief }) => brief)).toEqual([
      '認証機能を 追加してください 😀',
      'JWTを使用し、middlewareで検証する',
      'create src/auth.ts: トークンを検証するため',
      'create src/auth.ts (+40 -0)',
      'edit src/auth.ts failed: EACCES: permission denied',
      'Bash (failed) {"command":"npm test"}',
      '追加しました。',
    ]);
    expect(textOf(shown).length).toBeLessThan(1500);
    expect(textOf(shown)).toContain('branch main; 認証');

    const history = await dataOf(client, 'file_history', { path: 'src/auth.ts' });
    expect(history.changes).toMatchObject([
      { action: 'edit', success: false, error: 'EACCES: permission denied', added: 0 },
      { action: 'create', success: true, reason: 'トークンを検証するため', added: 40, removed: 0 },
    ]);
    const absolute = await dataOf(client, 'file_history', {
      path: `${WORKSPACE}/src/auth.ts`,
      limit: 1,
    });
    expect(absolute.next_before).toBe(history.changes[0].edit_event_id);
    const rest = await dataOf(client, 'file_history', {
      path: 'src/auth.ts',
      before: absolute.next_before,
    });
    expect(rest.changes).toEqual(history.changes.slice(1));
    const none = await call(client, 'file_history', { path: 'none.ts' });
    expect(textOf(none)).toBe('No change of none.ts is recorded.');
  });

  it('recall what is useful, within a budget', async () => {
    const { store, session } = await filledStore();
    const client = await connect(store);
    const recalled = await call(client, 'recall', { query: 'トークンの検証', budget_tokens: 400 });
    const { events, tokens } = recalled.structuredContent as {
      readonly events: readonly Record<string, unknown>[];
      readonly tokens: number;
    };
    expect(events[0]).toMatchObject({ session_id: session, type: 'file_edit' });
    expect(textOf(recalled)).toContain('トークンを検証するため\ncreated ');
    expect(tokens).toBeLessThanOrEqual(400);
    for (const { event_id } of events) expect(textOf(recalled)).toContain(`[${String(event_id)}]`);
    const less = await dataOf(client, 'recall', { query: 'トークンの検証', budget_tokens: 60 });
    expect(less.tokens).toBeLessThanOrEqual(60);
    expect(less.events.length).toBeLessThan(events.length);
    expect(less.omitted_total).toBeGreaterThan(0);
    const file = await dataOf(client, 'recall', { path: 'src/auth.ts' });
    expect(file.events[0].reasons).toContain('file');
    const nothing = await call(client, 'recall', { query: 'x', workspace: '/nowhere' });
    expect(textOf(nothing)).toContain('Nothing is remembered');
    const refused = await call(client, 'recall', { budget_tokens: 1 });
    expect([refused.isError, textOf(refused)]).toEqual([
      true,
      expect.stringContaining('budget_tokens'),
    ]);
  });

  it('show what happened around an event, and page by page', async () => {
    const { store, session } = await filledStore();
    const client = await connect(store);
    const all = await dataOf(client, 'timeline', { session_id: session });
    const sequences = async (args: object): Promise<[number[], number | undefined]> => {
      const { events, next_after: next } = await dataOf(client, 'timeline', { ...args });
      return [events.map(({ sequence }: { sequence: number }) => sequence), next];
    };
    const { event_id } = all.events[3];
    expect(await sequences({ event_id, limit: 3 })).toEqual([[3, 4, 5], 5]);
    expect(await sequences({ event_id: all.events[0].event_id, limit: 3 })).toEqual([[1, 2, 3], 3]);
    expect(await sequences({ limit: 2 })).toEqual([[6, 7], undefined]);
    expect(await sequences({ after: 0, limit: 2 })).toEqual([[1, 2], 2]);
    expect(await sequences({ type: ['file_edit'] })).toEqual([[4, 5], undefined]);
    expect(await sequences({ path: 'src/auth.ts' })).toEqual([[3, 4, 5], undefined]);
  });

  it('give details on request, cut where they are long', async () => {
    const { store, session } = await filledStore();
    const client = await connect(store);
    const { events } = await store.events(session).page();
    const [, , , edit, , tool] = events;
    const first = await dataOf(client, 'get_events', { event_ids: [edit?.id, 'none', tool?.id] });
    expect(first.not_found).toEqual(['none']);
    expect(first.events[0].data).not.toHaveProperty('new_content');
    expect(first.events[0].data.diff).toContain('++ b');
    expect(first.events[1].data).toMatchObject({
      tool: 'Bash',
      parameters: { command: 'npm test' },
    });
    const whole = await dataOf(client, 'get_events', { event_ids: [edit?.id], contents: true });
    expect(whole.events[0].data).toEqual(edit?.data);

    const field = 'result';
    let text = first.events[1].data[field];
    let offset = first.events[1].cut[field];
    expect(text.length).toBe(offset);
    for (let calls = 0; offset !== undefined && calls < 10; calls++) {
      const asked = { event_ids: [tool?.id], field, offset, max_characters: 20_000 };
      const next = await dataOf(client, 'get_events', asked);
      text += next.events[0].data[field];
      offset = next.events[0].cut?.[field];
    }
    expect(JSON.parse(text)).toEqual({ stdout: 'x'.repeat(50_000) });
  });

  it('never cut a character in two', async () => {
    const store = await newStore();
    const { id } = await store.startSession({ workspace: WORKSPACE });
    const content = '😀'.repeat(500);
    const { id: event } = await store.log(id, 'user_message', { content });
    const client = await connect(store);
    const { events } = await dataOf(client, 'timeline');
    expect(events[0].brief.isWellFormed()).toBe(true);
    let [text, offset] = ['', 0];
    for (let calls = 0; offset !== undefined && calls < 20; calls++) {
      const args = { event_ids: [event], field: 'content', offset, max_characters: 101 };
      const { events: parts } = await dataOf(client, 'get_events', args);
      expect(parts[0].data.content.isWellFormed()).toBe(true);
      text += parts[0].data.content;
      offset = parts[0].cut?.content;
    }
    expect(text).toBe(content);
  });

  it('stay in the workspace unless they ask for others', async () => {
    const { store } = await filledStore();
    const other = await store.startSession({ workspace: '/other' });
    await store.log(other.id, 'user_message', { content: '別の場所の検証' });
    const client = await connect(store);
    const found = async (args: object): Promise<number> => {
      return (await dataOf(client, 'search', { query: '検証', ...args })).hits.length;
    };
    expect(await found({})).toBe(2);
    expect(await found({ all_workspaces: true })).toBe(3);
    expect(await found({ workspace: '/other' })).toBe(1);
    expect(await found({ session_id: other.id })).toBe(1);
    expect(await found({ path: 'src/auth.ts' })).toBe(1);
    const listed = await dataOf(client, 'list_sessions', { all_workspaces: true, limit: 1 });
    expect([listed.sessions[0].session_id, listed.next_before]).toEqual([other.id, other.id]);
  });

  it('say what was wrong, and what to call next', async () => {
    const store = await newStore();
    const client = await connect(store);
    const said = async (name: string, args: object): Promise<string> => {
      const result = await call(client, name, { ...args });
      expect([name, result.isError]).toEqual([name, true]);
      return textOf(result);
    };
    expect(await said('timeline', {})).toMatch(/no session of .*アプリ yet\nCall session_start/);
    expect(await said('log', { type: 'user_message', data: { content: 'x' } })).toMatch(
      /no session runs in .*アプリ\nCall session_start/,
    );
    expect(await said('session_end', { session_id: 'none' })).toContain("no session 'none'");
    expect(await said('get_events', { event_ids: ['none'] })).toContain('Call search or timeline');
    const { session_id } = await dataOf(client, 'session_start');
    expect(await said('log', { type: 'user_message', data: { text: 'x' } })).toMatch(
      /no field 'text': it has content/,
    );
    expect(await said('log', { type: 'song', data: {} })).toMatch(/type/);
    const { event_id } = await dataOf(client, 'log', {
      type: 'user_message',
      data: { content: 'x' },
    });
    expect(await said('get_events', { event_ids: [event_id], field: 'diff' })).toContain(
      'it has content',
    );
    expect(await said('get_events', { event_ids: [event_id], offset: 3 })).toContain(
      'needs one event',
    );
    expect(await said('search', { query: 'x', after: 'yesterday' })).toContain('ISO 8601');
    expect(await said('search', { query: 'x', colour: 'red' })).toContain('colour');
    expect(await said('file_history', { path: '../../etc/passwd' })).toMatch(
      /outside.*\nGive an absolute/,
    );
    await dataOf(client, 'session_end');
    expect(
      await said('log', { type: 'user_message', data: { content: 'x' }, session_id }),
    ).toContain('into the new session');
    const nothing = await dataOf(client, 'search', { query: '存在しない言葉' });
    expect(nothing).toMatchObject({ hits: [], hint: expect.stringContaining('other words') });
  });
});
