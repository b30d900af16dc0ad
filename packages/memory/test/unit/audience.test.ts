import { quantizedVectors } from '@vizprompt/providers/quantized';
import { hashEmbeddings } from '@vizprompt/providers/testing';
import { MemoryStore } from '@vizprompt/memory';
import type { Turn } from '@vizprompt/providers';
import { describe, expect, it } from 'vitest';
import { newStorage } from '../support/open-store.ts';

async function openStore(): Promise<MemoryStore> {
  const storage = await newStorage();
  const model = hashEmbeddings({ dimensions: 64 });
  const vectors = quantizedVectors({ database: storage.cache, dimensions: 64 });
  return MemoryStore.open({ storage, embeddings: { model, vectors } });
}

const PEOPLE = [
  { user: 'ann', room: 'general' },
  { user: 'ann', room: 'private: 100%_!\\"' },
  { user: 'Ann', room: 'general' },
  { user: 'bob', room: 'general' },
  {},
];

describe('a memory of several people', () => {
  it('finds what was said by a user, in a room, or both', async () => {
    await using store = await openStore();
    const sessions = await Promise.all(
      PEOPLE.map((people) => store.startSession({ workspace: '/bot', ...people })),
    );
    for (const [at, { id }] of sessions.entries()) {
      await store.log(id, 'user_message', { content: `猫の話 ${at}` });
    }
    await store.embedEvents();
    const foundBy = async (filter: object): Promise<readonly number[]> => {
      const hits = await store.search('猫の話', filter);
      const found = hits.map(({ event }) =>
        sessions.findIndex(({ id }) => id === event.session_id),
      );
      return found.toSorted((a, b) => a - b);
    };
    expect(await foundBy({})).toEqual([0, 1, 2, 3, 4]);
    expect(await foundBy({ user: 'ann' })).toEqual([0, 1]);
    expect(await foundBy({ room: 'general' })).toEqual([0, 2, 3]);
    expect(await foundBy({ user: 'ann', room: 'private: 100%_!\\"' })).toEqual([1]);
    expect(await foundBy({ room: 'private: 100_%!\\"' })).toEqual([]);
    expect(await foundBy({ user: 'ann', workspace: '/other' })).toEqual([]);
    expect(await foundBy({ user: 'nobody' })).toEqual([]);

    const retriever = store.retriever({ user: 'ann' });
    expect(await retriever.retrieve('猫の話')).toHaveLength(2);
    const filtered = await retriever.retrieve('猫の話', { filter: { room: 'general' } });
    expect(filtered).toHaveLength(1);
    const listed = await store.listSessions({ user: 'ann', limit: 1 });
    expect(listed).toMatchObject([{ metadata: { user: 'ann' } }]);
    expect(await store.listSessions({ room: 'general' })).toHaveLength(3);
  });

  it('is not taken in by names within other values', async () => {
    await using store = await openStore();
    const metadata = { note: '"user":"ann"', nested: { user: 'ann' } };
    const { id } = await store.startSession({ workspace: '/bot', metadata });
    await store.log(id, 'user_message', { content: 'hello' });
    expect(await store.search('hello', { user: 'ann' })).toEqual([]);
    expect(await store.listSessions({ user: 'ann' })).toEqual([]);
    // @ts-expect-error -- no text
    await expect(store.startSession({ user: 1 })).rejects.toMatchObject({ code: 'invalid-input' });
  });

  it('records the caller, and forgets a person', async () => {
    await using store = await openStore();
    const turn: Turn = {
      id: '1',
      conversationId: 'room',
      follows: [],
      kind: 'turn',
      status: 'done',
      speaker: 'bot',
      askedBy: 'ann',
      input: [{ type: 'text', text: 'my secret' }],
      output: [{ type: 'text', text: 'noted' }],
      startedAt: '2026-01-01T00:00:00Z',
    };
    await store.recorder({ workspace: '/bot', room: 'general' }).record(turn);
    expect(await store.search('secret', { room: 'general' })).toMatchObject([
      { event: { meta: { speaker: 'ann' } } },
    ]);
    await store.eraseSpeaker({ speaker: 'ann' });
    expect(JSON.stringify(await store.search('secret'))).not.toContain('my secret');
  });
});
