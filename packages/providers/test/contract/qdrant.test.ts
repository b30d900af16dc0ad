import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { QdrantClient } from '@qdrant/js-client-rest';
import { VectorError, type VectorStore } from '@vizprompt/providers';
import { qdrantStore } from '@vizprompt/providers/qdrant';
import { startFakeQdrant, testVectorStore } from '@vizprompt/providers/testing';
import { describe, expect, it } from 'vitest';

const runner = { describe, it };
const vector = (...numbers: number[]): Float32Array => Float32Array.from(numbers);

/** A real server where there is one, otherwise the fake. */
const realUrl = process.env['QDRANT_URL'];

testVectorStore({
  name: realUrl === undefined ? 'qdrant, on the fake server' : 'qdrant',
  runner,
  open: async () => {
    const server = realUrl === undefined ? await startFakeQdrant() : undefined;
    const url = server?.url ?? realUrl ?? '';
    const collection = `suite-${randomBytes(4).toString('hex')}`;
    const open = (made = {}): VectorStore =>
      qdrantStore({ url, collection, dimensions: 8, model: 'suite', ...made });
    return {
      subject: { store: open(), another: async (made) => open(made) },
      close: async () => {
        await new QdrantClient({ url, checkCompatibility: false }).deleteCollection(collection);
        await server?.close();
      },
    };
  },
});

describe('a store on Qdrant', () => {
  it.each([301, 302, 303, 307, 308])(
    'follows no redirect (%i), which would carry the key',
    async (status) => {
      const asked: string[] = [];
      const elsewhere = createServer(({ method, headers }, response) => {
        asked.push(`${method} ${String(headers['api-key'])}`);
        response
          .writeHead(200, { 'content-type': 'application/json' })
          .end('{"result":{"exists":true}}');
      });
      let location = '';
      const server = createServer(
        (_, response) => void response.writeHead(status, { location }).end(),
      );
      try {
        for (const one of [elsewhere, server]) await once(one.listen(0, '127.0.0.1'), 'listening');
        const portOf = (one: Server): number => (one.address() as { readonly port: number }).port;
        location = `http://localhost:${portOf(elsewhere)}/`;
        const url = `http://127.0.0.1:${portOf(server)}`;
        const store = qdrantStore({ url, collection: 'c', dimensions: 2, apiKey: 'a-secret' });
        const refused = { code: 'refused', message: expect.stringContaining('redirects') };
        await expect(store.upsert([{ id: 'a', vector: vector(1, 0) }])).rejects.toMatchObject(
          refused,
        );
        await expect(store.query(vector(1, 0))).rejects.toMatchObject(refused);
        expect(asked).toEqual([]);
      } finally {
        for (const one of [elsewhere, server]) one.close();
      }
    },
  );

  it('lets the server fuse meaning and words by reciprocal ranks', async () => {
    await using server = await startFakeQdrant();
    const store = qdrantStore({ url: server.url, collection: 'c', dimensions: 2, sparse: true });
    const word = (index: number): { indices: number[]; values: number[] } => ({
      indices: [index],
      values: [1],
    });
    await store.upsert([
      { id: 'meaning', vector: vector(1, 0), sparse: word(7), payload: { kind: 'x' } },
      { id: 'both', vector: vector(1, 0.1), sparse: word(9), payload: { kind: 'x' } },
      { id: 'words', vector: vector(0, 1), sparse: word(9), payload: { kind: 'x' } },
      { id: 'other', vector: vector(1, 0), sparse: word(9), payload: { kind: 'y' } },
    ]);
    const question = { vector: vector(1, 0), sparse: word(9), filter: { kind: 'x' } };
    const found = await store.queryFused(question);
    expect(found.map(({ id }) => id)).toEqual(['both', 'words', 'meaning']);
    // Second by meaning and first by words, third and second, first and not at all.
    const scores = [1 / 62 + 1 / 61, 1 / 63 + 1 / 62, 1 / 61];
    for (const [at, score] of scores.entries()) expect(found[at]?.score).toBeCloseTo(score, 9);
    const worded = await store.queryFused({ ...question, weights: { vector: 0, sparse: 1 }, k: 2 });
    expect(worded.map(({ id }) => id).toSorted()).toEqual(['both', 'words']);
    expect(server.calls.at(-1)?.body['query']).toEqual({ rrf: { k: 61, weights: [0, 1] } });
  });

  it('names the collection, the server and the fix when it is away, and continues when it is back', async () => {
    await using server = await startFakeQdrant();
    const store = qdrantStore({ url: server.url, collection: 'novels', dimensions: 2 });
    server.set('down');
    const failure = await store.query(vector(1, 0)).catch((error: unknown) => error);
    expect(VectorError.isInstance(failure) && failure.code).toBe('unavailable');
    expect(String(failure)).toContain(`the collection 'novels' on Qdrant at ${server.url}`);
    expect(String(failure)).toContain('Is the server running');
    server.set(500);
    await expect(store.count()).rejects.toMatchObject({ code: 'unavailable' });
    server.set('up');
    await store.upsert([{ id: 'a', vector: vector(1, 0) }]);
    server.set('down');
    await expect(store.upsert([{ id: 'b', vector: vector(1, 0) }])).rejects.toMatchObject({
      code: 'unavailable',
    });
    server.set('up');
    expect(await store.count()).toBe(1);
  });

  it('gives up a call in time, and at once when it is aborted', async () => {
    await using server = await startFakeQdrant();
    const at = { url: server.url, collection: 'c', dimensions: 2 };
    const [hasty, patient] = [qdrantStore({ ...at, timeoutMs: 50 }), qdrantStore(at)];
    await patient.upsert([{ id: 'a', vector: vector(1, 0) }]);
    server.set('hanging');
    await expect(hasty.query(vector(1, 0))).rejects.toThrow('no answer within 50 ms');
    const stop = new AbortController();
    const asked = patient.query(vector(1, 0), { signal: stop.signal });
    setTimeout(() => stop.abort(new Error('enough')), 50);
    await expect(asked).rejects.toThrow('enough');
  });

  it('says which key is wrong', async () => {
    await using server = await startFakeQdrant({ apiKey: 'secret' });
    const made = { url: server.url, collection: 'c', dimensions: 2 };
    const failing = qdrantStore(made).count();
    await expect(failing).rejects.toMatchObject({ code: 'refused' });
    await expect(failing).rejects.toThrow("Check 'apiKey'");
    expect(await qdrantStore({ ...made, apiKey: 'secret' }).count()).toBe(0);
  });

  it('keeps ids that are UUIDs, and gives every other id the same UUID in every process', async () => {
    await using server = await startFakeQdrant();
    const store = qdrantStore({ url: server.url, collection: 'c', dimensions: 2 });
    const uuid = '0190163d-8694-739b-aea5-966c26f8ad91';
    await store.upsert(
      [uuid, '灯台:01.md#嵐@1a2b3c4d'].map((id) => ({ id, vector: vector(1, 0) })),
    );
    const last = server.calls.findLast(({ path }) => path.endsWith('/points'));
    const ids = (last!.body['points'] as { id: string }[]).map(({ id }) => id);
    expect(ids).toEqual([uuid, '7949d0b4-923c-8880-b83e-fe3d07db93a8']);
  });
});
