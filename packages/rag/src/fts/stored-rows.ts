import type { SqlExecutor, SqlParameter } from '@vizprompt/providers';
import { Chunk, type ChunkFields } from '../chunk/chunk.ts';
import type { DocumentRef } from '../contract/search-backend.ts';
import type { Neighbours } from '../search/chunk-index.ts';
import { fromSql } from '../sql/sql-text.ts';
import type { FtsTables } from './fts-tables.ts';

/** A chunk as the database holds it. */
export interface StoredChunk {
  readonly id: number;
  readonly document: number;
  readonly chunk: Chunk;
  readonly words: Uint8Array;
}

interface Row {
  readonly id: number;
  readonly document: number;
  readonly novel: string;
  readonly path: string;
  readonly place: number;
  readonly startLine: number;
  /** Nothing in rows of older versions. */
  readonly startColumn: number | null;
  readonly endLine: number;
  readonly chunk: string;
  readonly words: Uint8Array;
}

/** Returns the part of a chunk that does not change when it moves, as JSON. */
export function chunkJson(chunk: Chunk): string {
  const { title, content, tags, headingPath, overlap, ordinal } = chunk;
  return JSON.stringify({ title, content, tags, headingPath, overlap, ordinal });
}

/** Chunks by their ids, in no order. */
export function chunksById(
  executor: SqlExecutor,
  tables: FtsTables,
  ids: readonly number[],
): Promise<readonly StoredChunk[]> {
  const condition = 'c.id IN (SELECT value FROM json_each(?))';
  return readChunks(executor, tables, condition, [JSON.stringify(ids)]);
}

/** Returns the chunks of a document in order. */
export function chunksOfDocument(
  executor: SqlExecutor,
  tables: FtsTables,
  document: number,
): Promise<readonly StoredChunk[]> {
  return readChunks(executor, tables, 'c.document = ?', [document]);
}

/** Returns a chunk with its neighbours in the document, in order. */
export function chunksAround(
  executor: SqlExecutor,
  tables: FtsTables,
  id: number,
  { before, after }: Neighbours,
): Promise<readonly StoredChunk[]> {
  const ids = (sign: '<=' | '>', order: 'ASC' | 'DESC'): string =>
    `SELECT * FROM (
       SELECT n.id FROM ${tables.chunk} own JOIN ${tables.chunk} n ON n.document = own.document
       WHERE own.id = ? AND (n.place, n.id) ${sign} (own.place, own.id)
       ORDER BY n.place ${order}, n.id ${order} LIMIT ?
     )`;
  const condition = `c.id IN (${ids('<=', 'DESC')} UNION ALL ${ids('>', 'ASC')})`;
  return readChunks(executor, tables, condition, [id, before + 1, id, after]);
}

async function readChunks(
  executor: SqlExecutor,
  tables: FtsTables,
  condition: string,
  parameters: readonly SqlParameter[],
): Promise<readonly StoredChunk[]> {
  const rows = await executor.query<Row>(
    `SELECT c.id, c.document, d.novel, d.path, c.place, c.start_line AS startLine,
       c.start_column AS startColumn, c.end_line AS endLine, t.chunk, t.words
     FROM ${tables.chunk} c JOIN ${tables.text} t ON t.id = c.id
       JOIN ${tables.document} d ON d.id = c.document
     WHERE ${condition} ORDER BY c.document, c.place, c.id`,
    parameters,
  );
  return rows.map(({ id, document, novel, path, place, chunk, words, ...lines }) => {
    const fields: ContentFields = JSON.parse(chunk);
    const { startLine, endLine, startColumn } = lines;
    const position = {
      chunkIndex: place,
      startLine,
      endLine,
      startColumn: startColumn ?? undefined,
    };
    const where = { novelId: fromSql(novel), filePath: fromSql(path), ...position };
    const full = new Chunk({ ...fields, ...where }, fields.ordinal);
    return { id, document, chunk: full, words };
  });
}

type ContentFields = Pick<
  ChunkFields & { readonly ordinal: number },
  'title' | 'content' | 'tags' | 'headingPath' | 'overlap' | 'ordinal'
>;

/** A row of the documents. */
export interface DocumentRow extends DocumentRef {
  readonly id: number;
  readonly revision: number;
}

/** Documents that changed after a revision, or all. */
export async function documentsSince(
  executor: SqlExecutor,
  tables: FtsTables,
  revision: number,
): Promise<readonly DocumentRow[]> {
  const rows = await executor.query<{ id: number; novel: string; path: string; revision: number }>(
    `SELECT id, novel, path, revision FROM ${tables.document} WHERE revision > ?`,
    [revision],
  );
  return rows.map((row) => {
    return {
      id: row.id,
      revision: row.revision,
      novelId: fromSql(row.novel),
      filePath: fromSql(row.path),
    };
  });
}

/** The row of the state. */
export interface StateRow {
  readonly analyzer: string;
  readonly revision: number;
}

export async function readState(executor: SqlExecutor, tables: FtsTables): Promise<StateRow> {
  const [row] = await executor.query<StateRow>(`SELECT analyzer, revision FROM ${tables.state}`);
  return row ?? { analyzer: '', revision: 0 };
}
