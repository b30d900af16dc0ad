import { expect, it } from 'vitest';
import { all, newStorage, newStore } from '../support/open-store.ts';

it('numbers what 40 writers log in 4 sessions at once without gaps, and loses nothing', async () => {
  const storage = await newStorage();
  const stores = [await newStore({ storage }), await newStore({ storage })] as const;
  const sessions = await Promise.all(
    Array.from({ length: 4 }, () => stores[0].startSession({ workspace: '/w' })),
  );
  const acknowledged = new Map<string, number>();
  await Promise.all(
    Array.from({ length: 40 }, async (_, writer) => {
      const store = stores[writer % 2 === 0 ? 0 : 1];
      const session = sessions[writer % 4]?.id ?? '';
      for (let round = 0; round < 3; round++) {
        const { id, sequence } =
          round === 2
            ? await store.log(session, 'file_edit', {
                action: 'edit',
                file_path: 'shared.ts',
                old_content: `shared ${round}`,
                new_content: `shared ${writer % 3}`,
                success: true,
              })
            : await store.log(session, 'thinking', { content: `writer${writer} 回${round}` });
        acknowledged.set(id, sequence);
      }
    }),
  );
  expect(acknowledged.size).toBe(120);
  for (const { id } of sessions) {
    const events = await all(stores[0].events(id));
    expect(events.map(({ sequence }) => sequence)).toEqual(
      Array.from({ length: 30 }, (_, index) => index + 1),
    );
    for (const event of events) expect(acknowledged.get(event.id)).toBe(event.sequence);
  }
  expect(await stores[0].check()).toMatchObject({ isOk: true, events: 120, sessions: 4 });
  expect(await stores[1].search('writer37')).toHaveLength(2);
});

it('keeps contents that are logged while the last event that had them is deleted', async () => {
  const storage = await newStorage();
  const store = await newStore({ storage });
  const keeper = await store.startSession({ workspace: '/w' });
  for (let round = 0; round < 5; round++) {
    const data = {
      action: 'create',
      file_path: `f${round}`,
      new_content: `content ${round}`,
      success: true,
    } as const;
    const old = await store.startSession({ workspace: '/w' });
    await store.log(old.id, 'file_edit', data);
    await Promise.all([
      store.deleteSession(old.id),
      store.log(keeper.id, 'file_edit', data),
      store.log(keeper.id, 'file_edit', data),
    ]);
  }
  expect(await store.check()).toMatchObject({ isOk: true, events: 10 });
});

it('leaves no word of a session that is deleted while another store logs in it', async () => {
  const storage = await newStorage();
  const [store, other] = [await newStore({ storage }), await newStore({ storage })];
  for (let round = 0; round < 4; round++) {
    const { id } = await store.startSession({ workspace: '/w' });
    const logging = async (): Promise<void> => {
      for (;;) await other.log(id, 'thinking', { content: `秘密 secret${round}` });
    };
    const deleting = async (): Promise<void> => {
      await other.log(id, 'thinking', { content: '秘密' });
      await store.deleteSession(id);
    };
    await Promise.all([
      expect(logging()).rejects.toMatchObject({ code: 'session-not-found' }),
      deleting(),
    ]);
  }
  expect(await store.search('秘密')).toEqual([]);
  expect(await store.check()).toMatchObject({ isOk: true, events: 0, sessions: 0 });
});
