import { sqliteDatabase } from '@vizprompt/providers/node';
import { quantizedVectors } from '@vizprompt/providers/quantized';
import type { Database } from '@vizprompt/providers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { HybridBackend } from '../../../src/backends/hybrid-backend.ts';
import { SqlBackend } from '../../../src/backends/sql-backend.ts';
import { paragraphs, scriptAnalyzer } from '../../../src/testing/index.ts';
import { recountSpace } from '../../support/recount-space.ts';
import { sharedPostgres } from '../../support/sql-database.ts';
import { wordEmbeddings } from '../../support/word-embeddings.ts';

const parts = { analyzer: scriptAnalyzer(), chunking: paragraphs };
const document = { novelId: '灯台', filePath: 'a.md', text: '灯台の朝\n\n嵐の夜' };
const postgres = sharedPostgres();

/** A database whose transactions fail where they write to a table. */
interface FailingDatabase {
  readonly database: Database;
  /** The beginning of the statement that fails; none without it. */
  failsAt: string | undefined;
}

function failing(database: Database): FailingDatabase {
  const given: FailingDatabase = {
    failsAt: undefined,
    database: {
      ...database,
      transaction: (work, options) =>
        database.transaction(
          (tx) =>
            work({
              query: (sql, params) => tx.query(sql, params),
              async execute(sql, params) {
                const { failsAt } = given;
                if (failsAt !== undefined && sql.startsWith(failsAt)) throw new Error('it is full');
                return tx.execute(sql, params);
              },
            }),
          options,
        ),
    },
  };
  return given;
}

/** Words and vectors in one database. */
async function open(database: Database): Promise<HybridBackend> {
  const store = quantizedVectors({ database, dimensions: 512 });
  const keyword = await SqlBackend.open({ ...parts, database });
  const embeddings = wordEmbeddings();
  const backend = await HybridBackend.open({ ...parts, keyword, database, store, embeddings });
  onTestFinished(async () => {
    await backend.close();
    for (const table of ['chunk', 'gone', 'embedding']) {
      await database.execute(`DELETE FROM rag_vectors_${table}`);
    }
    await store.close();
  });
  return backend;
}

/** The texts that each side has. */
async function sides(database: Database): Promise<{
  readonly words: readonly string[];
  readonly vectors: readonly string[];
}> {
  const keyword = await SqlBackend.open({ ...parts, database });
  const { hits } = await keyword.search('/./', { k: 1000 });
  await keyword.close();
  const rows = await database.query<{ chunk: string }>('SELECT chunk FROM rag_vectors_chunk');
  const contents = rows.map(({ chunk }) => {
    const { content }: { readonly content: string } = JSON.parse(chunk);
    return content;
  });
  return { words: hits.map(({ content }) => content).toSorted(), vectors: contents.toSorted() };
}

const databases: Readonly<Record<string, () => Database>> = {
  PostgreSQL: postgres,
  SQLite() {
    const database = sqliteDatabase({ path: ':memory:' });
    onTestFinished(() => database.close());
    return database;
  },
};

describe.each(Object.entries(databases))(
  'words and vectors in one database of %s',
  (_, openDatabase) => {
    it.each([
      ['the catalog of vectors fails', 'INSERT INTO rag_vectors_chunk'],
      ['its last change fails', 'INSERT INTO rag_vectors_gone'],
      ['the words fail', 'INSERT INTO chunks_sketch'],
    ])('stay as they were on both sides where %s', async (_name, failsAt) => {
      const given = failing(openDatabase());
      const { database } = given;
      const backend = await open(database);
      await backend.updateFile(document);
      const before = { words: ['嵐の夜', '灯台の朝'], vectors: ['嵐の夜', '灯台の朝'] };
      expect(await sides(database)).toEqual(before);
      given.failsAt = failsAt;
      const text = '灯台の昼\n\n嵐の夜';
      await expect(backend.updateFile({ ...document, text })).rejects.toThrow('it is full');
      given.failsAt = undefined;
      expect(await sides(database)).toEqual(before);
      expect(await recountSpace(database)).toEqual([]);
      await backend.updateFile({ ...document, text });
      const after = ['嵐の夜', '灯台の昼'];
      expect(await sides(database)).toEqual({ words: after, vectors: after });
    });

    it('get their vectors where the words have not changed', async () => {
      const database = openDatabase();
      const keyword = await SqlBackend.open({ ...parts, database });
      await keyword.updateFile(document);
      await keyword.close();
      const backend = await open(database);
      await backend.updateFile(document);
      const both = ['嵐の夜', '灯台の朝'];
      expect(await sides(database)).toEqual({ words: both, vectors: both });
    });

    it('stay together where a document is removed while it is written without a change', async () => {
      const database = openDatabase();
      const other = await open(database);
      await other.updateFile(document);
      let before: (() => Promise<unknown>) | undefined;
      const backend = await open({
        ...database,
        async transaction(work, options) {
          const first = before;
          before = undefined;
          await first?.();
          return database.transaction(work, options);
        },
      });
      before = () => other.removeByFile({ novelId: '灯台', filePath: 'a.md' });
      await backend.updateFile(document);
      expect(before).toBeUndefined();
      const { words, vectors } = await sides(database);
      expect(vectors).toEqual(words);
      expect(await recountSpace(database)).toEqual([]);
    });

    it('are written by several at once, and neither side loses a document', async () => {
      const database = openDatabase();
      const writers = [await open(database), await open(database)];
      await Promise.all(
        writers.map(async (writer, number) => {
          for (let round = 0; round < 4; round++) {
            const filePath = `${(number + round) % 3}.md`;
            await writer.updateFile({ ...document, filePath, text: `${filePath}の灯台` });
          }
        }),
      );
      const all = ['0.mdの灯台', '1.mdの灯台', '2.mdの灯台'];
      expect(await sides(database)).toEqual({ words: all, vectors: all });
      expect(await recountSpace(database)).toEqual([]);
    });
  },
);
