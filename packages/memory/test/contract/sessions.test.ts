import { MemoryError } from '@vizprompt/memory';
import { describe, expect, it } from 'vitest';
import { newStorage, newStore } from '../support/open-store.ts';

describe('sessions', () => {
  it('are started, changed, ended, opened again and deleted', async () => {
    const store = await newStore();
    const told: string[] = [];
    for (const name of ['started', 'updated', 'ended', 'deleted'] as const) {
      store.on(`session:${name}`, () => told.push(name));
    }
    const session = await store.startSession({
      workspace: '/home/ann/app',
      metadata: { branch: 'main', tags: ['認証'], extra: { deep: [1, null] } },
    });
    expect(session).toMatchObject({
      workspace_path: '/home/ann/app',
      ended_at: null,
      event_count: 0,
    });
    expect(await store.getSession(session.id)).toEqual(session);
    const changed = await store.updateSession(session.id, {
      metadata: { branch: null, tags: ['a', 'b'], initial_context: '前回の続き' },
    });
    expect(changed.metadata).toEqual({
      tags: ['a', 'b'],
      initial_context: '前回の続き',
      extra: { deep: [1, null] },
    });
    const ended = await store.endSession(session.id);
    expect(ended.ended_at).toMatch(/Z$/);
    expect(await store.endSession(session.id)).toEqual(ended);
    const refused = store.log(session.id, 'user_message', { content: 'x' });
    await expect(refused).rejects.toMatchObject({ code: 'session-ended' });
    await store.updateSession(session.id, { endedAt: null });
    await store.log(session.id, 'user_message', { content: 'again' });
    await store.deleteSession(session.id);
    await expect(store.getSession(session.id)).rejects.toMatchObject({ code: 'session-not-found' });
    expect(await store.search('again')).toEqual([]);
    expect(told).toEqual(['started', 'updated', 'ended', 'updated', 'deleted']);
    expect(await store.check()).toMatchObject({ isOk: true, sessions: 0, events: 0 });
  });

  it('are listed with the newest first, by workspace, tag and state, page by page', async () => {
    const store = await newStore();
    const ids: string[] = [];
    for (let day = 1; day <= 9; day++) {
      const { id } = await store.startSession({
        workspace: day % 3 === 0 ? '/home/ann/b' : '/home/ann/a',
        startedAt: `2026-01-0${day}T12:00:00+09:00`,
        metadata: { tags: day % 2 === 0 ? ['even'] : [] },
      });
      ids.unshift(id);
    }
    await store.log(ids[0] ?? '', 'user_message', { content: 'hi' });
    await store.endSession(ids[1] ?? '');
    const list = async (filter: Parameters<typeof store.listSessions>[0]): Promise<string[]> =>
      (await store.listSessions(filter)).map(({ id }) => id);
    expect(await list({})).toEqual(ids);
    expect(await list({ workspace: '/home/ann/b' })).toEqual([ids[0], ids[3], ids[6]]);
    expect(await list({ tag: 'even', limit: 3 })).toEqual([ids[1], ids[3], ids[5]]);
    expect(await list({ state: 'ended' })).toEqual([ids[1]]);
    expect(await list({ state: 'active', limit: 2 })).toEqual([ids[0], ids[2]]);
    const ofThree = ids.slice(3, 6);
    expect(await list({ before: ids[2] ?? '', limit: 3 })).toEqual(ofThree);
    const [newest] = await store.listSessions();
    expect(newest).toMatchObject({ event_count: 1, started_at: '2026-01-09T03:00:00.000Z' });
    expect((await store.currentSession('/home/ann/a'))?.id).toBe(ids[2]);
    expect(await store.currentSession('/home/ann/c')).toBeNull();
  });

  it('of folders that are the same workspace belong together', async () => {
    const store = await newStore();
    const main = await store.startSession({ workspace: '/home/ann/app', startedAt: '2026-01-01' });
    const tree = await store.startSession({
      workspace: '/home/ann/app-wt',
      startedAt: '2026-01-02',
    });
    const moved = await store.startSession({ workspace: '/old/app', startedAt: '2026-01-03' });
    for (const { id } of [main, tree, moved]) {
      await store.log(id, 'user_message', { content: `kumquat ${id}` });
      await store.log(id, 'file_edit', {
        action: 'create',
        file_path: 'src/a.ts',
        new_content: id,
        success: true,
      });
    }
    await store.joinWorkspaces('/home/ann/app', '/home/ann/app-wt');
    await store.joinWorkspaces('/home/ann/app-wt', '/old/app');
    expect((await store.workspaceGroup('/old/app')).toSorted()).toEqual([
      '/home/ann/app',
      '/home/ann/app-wt',
      '/old/app',
    ]);
    for (const workspace of ['/home/ann/app', '/home/ann/app-wt', '/old/app']) {
      expect(await store.listSessions({ workspace })).toHaveLength(3);
      expect(await store.search('kumquat', { workspace })).toHaveLength(3);
      expect(await store.fileHistory('src/a.ts', { workspace })).toHaveLength(3);
    }
    await store.leaveWorkspaces('/home/ann/app');
    expect(await store.listSessions({ workspace: '/home/ann/app' })).toHaveLength(1);
    expect(await store.listSessions({ workspace: '/old/app' })).toHaveLength(2);
  });

  it('of one tenant are unknown to another', async () => {
    const storage = await newStorage();
    const one = await newStore({ storage, tenant: 'one' });
    const two = await newStore({ storage, tenant: 'two' });
    const session = await one.startSession({ id: 'same', workspace: '/w' });
    await two.startSession({ id: 'same', workspace: '/w' });
    const event = { id: 'event', type: 'user_message', data: { content: '秘密の計画' } } as const;
    await one.logMany(session.id, [event]);
    expect(await two.search('秘密')).toEqual([]);
    expect(await two.stats()).toMatchObject({ sessions: 1, events: 0 });
    await expect(two.getEvent('event')).rejects.toMatchObject({ code: 'event-not-found' });
    await two.logMany('same', [event]);
    await two.deleteSession('same');
    expect(await one.search('秘密')).toHaveLength(1);
    expect((await one.check()).isOk).toBe(true);
  });

  it('are refused where they make no sense', async () => {
    const store = await newStore();
    const session = await store.startSession({ id: 's', workspace: '/w' });
    await expect(store.startSession({ id: 's' })).rejects.toMatchObject({ code: 'exists' });
    expect(await store.startSession({ id: 's', ifExists: 'keep' })).toEqual(session);
    const wrong: Parameters<typeof store.startSession>[0][] = [
      { id: '' },
      { id: 'a\0b' },
      { workspace: 'a\0b' },
      { startedAt: 'yesterday' },
      { startedAt: '2026-13-45' },
      { metadata: { tags: 'a' as unknown as string[] } },
      { metadata: [] as never },
    ];
    for (const one of wrong) {
      await expect(store.startSession(one)).rejects.toMatchObject({ code: 'invalid-input' });
    }
    const surrogate = store.startSession({ metadata: { branch: 'a\ud800' } });
    await expect(surrogate).rejects.toMatchObject({ code: 'invalid-text' });
    expect(await store.listSessions()).toHaveLength(1);
    await expect(store.listSessions({ limit: 0 })).rejects.toBeInstanceOf(MemoryError);
    await store.close();
    await store.close();
    await expect(store.listSessions()).rejects.toMatchObject({ code: 'closed' });
  });
});
