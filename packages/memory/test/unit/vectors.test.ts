import {
  LLMError,
  type EmbeddingModel,
  type EmbeddingRequest,
  type Storage,
  type VectorStore,
} from '@vizprompt/providers';
import { ollamaEmbeddings } from '@vizprompt/providers/ollama';
import { quantizedVectors } from '@vizprompt/providers/quantized';
import { hashEmbeddings } from '@vizprompt/providers/testing';
import type { MemoryStore, MemoryStoreOptions } from '@vizprompt/memory';
import { describe, expect, it, vi } from 'vitest';
import { newStorage, newStore } from '../support/open-store.ts';

const workspace = '/home/ann/app';
const dimensions = 64;

interface Watched extends EmbeddingModel {
  /** Every text that was embedded as a document. */
  readonly texts: string[];
}

/** Returns the hashing model, with what happens before each call. */
function watched(before: (request: EmbeddingRequest) => unknown = () => {}): Watched {
  const model = hashEmbeddings({ dimensions });
  const texts: string[] = [];
  return {
    ...model,
    texts,
    async embed(request) {
      await before(request);
      if (request.kind !== 'query') texts.push(...request.values);
      return model.embed(request);
    },
  };
}

interface Opened {
  readonly store: MemoryStore;
  readonly storage: Storage;
  readonly vectors: VectorStore;
}

async function opened(
  model: EmbeddingModel = watched(),
  options: Partial<MemoryStoreOptions> = {},
): Promise<Opened> {
  const storage = options.storage ?? (await newStorage());
  const vectors = quantizedVectors({ database: storage.cache, dimensions });
  const store = await newStore({ embeddings: { model, vectors }, ...options, storage });
  return { store, storage, vectors };
}

const text = (store: MemoryStore, session: string, content: string): Promise<{ id: string }> =>
  store.log(session, 'user_message', { content });

const found = async (
  store: MemoryStore,
  query: string,
  options: Parameters<MemoryStore['search']>[1] = {},
): Promise<unknown[]> =>
  (await store.search(query, { k: 1, ...options })).map(({ event }) =>
    'content' in event.data ? event.data.content : event.type,
  );

describe('search by meaning', () => {
  it('finds what has none of the words, and words where they are asked for', async () => {
    const { store } = await opened();
    const { id } = await store.startSession({ workspace });
    await text(store, id, 'authentication');
    for (const other of ['the weather', '買い物リスト', '😀 fun', 'مرحبا'])
      await text(store, id, other);
    await store.embedEvents();
    expect(await store.embedEvents()).toEqual({ embedded: 0, refused: 0, removed: 0 });

    expect(await found(store, 'authentcatoin')).toEqual(['authentication']);
    expect(await found(store, 'authentcatoin', { vectors: false })).toEqual([]);
    expect(await found(store, '"authentcatoin"')).toEqual([]);
    const recalled = await store.recall({ query: 'authentcatoin', workspace, budgetTokens: 500 });
    expect(recalled.events[0]).toMatchObject({ event: { data: { content: 'authentication' } } });
    expect(recalled.events[0]?.reasons).toContain('vector');
    const [passage] = await store.retriever({ workspace }).retrieve('authentcatoin');
    expect(passage?.text).toBe('authentication');
  });

  it('puts first what words and meaning agree on', async () => {
    const { store } = await opened();
    const { id } = await store.startSession({ workspace });
    await text(store, id, 'JWT の検証をどこに置くか');
    await text(store, id, 'JWT');
    await text(store, id, '検証');
    await store.embedEvents();
    expect(await found(store, 'JWT の検証をどこに置くか')).toEqual(['JWT の検証をどこに置くか']);
  });

  it('keeps every filter before the cut, and tenants apart', async () => {
    const { store, storage } = await opened();
    const a = await store.startSession({ workspace });
    const b = await store.startSession({ workspace: '/home/ann/other' });
    // The nearest are all elsewhere.
    for (let n = 0; n < 30; n++) await text(store, b.id, 'authentication');
    await store.log(a.id, 'thinking', { content: 'authenticator' }, { timestamp: '2020-05-05' });
    await store.log(a.id, 'file_edit', {
      action: 'create',
      file_path: 'src/authenticate.ts',
      success: true,
      new_content: 'authenticate',
    });
    const other = await opened(watched(), { storage, tenant: 'b' });
    await text(other.store, (await other.store.startSession({ workspace })).id, 'authentcatoin b');
    await other.store.embedEvents();
    await store.embedEvents();

    const ask = (filter: object): Promise<unknown[]> => found(store, 'authentcatoin', filter);
    expect(await ask({ session: a.id, type: 'thinking' })).toEqual(['authenticator']);
    expect(await ask({ workspace, before: '2021-01-01' })).toEqual(['authenticator']);
    expect(await ask({ before: '2020-05-04' })).toEqual([]);
    expect(await ask({ workspace, path: 'src/authenticate.ts' })).toEqual(['file_edit']);
    expect(await ask({ workspace, after: '2021-01-01' })).toEqual(['file_edit']);
    expect(await found(other.store, 'authentcatoin', { k: 9 })).toEqual(['authentcatoin b']);
    await store.updateSession(a.id, { workspace: '/home/ann/moved' });
    expect(await ask({ workspace, type: 'thinking' })).toEqual([]);
    expect(await ask({ workspace: '/home/ann/moved', type: 'thinking' })).toEqual([
      'authenticator',
    ]);
  });
});

