import { MemoryStore } from '@vizprompt/memory';
import type { EmbeddingRequest, EmbeddingResult, Storage } from '@vizprompt/providers';
import { quantizedVectors } from '@vizprompt/providers/quantized';
import { hashEmbeddings } from '@vizprompt/providers/testing';
import { describe, expect, it } from 'vitest';
import { all, newStorage, newStore, ON_POSTGRES, temporaryFolder } from '../support/open-store.ts';

const dimensions = 64;
/** Put together here, so that no scanner takes offence. */
const TOKEN = ['ghp', 'aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0dF5hJ8'].join('_');
const PASSWORD = ['Zx9Qw7', 'Er5Ty3'].join('');
const SECRETS = [TOKEN, PASSWORD];
/** Embeddings in the cache of a storage, and the texts of events that were embedded. */
function embeddingsOf(storage: Storage) {
  const model = hashEmbeddings({ dimensions });
  const texts: string[] = [];
  const embed = async (request: EmbeddingRequest): Promise<EmbeddingResult> => {
    if (request.kind !== 'query') texts.push(...request.values);
    return model.embed(request);
  };
  const vectors = quantizedVectors({ database: storage.cache, dimensions });
  return { texts, vectors, embeddings: { model: { ...model, embed }, vectors } };
}

/** All that is in the tables of a storage, as text. */
async function everythingIn(storage: Storage): Promise<string> {
  const texts: string[] = [];
  for (const database of [storage.database, storage.cache]) {
    const tables = await database.query<{ name: string }>(
      ON_POSTGRES
        ? `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = current_schema()`
        : `SELECT name FROM sqlite_master WHERE type = 'table'`,
    );
    for (const { name } of tables) {
      const rows = await database.query(`SELECT * FROM "${name}"`);
      for (const row of rows) {
        for (const value of Object.values(row)) {
          texts.push(
            value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : String(value),
          );
        }
      }
    }
  }
  return texts.join('\n').toLowerCase();
}

describe('redact, on what is stored', () => {
  it('takes secrets out of rows, words, contents and vectors, and makes these again', async () => {
    const storage = await newStorage();
    const old = await MemoryStore.open({
      storage,
      redact: false,
      embeddings: embeddingsOf(storage).embeddings,
    });
    const { id } = await old.startSession({
      workspace: await temporaryFolder(),
      metadata: { initial_context: `key ${TOKEN}` },
    });
    const said = await old.log(id, 'user_message', { content: `deploy by ${TOKEN}` });
    const other = await old.log(id, 'user_message', { content: 'the weather in Kyoto' });
    const edit = { session: id, path: '.env', reason: 'configure' };
    await old.editFile({ ...edit, newContent: `DB_PASSWORD=${PASSWORD}\n` });
    await old.embedEvents();
    const [hit] = await old.search(`deploy by ${TOKEN}`, { k: 1 });
    expect(hit?.event.id).toBe(said.id);
    await old.close();
    for (const secret of SECRETS)
      expect(await everythingIn(storage)).toContain(secret.toLowerCase());
    const { texts, vectors, embeddings } = embeddingsOf(storage);
    const before = await vectors.count();

    const store = await newStore({ storage, embeddings });
    const report = await store.redact();

    expect(report).toMatchObject({ sessions: 1, rules: { 'github-token': 2 } });
    expect(report.events).toBeGreaterThanOrEqual(2);
    const clean = await everythingIn(storage);
    for (const secret of SECRETS) expect(clean).not.toContain(secret.toLowerCase());
    for (const secret of SECRETS) {
      const found = await store.search(`"${secret}"`);
      expect(found).toEqual([]);
    }

    await store.embedEvents();
    expect(texts).toHaveLength(report.events);
    for (const secret of SECRETS) expect(texts.join()).not.toContain(secret);
    expect(await vectors.count()).toBe(before);
    const [near] = await store.search('deploy by [redacted:github-token]', { k: 1 });
    expect(near?.event).toMatchObject({
      id: said.id,
      data: { content: 'deploy by [redacted:github-token]' },
    });
    const [kept] = await store.search('wether in Kyto', { k: 1 });
    expect(kept?.event.id).toBe(other.id);
    expect(JSON.stringify(await all(store.events(id)))).not.toContain(PASSWORD);
    expect(await store.check()).toMatchObject({ isOk: true });
    expect(await store.redact()).toMatchObject({ secrets: 0, events: 0, contents: 0 });
  });
});
