import type { Database } from '@vizprompt/providers';

interface ChunkFacts {
  readonly id: number;
}

/** What encodes the facts of chunks, which the package does not export. */
interface FactsModule {
  readFacts(bytes: Uint8Array): readonly ChunkFacts[];
  writeFacts(chunks: readonly ChunkFacts[]): Uint8Array;
}

/** The terms of an index, which the package does not export either. */
interface TermsModule {
  readonly TermTable: new () => { terms(): Iterable<{ readonly chunks: number }> };
  applyTerms(table: object, bytes: Uint8Array): void;
  writeTerms(changes: { readonly added: readonly object[]; readonly deltas: [] }): Uint8Array;
}

async function sourceOf<T>(file: string): Promise<T> {
  return (await import(new URL(`../../packages/rag/src/sql/${file}`, import.meta.url).href)) as T;
}

/** Chunks are read with others of their row by their number: copies keep its remainder. */
const ALIGNED_CHUNKS = 64;

/**
 * Makes an index so many times as large, by copies of its rows: each copy of a document is another one with the same chunks.
 * Its words are the same, so that all lists of postings are as many times as long. Analyzing them would take hours.
 */
export async function copySpace(database: Database, times: number): Promise<void> {
  const { readFacts, writeFacts } = await sourceOf<FactsModule>('chunk-facts.ts');
  const [space] = await database.query<{ chunks: number; documents: number; revision: number }>(
    'SELECT next_chunk AS chunks, next_document AS documents, revision FROM chunks_space',
  );
  if (!space) throw new Error('there is no index to copy');
  const documents = await database.query<{ id: number; facts: Uint8Array }>(
    'SELECT id, facts FROM chunks_document',
  );
  const step = Math.ceil(space.chunks / ALIGNED_CHUNKS) * ALIGNED_CHUNKS;
  for (let copy = 1; copy < times; copy++) {
    const by = copy * step;
    await database.execute(
      `INSERT INTO chunks_text (space, chunk, n, data)
       SELECT space, chunk + ?::int, n, data FROM chunks_text WHERE chunk < ?`,
      [by, space.chunks],
    );
    await database.execute(
      `INSERT INTO chunks_block SELECT space, term, first + ?::int, n, data FROM chunks_block
       WHERE first < ?`,
      [by, space.chunks],
    );
    for (let from = 0; from < documents.length; from += 500) {
      const rows = documents.slice(from, from + 500).map(({ id, facts }) => {
        const moved = readFacts(facts).map((chunk) => ({ ...chunk, id: chunk.id + by }));
        const bytes = Buffer.from(writeFacts(moved)).toString('hex');
        // Documents of two projects may have the same path.
        return [id + copy * space.documents, `${copy}.${times}/${id}`, bytes] as const;
      });
      await database.execute(
        `INSERT INTO chunks_document SELECT space, id, path, 'works', path, NULL, ?::int, decode(facts, 'hex')
         FROM (SELECT id AS space FROM chunks_space) AS own,
           unnest(?::int[], ?::text[], ?::text[]) AS given(id, path, facts)`,
        [
          space.revision,
          `{${rows.map(([id]) => id).join(',')}}`,
          `{${rows.map(([, path]) => path).join(',')}}`,
          `{${rows.map(([, , facts]) => facts).join(',')}}`,
        ],
      );
    }
  }
  await multiplyTerms(database, times);
  await database.execute(
    `UPDATE chunks_space SET next_chunk = ?::int, next_document = next_document * ?::int`,
    [step * times, times],
  );
  for (const table of ['document', 'text', 'block']) {
    await database.execute(`ANALYZE chunks_${table}`);
  }
}

/** Makes the chunks of each term so many times as many. */
async function multiplyTerms(database: Database, times: number): Promise<void> {
  const { TermTable } = await sourceOf<TermsModule>('term-table.ts');
  const { applyTerms, writeTerms } = await sourceOf<TermsModule>('term-rows.ts');
  const rows = await database.query<{ space: number; revision: number; data: Uint8Array }>(
    'SELECT space, revision, data FROM chunks_vocabulary ORDER BY revision',
  );
  const table = new TermTable();
  for (const { data } of rows) applyTerms(table, data);
  const added = Array.from(table.terms(), (term) => ({ ...term, chunks: term.chunks * times }));
  await database.execute('DELETE FROM chunks_vocabulary');
  await database.execute('INSERT INTO chunks_vocabulary VALUES (?, ?, 1, ?)', [
    rows.at(-1)?.space ?? 0,
    rows.at(-1)?.revision ?? 0,
    writeTerms({ added, deltas: [] }),
  ]);
}
