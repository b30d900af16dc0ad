import { MemoryStore, type MemoryEvent } from '@vizprompt/memory';
import { describe, expect, it, onTestFinished } from 'vitest';
import { newStorage, newStore } from '../support/open-store.ts';

/** Reads in the background what comes, until it ends. */
function reading(events: AsyncIterable<MemoryEvent>): {
  readonly seen: MemoryEvent[];
  readonly ended: Promise<void>;
} {
  const seen: MemoryEvent[] = [];
  const read = async (): Promise<void> => {
    for await (const event of events) seen.push(event);
  };
  const ended = read();
  // A test that does not wait for the end may close the store before the first read.
  ended.catch(() => {});
  return { seen, ended };
}

const numbersOf = (events: readonly MemoryEvent[]): number[] => {
  return events.map(({ sequence }) => sequence);
};

/** 1 to this many. */
const upTo = (count: number): number[] => Array.from({ length: count }, (_, at) => at + 1);

const messages = (count: number): { type: 'user_message'; data: { content: string } }[] => {
  return upTo(count).map((at) => ({ type: 'user_message', data: { content: `発言${at}😀` } }));
};

describe('a session that is followed', () => {
  it('gives what is stored, then what comes, until the signal', async () => {
    const store = await newStore();
    const { id } = await store.startSession({ workspace: '/a' });
    await store.logMany(id, messages(230));
    const leaving = new AbortController();
    // The events of this process come long before the next look.
    const { seen, ended } = reading(store.follow(id, { pollMs: 60_000, signal: leaving.signal }));
    await expect.poll(() => seen.length).toBe(230);
    await store.logMany(id, messages(120));
    await expect.poll(() => seen.length).toBe(350);
    expect(numbersOf(seen)).toEqual(upTo(350));
    expect(seen.at(-1)).toEqual(await store.getEvent(seen.at(-1)?.id ?? ''));
    leaving.abort();
    await ended;
    await store.log(id, 'thinking', { content: 'nobody hears it' });
    expect(seen).toHaveLength(350);
  });

  it('begins after a number, and leaves out what is not wanted', async () => {
    const store = await newStore();
    const { id } = await store.startSession({ workspace: '/a' });
    await store.logMany(id, messages(3));
    const edit = {
      action: 'create',
      file_path: 'a.ts',
      new_content: 'a\n',
      success: true,
    } as const;
    const found: MemoryEvent[] = [];
    const wanted = { type: 'file_edit', contents: 'omit', after: 4 } as const;
    await store.log(id, 'file_edit', edit);
    const { seen } = reading(store.follow(id, { after: 10 }));
    for (const content of ['x', 'y']) await store.log(id, 'thinking', { content });
    await store.log(id, 'file_edit', edit);
    for await (const event of store.follow(id, wanted)) {
      found.push(event);
      if (found.length === 2) break;
      await store.logMany(id, messages(150));
      await store.log(id, 'file_edit', edit);
    }
    expect(numbersOf(found)).toEqual([7, 158]);
    expect(found[0]?.data).not.toHaveProperty('new_content');
    await expect.poll(() => seen.at(-1)?.sequence).toBe(158);
    expect(seen[0]?.sequence).toBe(11);
    await store.deleteSession(id);
  });

  it('gives what other stores log, and ends when one of them deletes it', async () => {
    const storage = await newStorage();
    const [store, other] = [await newStore({ storage }), await newStore({ storage })];
    const { id } = await other.startSession({ workspace: '/a' });
    await other.log(id, 'user_message', { content: 'やあ' });
    const { seen, ended } = reading(store.follow(id, { pollMs: 20 }));
    await expect.poll(() => numbersOf(seen)).toEqual([1]);
    await other.endSession(id);
    await other.updateSession(id, { endedAt: null });
    await other.log(id, 'user_message', { content: '続き' });
    await expect.poll(() => numbersOf(seen)).toEqual([1, 2]);
    await other.deleteSession(id);
    await ended;
  });

  it('is refused where there is none, and fails when the store is closed', async () => {
    const store = await MemoryStore.open({ storage: await newStorage() });
    onTestFinished(() => store.close());
    const { id } = await store.startSession({ workspace: '/a' });
    for (const [session, options, code] of [
      ['none', {}, 'session-not-found'],
      [id, { after: -1 }, 'invalid-input'],
      [id, { pollMs: 0 }, 'invalid-input'],
    ] as const) {
      const follow = async (): Promise<unknown> => reading(store.follow(session, options)).ended;
      await expect(follow()).rejects.toMatchObject({ code });
    }
    const { ended } = reading(store.follow(id, { pollMs: 10 }));
    const failure = ended.catch((error: unknown) => error);
    await store.close();
    expect(await failure).toMatchObject({ code: 'closed' });
  });
});
