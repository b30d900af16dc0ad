import type { SqlExecutor, Database } from '@vizprompt/providers';
import { planUpdate, type DocumentChange, type UpdatePlan } from '../contract/document-change.ts';
import type { DocumentRef, UpdateReport } from '../contract/search-backend.ts';
import { type Chunk, type ChunkPosition, isSamePosition } from '../chunk/chunk.ts';
import { toSql } from '../sql/sql-text.ts';
import type { FtsTables } from './fts-tables.ts';
import {
  chunksOfDocument,
  type StoredChunk,
  chunkJson,
  documentsSince,
  readState,
} from './stored-rows.ts';
import { TermMemory } from '../analyze/analyze-chunk.ts';
import { TermCounts } from './term-counts.ts';
import { writeWords } from './word-bytes.ts';
import type { Analyzer } from '../analyze/analyzer.ts';

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
      else if (!isSamePosition(chunk, id.chunk)) await writer.move(id.id, chunk);
    }
  }
  await counts.write();
  return report;
}

function isChange({ chunks, removed }: PlannedChange): boolean {
  return (
    removed.length > 0 || chunks.some(({ chunk, id }) => !id || !isSamePosition(chunk, id.chunk))
  );
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

/** Writes the rows of chunks. */
class ChunkWriter {
  readonly #executor: SqlExecutor;
  readonly #tables: FtsTables;
  readonly #counts: TermCounts;
  readonly #memory: TermMemory;
  /** Used again, so that the numbers stay dense. */
  readonly #free: number[] = [];
  #next: number | undefined;

  constructor(executor: SqlExecutor, tables: FtsTables, counts: TermCounts, memory: TermMemory) {
    this.#executor = executor;
    this.#tables = tables;
    this.#counts = counts;
    this.#memory = memory;
  }

  async remove({ id, chunk, words }: StoredChunk): Promise<void> {
    const { fts, chunk: facts, text } = this.#tables;
    this.#counts.remove(chunk.own, words);
    await this.#executor.execute(`DELETE FROM ${fts} WHERE rowid = ?`, [id]);
    for (const table of [facts, text]) {
      await this.#executor.execute(`DELETE FROM ${table} WHERE id = ?`, [id]);
    }
    this.#free.push(id);
  }

  async add(document: number, chunk: Chunk): Promise<void> {
    const { fts, chunk: facts, text } = this.#tables;
    const terms = this.#memory.termsOf(chunk);
    const number = (term: string, isTitle = false): number => this.#counts.numberOf(term, isTitle);
    const id = await this.#newId();
    this.#counts.add(chunk.own, terms);
    const line = [
      ...terms.words.flatMap((word) => word.terms.map((term) => number(term))),
      ...terms.titles.map((term) => number(term, true)),
    ].join(' ');
    await this.#executor.execute(`INSERT INTO ${fts} (rowid, terms) VALUES (?, ?)`, [id, line]);
    await this.#executor.execute(`INSERT INTO ${text} VALUES (?, ?, ?)`, [
      id,
      chunkJson(chunk),
      writeWords(terms, number),
    ]);
    await this.#executor.execute(`INSERT INTO ${facts} VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`, [
      id,
      document,
      chunk.chunkIndex,
      terms.words.length,
      chunk.own.length,
      JSON.stringify(chunk.tags),
      chunk.startLine,
      chunk.endLine,
      chunk.startColumn ?? null,
    ]);
  }

  async move(
    id: number,
    { chunkIndex, startLine, startColumn, endLine }: ChunkPosition,
  ): Promise<void> {
    await this.#executor.execute(
      `UPDATE ${this.#tables.chunk} SET place = ?, start_line = ?, end_line = ?, start_column = ? WHERE id = ?`,
      [chunkIndex, startLine, endLine, startColumn ?? null, id],
    );
  }

  async #newId(): Promise<number> {
    const free = this.#free.pop();
    if (free !== undefined) return free;
    if (this.#next === undefined) {
      const [row] = await this.#executor.query<{ last: number }>(
        `SELECT coalesce(max(id), 0) AS last FROM ${this.#tables.chunk}`,
      );
      this.#next = (row?.last ?? 0) + 1;
    }
    return this.#next++;
  }
}

/**
 * Analyzes an index of another analyzer again, in one transaction. The texts are in memory meanwhile.
 *
 * @returns The analyzer that it was of, if it was another.
 */
export async function rebuildIndex(
  database: Database,
  tables: FtsTables,
  analyzer: Analyzer,
): Promise<string | undefined> {
  const isOther = async (): Promise<boolean> =>
    (await readState(database, tables)).analyzer !== analyzer.id;
  if (!(await isOther())) return undefined;
  return database.transaction(async (tx) => {
    const { analyzer: before } = await readState(tx, tables);
    if (before === analyzer.id) return undefined;
    const changes: DocumentChange[] = [];
    for (const { id, novelId, filePath } of await documentsSince(tx, tables, -1)) {
      const chunks = (await chunksOfDocument(tx, tables, id)).map(({ chunk }) => chunk);
      changes.push({ novelId, filePath, chunks });
    }
    const { document, chunk, text, term, reading, bigram, fts } = tables;
    for (const table of [document, chunk, text, term, reading, bigram]) {
      await tx.execute(`DELETE FROM ${table}`);
    }
    await tx.execute(`INSERT INTO ${fts} (${fts}) VALUES ('delete-all')`);
    await tx.execute(`UPDATE ${tables.state} SET analyzer = ?, revision = revision + 1`, [
      analyzer.id,
    ]);
    const memory = new TermMemory(analyzer);
    const plans = await planChanges(tx, tables, changes);
    await writePlans(tx, tables, plans, memory, (basic) => analyzer.readings(basic));
    return before;
  });
}
