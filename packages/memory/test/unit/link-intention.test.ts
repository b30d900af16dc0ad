import type { EventOf, MemoryStore } from '@vizprompt/memory';
import { describe, expect, it } from 'vitest';
import { newStore } from '../support/open-store.ts';

const workspace = '/home/ann/app';

interface Opened {
  readonly store: MemoryStore;
  readonly session: string;
  intend(path: string, reason: string): Promise<EventOf<'code_intention'>>;
  edit(path: string, success?: boolean): Promise<EventOf<'file_edit'>>;
}

async function opened(): Promise<Opened> {
  const store = await newStore();
  const { id: session } = await store.startSession({ workspace });
  const action = 'edit' as const;
  return {
    store,
    session,
    intend: (path, reason) =>
      store.log(session, 'code_intention', { action, file_path: path, reason }),
    edit: (path, success = true) =>
      store.log(session, 'file_edit', {
        action,
        file_path: path,
        success,
        ...(success ? {} : { error_message: 'EBUSY' }),
      }),
  };
}

describe('an edit that names no intention', () => {
  it('carries out the open one of its file, however the path is written', async () => {
    const { store, intend, edit } = await opened();
    const intention = await intend('src/認証.ts', 'なぜ😀');
    await intend('src/other.ts', 'of another file');
    const edited = await edit(`${workspace}/src/認証.ts`);
    expect(edited.data.intention_event_id).toBe(intention.id);
    expect(edited.parent_event_id).toBe(intention.id);
    expect(await store.getEvent(edited.id)).toEqual(edited);
    const [change] = await store.fileHistory('src/認証.ts', { workspace });
    expect(change?.intention?.data.reason).toBe('なぜ😀');
    expect((await store.pendingIntentions()).map(({ data }) => data.reason)).toEqual([
      'of another file',
    ]);
  });

  it('does so again after it failed, and not after it succeeded', async () => {
    const { intend, edit } = await opened();
    const intention = await intend('a.ts', 'r');
    const linked = [await edit('a.ts', false), await edit('a.ts', false), await edit('a.ts')];
    expect(linked.map(({ data }) => data.intention_event_id)).toEqual(
      [1, 2, 3].map(() => intention.id),
    );
    expect((await edit('a.ts')).data).not.toHaveProperty('intention_event_id');
    const next = await intend('a.ts', 'another reason');
    expect((await edit('a.ts')).data.intention_event_id).toBe(next.id);
  });

  it('takes none of another session, and keeps what it was given', async () => {
    const { store, session, intend } = await opened();
    const first = await intend('a.ts', 'first');
    const second = await intend('a.ts', 'second');
    const { id: other } = await store.startSession({ workspace });
    const data = { action: 'edit', file_path: 'a.ts', success: true } as const;
    const elsewhere = await store.log(other, 'file_edit', data);
    expect(elsewhere.data).not.toHaveProperty('intention_event_id');
    const caused = await store.log(session, 'file_edit', data, { parent: first.id });
    expect(caused.parent_event_id).toBe(first.id);
    expect(caused.data).not.toHaveProperty('intention_event_id');
    const named = { ...data, intention_event_id: second.id };
    expect((await store.log(session, 'file_edit', named)).data.intention_event_id).toBe(second.id);
    const third = await intend('a.ts', 'third');
    const asked = await store.log(session, 'user_message', { content: 'do it' });
    const done = await store.log(session, 'file_edit', data, { parent: asked.id });
    expect(done.parent_event_id).toBe(asked.id);
    expect(done.data.intention_event_id).toBe(third.id);
    await intend('a.ts', 'fourth');
    const [imported] = await store.logMany(session, [{ type: 'file_edit', data }]);
    expect(imported?.data).not.toHaveProperty('intention_event_id');
  });

  it('is refused as any other where it makes no sense', async () => {
    const { store, session } = await opened();
    const edits = [
      { file_path: 1 },
      { file_path: '../x' },
      { action: 'none', file_path: 'a' },
      null,
    ];
    for (const data of edits) {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- wrong on purpose
      const wrong = data as unknown as { action: 'edit'; file_path: string; success: boolean };
      await expect(store.log(session, 'file_edit', wrong)).rejects.toMatchObject({
        name: 'MemoryError',
      });
    }
    expect((await store.getSession(session)).event_count).toBe(0);
  });
});
