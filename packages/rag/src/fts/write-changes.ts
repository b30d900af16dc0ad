import type { SqlExecutor } from '@vizprompt/providers';
import { planUpdate, type DocumentChange, type UpdatePlan } from '../contract/document-change.ts';
import type { DocumentRef, UpdateReport } from '../contract/search-backend.ts';
import type { Chunk } from '../chunk/chunk.ts';
import { ChunkWriter } from './chunk-writer.ts';
import type { FtsTables } from './fts-tables.ts';
import { toSql } from './sql-text.ts';
import { chunksOfDocument, type StoredChunk } from './stored-rows.ts';
import { TermCounts } from './term-counts.ts';
import type { TermMemory } from './term-memory.ts';

interface PlannedChange extends UpdatePlan<StoredChunk> {
  readonly ref: DocumentRef;
  /** The row of the document, if it has one. */
  readonly document: number | undefined;
}

/** Finds out what changes do, without doing it. */
export async function planChanges(
  executor: SqlExecutor,
  tables: FtsTables,
  changes: readonly DocumentChange[],
): Promise<readonly PlannedChange[]> {
  const plans: PlannedChange[] = [];
  for (const change of changes) {
    const { novelId, filePath } = change;
    const [row] = await executor.query<{ id: number }>(
      `SELECT id FROM ${tables.document} WHERE novel = ? AND path = ?`,
      [toSql(novelId), toSql(filePath)],
    );
    const stored = row ? await chunksOfDocument(executor, tables, row.id) : [];
    const known = stored.map((one) => ({ chunk: one.chunk, id: one }));
    plans.push({ ...planUpdate(known, change), ref: { novelId, filePath }, document: row?.id });
  }
  return plans;
}

/** Does what was planned; in a transaction. */
export async function writePlans(
  executor: SqlExecutor,
  tables: FtsTables,
  plans: readonly PlannedChange[],
  memory: TermMemory,
  readingsOf: (term: string) => readonly string[],
): Promise<UpdateReport> {
  const sum = (of: (plan: PlannedChange) => number): number =>
    plans.reduce((total, plan) => total + of(plan), 0);
  const report = {
    added: sum(({ added }) => added),
    removed: sum(({ removed }) => removed.length),
    kept: sum(({ kept }) => kept),
  };
  const changed = plans.filter(isChange);
  if (changed.length === 0) return report;
  const counts = new TermCounts(executor, tables, readingsOf);
  const fresh = changed.flatMap(({ chunks }) =>
    chunks.flatMap(({ chunk, id }) => (id ? [] : [memory.termsOf(chunk)])),
  );
  if (fresh.length > 0) await counts.number(fresh);
  const writer = new ChunkWriter(executor, tables, counts, memory);
  for (const { removed } of changed) {
    for (const { id } of removed) await writer.remove(id);
  }
  const revision = await nextRevision(executor, tables);
  for (const plan of changed) {
    const document = await putDocument(executor, tables, plan, revision);
    for (const { chunk, id } of plan.chunks) {
      if (!id) await writer.add(document, chunk);
      else if (isMoved(chunk, id.chunk)) await writer.move(id.id, chunk);
    }
  }
  await counts.write();
  return report;
}

function isChange({ chunks, removed }: PlannedChange): boolean {
  return removed.length > 0 || chunks.some(({ chunk, id }) => !id || isMoved(chunk, id.chunk));
}

function isMoved(a: Chunk, b: Chunk): boolean {
  return a.startLine !== b.startLine || a.endLine !== b.endLine || a.chunkIndex !== b.chunkIndex;
}

async function nextRevision(executor: SqlExecutor, { state }: FtsTables): Promise<number> {
  const [row] = await executor.query<{ revision: number }>(
    `UPDATE ${state} SET revision = revision + 1 RETURNING revision`,
  );
  return row?.revision ?? 0;
}

async function putDocument(
  executor: SqlExecutor,
  tables: FtsTables,
  { ref, chunks, document }: PlannedChange,
  revision: number,
): Promise<number> {
  const names = [toSql(ref.novelId), toSql(ref.filePath)];
  if (chunks.length === 0) {
    await executor.execute(`DELETE FROM ${tables.document} WHERE novel = ? AND path = ?`, names);
    return document ?? 0;
  }
  const [row] = await executor.query<{ id: number }>(
    `INSERT INTO ${tables.document} (novel, path, revision) VALUES (?, ?, ?)
     ON CONFLICT (novel, path) DO UPDATE SET revision = excluded.revision RETURNING id`,
    [...names, revision],
  );
  return row?.id ?? 0;
}
