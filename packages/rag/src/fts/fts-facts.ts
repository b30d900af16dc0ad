import type { SqlExecutor } from '@vizprompt/providers';
import type { DocumentRef, BackendStats } from '../contract/search-backend.ts';
import { ChunkColumns } from '../search/column-part.ts';
import { toSql } from '../sql/sql-text.ts';
import type { FtsTables } from './fts-tables.ts';
import { documentsSince } from './stored-rows.ts';
import { TITLE_PREFIX } from '../chunk/chunk.ts';

type FactRow = readonly [
  id: number,
  document: number,
  place: number,
  words: number,
  length: number,
  tags: string,
];

/** The facts of all chunks in memory, brought up to date by what changed since. */
export class FtsFacts {
  readonly columns: ChunkColumns = new ChunkColumns();
  /** By their numbers. */
  readonly documents: Map<number, DocumentRef> = new Map();
  /** The change of the database that they were read after. */
  revision = -1;
  readonly #chunks = new Map<number, number[]>();
  readonly #tables: FtsTables;

  constructor(tables: FtsTables) {
    this.#tables = tables;
  }

  /** Reads what changed up to a revision, or later. */
  async refresh(executor: SqlExecutor, revision: number): Promise<void> {
    if (revision === this.revision) return;
    const isFresh = revision > this.revision && this.revision >= 0;
    const changed = await documentsSince(executor, this.#tables, isFresh ? this.revision : -1);
    const [living] = await executor.query<{ ids: string }>(
      `SELECT json_group_array(id) AS ids FROM ${this.#tables.document}`,
    );
    const facts = await this.#facts(executor, isFresh ? changed.map(({ id }) => id) : undefined);
    const documents = new Set<number>(JSON.parse(living?.ids ?? '[]'));
    // Without waiting from here on, so that no search sees half of it.
    for (const document of this.#chunks.keys()) {
      if (!documents.has(document)) this.#drop(document);
    }
    for (const { id } of changed) this.#drop(id);
    for (const { id, novelId, filePath } of changed) this.documents.set(id, { novelId, filePath });
    for (const [id, document, index, words, length, tags] of facts) {
      const ids = this.#chunks.get(document) ?? [];
      this.#chunks.set(document, ids);
      ids.push(id);
      this.columns.set(id, { document, index, words, length, tags: JSON.parse(tags) });
    }
    this.revision = revision;
  }

  #drop(document: number): void {
    for (const id of this.#chunks.get(document) ?? []) this.columns.delete(id);
    this.#chunks.delete(document);
    this.documents.delete(document);
  }

  async #facts(
    executor: SqlExecutor,
    documents: readonly number[] | undefined,
  ): Promise<readonly FactRow[]> {
    const [row] = await executor.query<{ facts: string }>(
      `SELECT json_group_array(json_array(id, document, place, words, length, tags)) AS facts
       FROM ${this.#tables.chunk}
       ${documents ? 'WHERE document IN (SELECT value FROM json_each(?))' : ''}`,
      documents ? [JSON.stringify(documents)] : [],
    );
    return JSON.parse(row?.facts ?? '[]');
  }
}

/** Counts the content of an index. Its bytes are those of its contents: other tables share the file. */
export async function ftsStats(executor: SqlExecutor, tables: FtsTables): Promise<BackendStats> {
  const { chunk, document, term, text, fts, state } = tables;
  const [row] = await executor.query<BackendStats>(
    `SELECT
       (SELECT count(*) FROM ${chunk}) AS chunks,
       (SELECT count(*) FROM ${document}) AS documents,
       (SELECT count(*) FROM ${term} WHERE substr(key, 1, ?) <> ?) AS terms,
       (SELECT coalesce(sum(length(block)), 0) FROM ${fts}_data)
         + (SELECT coalesce(sum(length(CAST(chunk AS BLOB)) + length(words)), 0) FROM ${text})
         + (SELECT coalesce(sum(length(CAST(key AS BLOB)) * 2), 0) FROM ${term}) AS bytes,
       (SELECT analyzer FROM ${state}) AS analyzer`,
    [toSql(TITLE_PREFIX).length, toSql(TITLE_PREFIX)],
  );
  return row ?? { chunks: 0, documents: 0, terms: 0, bytes: 0, analyzer: '' };
}