describe('vectors are made in the background', () => {
  it('never while an append waits, and for what was logged meanwhile, too', async () => {
    let open = (): void => {};
    const gate = new Promise<void>((resolve) => (open = resolve));
    const model = watched(() => gate);
    const { store, vectors } = await opened(model);
    const { id } = await store.startSession({ workspace });
    for (let n = 0; n < 100; n++) await text(store, id, `message ${n}`);
    await expect.poll(() => vectors.count()).toBe(0);
    expect((await store.getSession(id)).event_count).toBe(100);
    open();
    await expect.poll(() => vectors.count()).toBe(100);
    await text(store, id, 'one more');
    await expect.poll(() => vectors.count()).toBe(101);
    expect(model.texts).toHaveLength(101);
  });

  it('and not made again where others are removed while a run begins', async () => {
    const { store, vectors, storage } = await opened();
    const { id } = await store.startSession({ workspace });
    const events: { readonly id: string }[] = [];
    for (let n = 0; n < 4; n++) events.push(await text(store, id, `message ${n}`));
    await store.embedEvents();
    let forgotten = 0;
    const removing: VectorStore = {
      specVersion: 1,
      dimensions,
      upsert: (records, options) => vectors.upsert(records, options),
      delete: (ids, options) => vectors.delete(ids, options),
      query: (vector, options) => vectors.query(vector, options),
      async count(filter, options) {
        const event = events[forgotten++];
        if (event) await store.forget({ event: event.id });
        return vectors.count(filter, options);
      },
      close: () => vectors.close(),
    };
    const model = watched();
    const again = await newStore({ storage, embeddings: { model, vectors: removing } });
    await again.embedEvents();
    expect(forgotten).toBeGreaterThan(0);
    expect(model.texts).toEqual([]);
  });

  it('and continue where they stopped when the memory is opened again', async () => {
    let calls = 0;
    const failing = watched(() => {
      if (++calls > 2) throw new LLMError('network', 'away');
    });
    const first = await opened(failing);
    const { id } = await first.store.startSession({ workspace });
    const contents = Array.from({ length: 200 }, (_, n) => `message ${n}`);
    await first.store.logMany(
      id,
      contents.map((content) => ({ type: 'user_message', data: { content } })),
    );
    await expect(first.store.embedEvents()).rejects.toMatchObject({ code: 'network' });
    await first.store.close();
    expect(await first.vectors.count()).toBe(128);

    const model = watched();
    const second = await opened(model, { storage: first.storage });
    await second.store.embedEvents();
    expect(await second.vectors.count()).toBe(200);
    expect([...failing.texts, ...model.texts].toSorted()).toEqual(contents.toSorted());
  });

  it('are finished by another process if one dies between the store and its note of it', async () => {
    const dying = await opened();
    const { id } = await dying.store.startSession({ workspace });
    const kept = await text(dying.store, id, 'kept');
    const gone = await text(dying.store, id, 'gone');
    const { upsert } = dying.vectors;
    let died = (): void => {};
    const death = new Promise<void>((resolve) => (died = resolve));
    vi.spyOn(dying.vectors, 'upsert').mockImplementation(async (records) => {
      await upsert.call(dying.vectors, records);
      died();
      await new Promise<never>(() => {});
    });
    await death;
    expect(await dying.vectors.count()).toBe(2);

    const plain = await newStore({ storage: dying.storage });
    await plain.forget({ event: gone.id });
    const next = await opened(watched(), { storage: dying.storage });
    await next.store.embedEvents();
    expect(await next.vectors.count()).toBe(1);
    const [hit] = await next.store.search('kpet');
    expect(hit?.event.id).toBe(kept.id);
  });

  it('are rebuilt if the store has lost them', async () => {
    const { store, storage } = await opened();
    const { id } = await store.startSession({ workspace });
    await text(store, id, 'authentication');
    await store.embedEvents();
    const model = watched();
    const vectors = quantizedVectors({ database: storage.cache, dimensions, name: 'empty' });
    const again = await newStore({ storage, embeddings: { model, vectors } });
    await again.embedEvents();
    expect(await vectors.count()).toBe(1);
    expect(await found(again, 'authentcatoin')).toEqual(['authentication']);
  });

  it('pass over a text that the model refuses, and report it', async () => {
    const poison = watched(({ values }) => {
      if (values.some((value) => value.includes('poison'))) {
        throw new LLMError('invalid_request', 'no such text');
      }
    });
    const { store, vectors } = await opened(poison);
    const failures: unknown[] = [];
    store.on('vectors:failed', ({ task, event }) => failures.push(`${task} ${event}`));
    const { id } = await store.startSession({ workspace });
    for (let n = 0; n < 20; n++) await text(store, id, `message ${n}`);
    const bad = await text(store, id, 'poison');
    expect(await store.embedEvents()).toMatchObject({ refused: 1 });
    expect(await vectors.count()).toBe(20);
    expect(new Set(failures)).toEqual(new Set([`embed ${bad.id}`]));
  });
});

