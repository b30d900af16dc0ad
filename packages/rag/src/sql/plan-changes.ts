import { Chunk, isSamePosition, positionOf } from '../chunk/chunk.ts';
import {
  type DocumentChange,
  documentKey,
  planUpdate,
  type UpdatePlan,
} from '../contract/document-change.ts';
import type { DocumentRef } from '../contract/search-backend.ts';
import { type ChunkFacts, readFacts } from './chunk-facts.ts';
import type { StoredText } from './chunk-text.ts';
import { givenRows } from './given-rows.ts';
import { readTexts, type SpacePlace } from './space-reader.ts';
import { fromSql, hashOf } from './sql-text.ts';

/** A chunk as the database has it. */
export interface StoredChunk {
  readonly facts: ChunkFacts;
  readonly text: StoredText;
}

/** How a document gets to what it shall be. */
export interface PlannedChange extends UpdatePlan<StoredChunk> {
  readonly ref: DocumentRef;
  /** The stamp that is stored for the version of the document. */
  readonly stamp: string | undefined;
  readonly isRestamped: boolean;
  /** The number of the document, if it has a row. */
  readonly document: number | undefined;
}

/** Finds out what changes do, without doing it. */
export async function planChanges(
  place: SpacePlace,
  changes: readonly DocumentChange[],
): Promise<readonly PlannedChange[]> {
  const documents = await readDocuments(place, changes);
  const facts = new Map([...documents].map(([key, { facts: bytes }]) => [key, readFacts(bytes)]));
  const ids = [...facts.values()].flatMap((chunks) => chunks.map(({ id }) => id));
  const texts = new Map<number, StoredText>();
  if (ids.length > 0) {
    for (const { chunk, text } of await readTexts(place, ids)) texts.set(chunk, text);
  }
  return changes.map((change) => {
    const { novelId, filePath, stamp } = change;
    const key = documentKey(change);
    const known = (facts.get(key) ?? []).flatMap((one) => {
      const text = texts.get(one.id);
      if (!text) return [];
      const where = { novelId, filePath, ...positionOf(one) };
      const chunk = new Chunk({ ...text.fields, ...where }, text.fields.ordinal);
      return [{ chunk, id: { facts: one, text } }];
    });
    const document = documents.get(key);
    const isRestamped = document !== undefined && (document.stamp ?? undefined) !== stamp;
    const plan = planUpdate(known, change);
    return { ...plan, ref: { novelId, filePath }, stamp, isRestamped, document: document?.id };
  });
}

/** Checks whether a plan writes anything. */
export function isChange({ chunks, removed, isRestamped }: PlannedChange): boolean {
  if (removed.length > 0 || (isRestamped && chunks.length > 0)) return true;
  return chunks.some(({ chunk, id }) => !id || !isSamePosition(chunk, id.facts));
}

interface DocumentFacts {
  readonly id: number;
  readonly stamp: string | null;
  readonly facts: Uint8Array;
}

async function readDocuments(
  { executor, dialect, tables, space }: SpacePlace,
  refs: readonly DocumentRef[],
): Promise<ReadonlyMap<string, DocumentFacts>> {
  const given = givenRows(
    dialect,
    { name: 'text' },
    refs.map((ref) => [hashOf(documentKey(ref))]),
  );
  const rows = await executor.query<
    DocumentFacts & { readonly novel: string; readonly path: string }
  >(
    `SELECT d.id, d.novel, d.path, d.stamp, d.facts FROM ${given.sql} CROSS JOIN ${tables.document} d
     WHERE d.space = ? AND d.name = given.name`,
    [...given.params, space],
  );
  const found = new Map<string, DocumentFacts>();
  for (const { novel, path, ...row } of rows) {
    found.set(documentKey({ novelId: fromSql(novel), filePath: fromSql(path) }), row);
  }
  return found;
}
