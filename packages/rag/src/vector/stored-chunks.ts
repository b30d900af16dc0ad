import type { SqlExecutor, SqlParameter } from '@vizprompt/providers';
import { documentKey, type KnownChunk } from '../contract/document-change.ts';
import type { DocumentRef } from '../contract/search-backend.ts';
import { Chunk, type ChunkFields, positionOf } from '../chunk/chunk.ts';
import type { CatalogTables } from './catalog-tables.ts';
import { inParts, placeholders } from '@vizprompt/providers/internal';

/** Values of one statement; databases take some ten thousand. */
const ROWS = 200;

/** A chunk of the index with the key of its vector. */
export interface StoredChunk {
  readonly key: string;
  readonly chunk: Chunk;
}

interface ChunkRow {
  readonly key: string;
  readonly chunk: string;
  readonly ordinal: number;
}

/** Returns the chunks of a document in order. */
export async function chunksOf(
  executor: SqlExecutor,
  { chunks }: CatalogTables,
  document: DocumentRef,
): Promise<readonly KnownChunk<string>[]> {
  const rows = await executor.query<ChunkRow>(
    `SELECT key, chunk, ordinal FROM ${chunks} WHERE document = ? ORDER BY place, key`,
    [documentKey(document)],
  );
  return rows.map((row) => ({ id: row.key, chunk: toChunk(row) }));
}

/** Returns the chunks of these keys that the index still has. */
export async function chunksWith(
  executor: SqlExecutor,
  { chunks }: CatalogTables,
  keys: readonly string[],
): Promise<ReadonlyMap<string, Chunk>> {
  const found = new Map<string, Chunk>();
  for (const some of inParts(keys)) {
    const rows = await executor.query<ChunkRow>(
      `SELECT key, chunk, ordinal FROM ${chunks} WHERE key IN (${placeholders(some.length)})`,
      some,
    );
    for (const row of rows) found.set(row.key, toChunk(row));
  }
  return found;
}

/** Chunks that wait for their vectors. */
export async function queuedChunks(
  executor: SqlExecutor,
  { chunks }: CatalogTables,
  limit: number,
): Promise<readonly StoredChunk[]> {
  const rows = await executor.query<ChunkRow>(
    `SELECT key, chunk, ordinal FROM ${chunks} WHERE is_queued = 1 ORDER BY key LIMIT ?`,
    [limit],
  );
  return rows.map((row) => ({ key: row.key, chunk: toChunk(row) }));
}

/** Some of all chunks, in the order of their keys. */
export async function chunksAfter(
  executor: SqlExecutor,
  { chunks }: CatalogTables,
  key: string,
): Promise<readonly StoredChunk[]> {
  const rows = await executor.query<ChunkRow>(
    `SELECT key, chunk, ordinal FROM ${chunks} WHERE key > ? ORDER BY key LIMIT ${ROWS}`,
    [key],
  );
  return rows.map((row) => ({ key: row.key, chunk: toChunk(row) }));
}

/** Returns the documents of the index. */
export async function documentsOf(
  executor: SqlExecutor,
  { chunks }: CatalogTables,
): Promise<readonly DocumentRef[]> {
  const rows = await executor.query<{ document: string }>(
    `SELECT DISTINCT document FROM ${chunks}`,
  );
  return rows.map(({ document }) => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what `documentKey` wrote
    const [novelId, filePath] = JSON.parse(document) as [string, string];
    return { novelId, filePath };
  });
}

/** Returns a row for the table of chunks. */
export function chunkRow(key: string, chunk: Chunk, isQueued: boolean): readonly SqlParameter[] {
  return [key, documentKey(chunk), chunk.chunkIndex, fieldsOf(chunk), chunk.ordinal, isQueued];
}

/** Returns a chunk as JSON text. */
export function fieldsOf(chunk: Chunk): string {
  const { title, content, filePath, novelId, tags, headingPath, overlap } = chunk;
  const fields: ChunkFields = {
    title,
    content,
    filePath,
    ...positionOf(chunk),
    novelId,
    tags,
    headingPath,
    overlap,
  };
  return JSON.stringify(fields);
}

/** Deletes rows by their keys, and returns the existing ones. */
export async function takeKeys(
  tx: SqlExecutor,
  table: string,
  keys: readonly string[],
): Promise<readonly string[]> {
  const taken: string[] = [];
  for (const some of inParts(keys)) {
    const rows = await tx.query<{ key: string }>(
      `DELETE FROM ${table} WHERE key IN (${placeholders(some.length)}) RETURNING key`,
      some,
    );
    taken.push(...rows.map(({ key }) => key));
  }
  return taken;
}

function toChunk({ chunk, ordinal }: ChunkRow): Chunk {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what `fieldsOf` wrote
  return new Chunk(JSON.parse(chunk) as ChunkFields, ordinal);
}