describe('a model that is away', () => {
  it('leaves the words, and emits an event', async () => {
    // There is no server on it.
    const model = ollamaEmbeddings({ model: 'none', baseURL: 'http://127.0.0.1:9' });
    const { store } = await opened(model);
    const failures: unknown[] = [];
    store.on('vectors:failed', ({ task, error }) => {
      if (LLMError.isInstance(error)) failures.push(task);
    });
    const { id } = await store.startSession({ workspace });
    await text(store, id, '認証機能');
    expect(await found(store, '認証')).toEqual(['認証機能']);
    expect(failures).toContain('search');
    const recalled = await store.recall({ query: '認証', workspace, budgetTokens: 100 });
    expect(recalled.events[0]?.reasons).toContain('text');
    await expect(store.embedEvents()).rejects.toMatchObject({ code: 'network' });
  });

  it('is asked again later automatically', async () => {
    let isAway = true;
    const model = watched(() => {
      if (isAway) throw new LLMError('network', 'away');
    });
    const { store, vectors } = await opened(model);
    const failed = new Promise((resolve) => store.on('vectors:failed', resolve));
    const { id } = await store.startSession({ workspace });
    await text(store, id, 'authentication');
    expect(await failed).toMatchObject({ task: 'embed', retryMs: 1000 });
    isAway = false;
    await expect.poll(() => vectors.count()).toBe(1);
  });

  it('is refused at once if it does not go with the store, and asked nothing without embeddings', async () => {
    const storage = await newStorage();
    const vectors = quantizedVectors({ database: storage.cache, dimensions: 8 });
    const attempts = [
      { model: watched(), vectors },
      { model: watched() },
      { vectors },
      { modle: 1 },
    ];
    for (const embeddings of attempts) {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it is wrong on purpose
      const options = { storage, embeddings: embeddings as never };
      await expect(newStore(options)).rejects.toMatchObject({ code: 'invalid-input' });
    }
    const plain = await newStore({ storage });
    await expect(plain.embedEvents()).rejects.toMatchObject({ code: 'invalid-input' });
  });

  it('stops when it is aborted', async () => {
    const { store } = await opened();
    const signal = AbortSignal.abort(new Error('enough'));
    await expect(store.embedEvents({ signal })).rejects.toThrow('enough');
    await expect(store.search('x', { signal })).rejects.toThrow('enough');
  });
});

describe('the vectors of what is forgotten', () => {
  it('go with the event, the session and the retention', async () => {
    const { store, vectors } = await opened();
    const one = await store.startSession({ workspace });
    const two = await store.startSession({ workspace });
    const secret = await text(store, one.id, 'my secret');
    await text(store, one.id, 'plain');
    await text(store, two.id, 'two');
    await store.embedEvents();
    await store.forget({ event: secret.id });
    expect(await vectors.count()).toBe(2);
    await store.deleteSession(two.id);
    expect(await vectors.count()).toBe(1);
    await store.endSession(one.id);
    await store.applyRetention({ maxBytes: 1 });
    expect(await vectors.count()).toBe(0);
  });

  it('go later if the vector store is away, or the one who forgot has none', async () => {
    const { store, storage, vectors } = await opened();
    const { id } = await store.startSession({ workspace });
    const first = await text(store, id, 'my first secret');
    const second = await text(store, id, 'my second secret');
    await store.embedEvents();
    const failures: unknown[] = [];
    store.on('vectors:failed', ({ task }) => failures.push(task));
    const away = vi.spyOn(vectors, 'delete').mockRejectedValue(new Error('away'));
    await store.forget({ event: first.id });
    // Where forgetting takes long, a try to embed what is waiting fails meanwhile, too.
    expect(failures).toContain('remove');
    expect(await found(store, 'my first secret')).not.toContain('my first secret');
    away.mockRestore();
    const plain = await newStore({ storage });
    await plain.forget({ event: second.id });
    await store.embedEvents();
    expect(await vectors.count()).toBe(0);
  });

  it('do not come after it was forgotten', async () => {
    let open = (): void => {};
    const gate = new Promise<void>((resolve) => (open = resolve));
    let begun = (): void => {};
    const beginning = new Promise<void>((resolve) => (begun = resolve));
    const model = watched(() => {
      begun();
      return gate;
    });
    const { store, vectors } = await opened(model);
    const { id } = await store.startSession({ workspace });
    const secret = await text(store, id, 'my secret');
    await beginning;
    await store.forget({ event: secret.id });
    open();
    await store.embedEvents();
    expect(model.texts).toEqual(['my secret']);
    expect(await vectors.count()).toBe(0);
  });

  it('are of the redacted text', async () => {
    const model = watched();
    const { store } = await opened(model);
    const { id } = await store.startSession({ workspace });
    await text(store, id, 'the password is <private>hunter2</private>');
    await store.embedEvents();
    expect(model.texts.join()).not.toContain('hunter2');
  });
});
