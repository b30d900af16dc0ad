import { describe, expect, it } from 'vitest';
import { serveStore, type Wire } from '../../support/http/serve-store.ts';

const WORKSPACE = '/home/me/アプリ';

describe('the REST API', () => {
  it('starts, lists, shows, changes and ends sessions', async () => {
    const { call } = await serveStore();
    const created = await call('/api/sessions', {
      method: 'POST',
      body: {
        workspace_path: WORKSPACE,
        started_at: '2026-01-31T12:00:00+09:00',
        metadata: { branch: 'main', tags: ['認証'], ticket: 7 },
      },
    });
    expect(created.status).toBe(201);
    expect(created.headers.get('location')).toBe(`/api/sessions/${created.body.id}`);
    expect(created.body).toMatchObject({
      workspace_path: WORKSPACE,
      started_at: '2026-01-31T03:00:00.000Z',
      ended_at: null,
      metadata: { branch: 'main', tags: ['認証'], ticket: 7 },
      event_count: 0,
    });
    const { id } = created.body;
    const other = await call('/api/sessions', { method: 'POST', body: { workspace_path: '/b' } });

    const shown = await call(`/api/sessions/${id}`);
    expect([shown.status, shown.body]).toEqual([200, created.body]);
    const patched = await call(`/api/sessions/${id}`, {
      method: 'PATCH',
      body: { metadata: { ticket: null, done: true }, ended_at: 'now' },
    });
    expect(patched.body.metadata).toEqual({ branch: 'main', tags: ['認証'], done: true });
    expect(Date.parse(patched.body.ended_at)).toBeGreaterThan(Date.now() - 60_000);
    const again = await call(`/api/sessions/${id}`, { method: 'PATCH', body: { ended_at: 'now' } });
    expect(again.body.ended_at).toBe(patched.body.ended_at);

    const ids = async (query: string): Promise<unknown> => {
      const { body } = await call(`/api/sessions${query}`);
      return [body.sessions.map((session: { id: string }) => session.id), body.next];
    };
    expect(await ids('')).toEqual([[other.body.id, id], undefined]);
    expect(await ids('?limit=1')).toEqual([[other.body.id], other.body.id]);
    expect(await ids(`?limit=1&before=${other.body.id}`)).toEqual([[id], undefined]);
    expect(await ids('?state=active')).toEqual([[other.body.id], undefined]);
    expect(await ids(`?tag=${encodeURIComponent('認証')}`)).toEqual([[id], undefined]);
    expect(await ids(`?workspace=${encodeURIComponent(WORKSPACE)}`)).toEqual([[id], undefined]);

    const opened = await call(`/api/sessions/${id}`, { method: 'PATCH', body: { ended_at: null } });
    expect(opened.body.ended_at).toBeNull();
  });

  it('logs events, and gives them back one by one and in pages', async () => {
    const { call, store } = await serveStore();
    const { id } = await store.startSession({ workspace: WORKSPACE });
    const log = async (type: string, data: object, more: object = {}): Promise<Wire> => {
      const body = { session_id: id, type, data, ...more };
      const answer = await call('/api/events', { method: 'POST', body });
      expect([answer.status, answer.body.detail]).toEqual([201, undefined]);
      expect(answer.headers.get('location')).toBe(`/api/events/${answer.body.id}`);
      return answer.body;
    };
    const said = await log('user_message', { content: '認証を追加 😀 مرحبا' });
    const thought = await log(
      'thinking',
      { content: 'JWTが良い' },
      { parent_event_id: said.id, timestamp: '2026-01-31T12:00:00+09:00', meta: { model: 'm' } },
    );
    expect(thought).toMatchObject({
      sequence: 2,
      parent_event_id: said.id,
      timestamp: '2026-01-31T03:00:00.000Z',
      meta: { model: 'm' },
    });
    const intended = await log('code_intention', {
      action: 'edit',
      file_path: 'src/認証 #1%.ts',
      reason: 'ミドルウェア',
    });
    const edited = await log('file_edit', {
      action: 'edit',
      file_path: 'src/認証 #1%.ts',
      old_content: 'a\n',
      new_content: 'b\n',
      intention_event_id: intended.id,
      success: true,
    });
    expect(edited.data.diff).toContain('-a\n+b\n');
    const secret = await log('tool_use', {
      tool: 'Bash',
      parameters: { command: 'x <private>hidden</private>' },
    });
    expect(JSON.stringify(secret)).not.toContain('hidden');

    const one = await call(`/api/events/${edited.id}`);
    expect(one.body).toEqual(edited);
    expect(one.body.data).toMatchObject({ old_content: 'a\n', new_content: 'b\n' });
    const page = await call(`/api/sessions/${id}/events?limit=3`);
    expect(page.body.events.map(({ sequence }: Wire) => sequence)).toEqual([1, 2, 3]);
    expect(page.body.next).toBe(3);
    const rest = await call(`/api/sessions/${id}/events?limit=3&after=3`);
    expect(rest.body.events.map(({ type }: Wire) => type)).toEqual(['file_edit', 'tool_use']);
    expect(rest.body.events[0].data).not.toHaveProperty('old_content');
    expect(rest.body).not.toHaveProperty('next');
    const some = await call(
      `/api/sessions/${id}/events?type=thinking,file_edit&type=tool_use&contents=read`,
    );
    expect(some.body.events.map(({ sequence }: Wire) => sequence)).toEqual([2, 4, 5]);
    expect(some.body.events[1].data.new_content).toBe('b\n');
    const path = encodeURIComponent('src/認証 #1%.ts');
    const byPath = await call(`/api/sessions/${id}/events?path=${path}`);
    expect(byPath.body.events.map(({ id: found }: Wire) => found)).toEqual([
      intended.id,
      edited.id,
    ]);
  });

  it('finds, reports how a file was changed, and counts', async () => {
    const { call, store } = await serveStore();
    const { id } = await store.startSession({ workspace: WORKSPACE });
    const file = 'src/認証 #1%.ts';
    for (const [at, reason] of ['一つ目', '二つ目', '三つ目'].entries()) {
      const intention = await store.log(id, 'code_intention', {
        action: 'edit',
        file_path: file,
        reason,
      });
      await store.log(id, 'file_edit', {
        action: 'edit',
        file_path: file,
        old_content: `版${at}\n`,
        new_content: `版${at + 1}\n`,
        intention_event_id: intention.id,
        success: true,
      });
    }
    const q = encodeURIComponent('二つ目');
    const found = await call(`/api/search?q=${q}&workspace=${encodeURIComponent(WORKSPACE)}`);
    expect(found.body.hits[0].event.data.reason).toBe('二つ目');
    const { text, highlights } = found.body.hits[0].snippet;
    expect(highlights.map(([from, to]: [number, number]) => text.slice(from, to)).join()).toContain(
      '二つ',
    );
    expect((await call(`/api/search?q=${q}&type=thinking`)).body.hits).toEqual([]);

    const absolute = `${WORKSPACE}/${file}`;
    const workspace = encodeURIComponent(WORKSPACE);
    for (const address of [
      `/api/files/${encodeURIComponent(absolute)}/history?`,
      `/api/files/${encodeURIComponent(file)}/history?workspace=${workspace}&`,
      // Proxies that undo %2F
      `/api/files/${file.split('/').map(encodeURIComponent).join('/')}/history?workspace=${workspace}&`,
      `/api/files/${absolute.split('/').map(encodeURIComponent).join('/')}/history?`,
    ]) {
      const first = await call(`${address}limit=2`);
      expect([first.status, first.body.detail]).toEqual([200, undefined]);
      expect(first.body.changes.map((change: Wire) => change.intention.data.reason)).toEqual([
        '三つ目',
        '二つ目',
      ]);
      expect(first.body.changes[0].edit.data).not.toHaveProperty('new_content');
      const rest = await call(`${address}limit=2&contents=read&before=${first.body.next}`);
      expect(rest.body.changes).toHaveLength(1);
      expect(rest.body.changes[0].edit.data.new_content).toBe('版1\n');
      expect(rest.body).not.toHaveProperty('next');
    }
    const files = await call(`/api/files?workspace=${workspace}`);
    expect(files.body).toEqual({
      files: [{ file_path: absolute, edits: 3, updated_at: expect.any(String) }],
    });
    await store.log(id, 'code_intention', { action: 'create', file_path: 'z', reason: 'r' });
    const page = await call('/api/files?limit=1');
    expect([page.body.files.length, page.body.next]).toEqual([1, absolute]);
    const rest = await call(`/api/files?after=${encodeURIComponent(page.body.next)}`);
    expect(rest.body.files).toMatchObject([{ file_path: `${WORKSPACE}/z`, edits: 0 }]);
    expect(rest.body).not.toHaveProperty('next');

    const edits = (await store.fileHistory(absolute)).map(({ edit }) => edit?.id ?? '');
    const at = `/api/files/${encodeURIComponent(file)}/at?workspace=${workspace}`;
    for (const [query, content, event] of [
      ['', '版3\n', edits[0]],
      [`&event=${edits[1]}`, '版2\n', edits[1]],
      ['&time=2000-01-01T00:00:00%2B09:00', '版0\n', edits[2]],
      ['&time=2000-01-01', '版0\n', edits[2]],
      ['&time=2999-12-31', '版3\n', edits[0]],
    ] as const) {
      const { status, body } = await call(at + query);
      const snapshot = { file_path: absolute, content, event_id: event, is_redacted: false };
      expect([status, body]).toEqual([200, { ...snapshot, timestamp: expect.any(String) }]);
    }
    const plain = `/api/files/${absolute.split('/').map(encodeURIComponent).join('/')}/at`;
    expect((await call(plain)).body.content).toBe('版3\n');

    const stats = await call(`/api/stats?workspace=${workspace}`);
    expect(stats.body).toMatchObject({
      sessions: 1,
      events: 7,
      files: 2,
      events_by_type: { code_intention: 4, file_edit: 3 },
      workspaces: [{ workspace_path: WORKSPACE, events: 7 }],
    });
    expect((await call('/api/stats?workspace=/nowhere')).body.events).toBe(0);
  });
});
