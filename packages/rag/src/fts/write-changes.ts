import type { Database, SqlExecutor } from '@vizprompt/providers';
import type { Analyzer } from '../analyze/analyzer.ts';
import {
  bareTerm,
  type Chunk,
  type ChunkPosition,
  type ChunkTerms,
  isSamePosition,
  TermMemory,
  TITLE_PREFIX,
} from '../chunk/chunk.ts';
import { type DocumentChange, planUpdate, type UpdatePlan } from '../contract/document-change.ts';
import type { DocumentRef, UpdateReport } from '../contract/search-backend.ts';
import { bucketsOf } from '../segment/format/bigrams.ts';
import { fromSql, toSql } from '../sql/sql-text.ts';
import { type FtsTables, reversed } from './fts-tables.ts';
import {
  chunkJson,
  chunksOfDocument,
  documentsSince,
  readState,
  type StoredChunk,
} from './stored-rows.ts';
import { readWords, writeWords } from './word-bytes.ts';

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

/** Counts what comes and goes in one change, and then writes all of it at once. */
class TermCounts {
  readonly #executor: SqlExecutor;
  readonly #tables: FtsTables;
  readonly #readingsOf: (term: string) => readonly string[];
  readonly #numbers = new Map<string, number>();
  readonly #terms = new Map<number, number>();
  readonly #buckets = new Map<number, number>();

  /** @param readingsOf - The readings of a basic form, from the analyzer. */
  constructor(
    executor: SqlExecutor,
    tables: FtsTables,
    readingsOf: (term: string) => readonly string[],
  ) {
    this.#executor = executor;
    this.#tables = tables;
    this.#readingsOf = readingsOf;
  }

  /** Gives numbers to the terms of chunks that come. */
  async number(chunks: readonly ChunkTerms[]): Promise<void> {
    const { term } = this.#tables;
    const keys = [...new Set(chunks.flatMap((chunk) => keysOf(chunk)))];
    const rows = keys.map((key) => [toSql(key), toSql(reversed(key))]);
    const fresh = await this.#executor.query<{ id: number; key: string }>(
      `INSERT INTO ${term} (key, reversed, chunks)
       SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]'), 0 FROM json_each(?)
       WHERE true ON CONFLICT (key) DO NOTHING RETURNING id, key`,
      [JSON.stringify(rows)],
    );
    const all = await this.#executor.query<{ id: number; key: string }>(
      `SELECT id, key FROM ${term} WHERE key IN (SELECT value FROM json_each(?))`,
      [JSON.stringify(keys.map(toSql))],
    );
    for (const { id, key } of all) this.#numbers.set(fromSql(key), id);
    await this.#addReadings(fresh.map(({ id, key }) => [id, fromSql(key)] as const));
  }

  numberOf(term: string, isTitle = false): number {
    return this.#numbers.get(isTitle ? TITLE_PREFIX + term : term) ?? 0;
  }

  /** A chunk came. */
  add(text: string, terms: ChunkTerms): void {
    for (const key of new Set(keysOf(terms))) count(this.#terms, this.numberOf(key), 1);
    for (const bucket of bucketsOf(text)) count(this.#buckets, bucket, 1);
  }

  /** A chunk went. */
  remove(text: string, words: Uint8Array): void {
    const { words: body, titles } = readWords(words);
    const numbers = new Set([...body.flatMap(({ terms }) => terms), ...titles]);
    for (const number of numbers) count(this.#terms, number, -1);
    for (const bucket of bucketsOf(text)) count(this.#buckets, bucket, -1);
  }

  /** Writes the counts, and removes the terms that no chunk has any more. */
  async write(): Promise<void> {
    const { term, reading, bigram } = this.#tables;
    const changed = [...this.#terms].filter(([, change]) => change !== 0);
    await this.#executor.execute(
      `UPDATE ${term} SET chunks = chunks + change.by FROM (
         SELECT json_extract(value, '$[0]') AS id, json_extract(value, '$[1]') AS by
         FROM json_each(?)
       ) AS change WHERE ${term}.id = change.id`,
      [JSON.stringify(changed)],
    );
    const touched = JSON.stringify(changed.filter(([, by]) => by < 0).map(([id]) => id));
    const gone = `SELECT id FROM ${term}
      WHERE chunks = 0 AND id IN (SELECT value FROM json_each(?))`;
    await this.#executor.execute(`DELETE FROM ${reading} WHERE term IN (${gone})`, [touched]);
    await this.#executor.execute(`DELETE FROM ${term} WHERE id IN (${gone})`, [touched]);
    const buckets = [...this.#buckets].filter(([, change]) => change !== 0);
    await this.#executor.execute(
      `INSERT INTO ${bigram} (bucket, chunks)
       SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]') FROM json_each(?)
       WHERE true ON CONFLICT (bucket) DO UPDATE SET chunks = chunks + excluded.chunks`,
      [JSON.stringify(buckets)],
    );
  }

  async #addReadings(terms: readonly (readonly [id: number, term: string])[]): Promise<void> {
    const rows = terms.flatMap(([id, term]) =>
      this.#readingsOf(bareTerm(term)).map((reading) => [toSql(reading), id] as const),
    );
    await this.#executor.execute(
      `INSERT OR IGNORE INTO ${this.#tables.reading} (reading, term)
       SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]') FROM json_each(?)`,
      [JSON.stringify(rows)],
    );
  }
}

function keysOf({ words, titles }: ChunkTerms): readonly string[] {
  return [...words.flatMap(({ terms }) => terms), ...titles.map((term) => TITLE_PREFIX + term)];
}

function count(counts: Map<number, number>, key: number, by: 1 | -1): void {
  counts.set(key, (counts.get(key) ?? 0) + by);
}
