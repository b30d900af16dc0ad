import { poll } from '../../concurrency/backoff.ts';
import type { Database, SqlExecutor } from '../../storage/database.ts';
import { StorageError } from '../../storage/storage-error.ts';
import { DERIVED_PREFIX } from '../../storage/table-info.ts';
import { gatherTerms } from './gather-terms.ts';
import { goneMap, MERGE_SIZE, mergeAll, type MergeSize, mergeStep } from './merge-steps.ts';
import type { FreshRow } from './row-terms.ts';
import { addSegment } from './segment-rows.ts';
import { FRESH_SUFFIX, type SegmentTables, segmentTables } from './segment-tables.ts';
import { SegmentWriter } from './segment-writer.ts';
import { orderOfTerms } from './term-order.ts';

/** From this number of rows, or bytes of their terms, on fresh rows go to a segment. */
export const FRESH = { rows: 1024, bytes: 1_048_576 } as const;
/** The most fresh rows, or bytes, that go to one segment. */
const SETTLED = { rows: 16_384, bytes: 8_388_608 } as const;
/**
 * A writer merges by at most this many steps, or by as many as write what it has moved this many times: as often is a
 * row merged in an index of some gigabytes, so merges do not fall behind a bulk load.
 */
const MERGED = { steps: 3, times: 4 } as const;
/**
 * All segments are written again when more rows are gone than this number, and than this share of all rows. Each search
 * reads which rows are gone: about 1 ms for a thousand.
 */
const GONE = { rows: 1024, share: 1 / 32 } as const;
/** Postings hold numbers below this, counted from the base of their segment. */
const SPAN = 2 ** 31;

/** How long writers of an index are waited for, in milliseconds. */
const SWEEP_TIMEOUT_MS = 30_000;

const READ_COMMITTED = { isolation: 'read-committed' } as const;

/** How many fresh rows there are, and rows that are gone. */
export interface Backlog {
  readonly fresh: number;
  readonly bytes: number;
  readonly gone: number;
}

/** Returns the backlog of an index. */
export async function backlogOf(executor: SqlExecutor, tables: SegmentTables): Promise<Backlog> {
  const [row] = await executor.query<{ fresh: number; bytes: number | null; gone: number }>(
    `SELECT count(*) AS fresh, sum(octet_length(terms)) AS bytes,
       (SELECT count(*) FROM ${tables.gone}) AS gone FROM ${tables.fresh}`,
  );
  return { fresh: row?.fresh ?? 0, bytes: row?.bytes ?? 0, gone: row?.gone ?? 0 };
}

/**
 * Moves fresh rows to segments where there are many, and merges segments of one size, of which large ones take several
 * calls. One process works at a time; the others return at once.
 *
 * @param least - The number of fresh rows, or of their bytes, from which they are moved.
 */
export async function settleSegments(
  database: Database,
  tables: SegmentTables,
  least: { readonly rows: number; readonly bytes: number } = FRESH,
  size: MergeSize = MERGE_SIZE,
): Promise<void> {
  const moved = await moveFresh(database, tables, least);
  if (!moved) return;
  const { gone, bytes } = moved;
  const write = (work: (tx: SqlExecutor) => Promise<boolean>): Promise<boolean> =>
    exclusively(database, tables, (tx) => alone(tx, tables, work));
  const isMany = gone > GONE.rows && gone > (await docsOf(database, tables)) * GONE.share;
  if (isMany && (await write((tx) => sweep(tx, tables)))) return;
  const steps = Math.max(MERGED.steps, Math.ceil((MERGED.times * bytes) / size.bytes));
  const step = (tx: SqlExecutor): Promise<boolean> => mergeStep(tx, tables, size);
  for (let done = 0; done < steps && (await write(step)); done++);
}

/**
 * Moves fresh rows to segments where there are many.
 *
 * @param least - The number of fresh rows, or of their bytes, from which they are moved.
 * @returns The number of rows that are gone, and of bytes that were moved. None: another process is writing segments.
 */
export async function moveFresh(
  database: Database,
  tables: SegmentTables,
  least: { readonly rows: number; readonly bytes: number } = FRESH,
): Promise<{ readonly gone: number; readonly bytes: number } | undefined> {
  let moved = 0;
  for (;;) {
    const { fresh, bytes, gone } = await backlogOf(database, tables);
    if (fresh < least.rows && bytes < least.bytes) return { gone, bytes: moved };
    if (!(await exclusively(database, tables, (tx) => settleFresh(tx, tables)))) return undefined;
    moved += Math.min(bytes, SETTLED.bytes);
  }
}

/**
 * Moves all fresh rows to segments and merges these into one, without a trace of rows that are gone.
 *
 * @throws StorageError with the code `busy` if other transactions write to the index for too long.
 */
export async function sweepSegments(database: Database, tables: SegmentTables): Promise<void> {
  const attempt = (): Promise<true | undefined> =>
    database.transaction(async (tx) => {
      const [row] = await tx.query<{ held: number }>(
        `SELECT pg_try_advisory_xact_lock(${lockKey(tables)})
           AND pg_try_advisory_xact_lock(${removalKey(tables)}) AS held`,
      );
      if (row?.held !== 1) return undefined;
      while (await settleFresh(tx, tables));
      await sweep(tx, tables);
      return true;
    }, READ_COMMITTED);
  if (await poll(attempt, { timeoutMs: SWEEP_TIMEOUT_MS })) return;
  throw new StorageError(
    'busy',
    `cannot write the text index in ${tables.fresh} again: other transactions have been writing to it for more than ` +
      `${SWEEP_TIMEOUT_MS} ms. End them, then try again`,
    { context: { table: tables.fresh } },
  );
}

/** The key of the lock of those that write segments. */
function lockKey({ segment }: SegmentTables): string {
  return `hashtextextended(current_schema() || '.${segment}', 0)`;
}

/**
 * Returns the key of the lock that removing rows shares. A merge holds it alone: a removal that it does not
 * see yet would be of older segments than the merged one.
 */
export function removalKey({ gone }: SegmentTables): string {
  return `hashtextextended(current_schema() || '.${gone}', 0)`;
}

/** @returns True if there was something to do, and no other process is doing it. */
async function exclusively(
  database: Database,
  tables: SegmentTables,
  work: (tx: SqlExecutor) => Promise<boolean>,
): Promise<boolean> {
  return database.transaction(async (tx) => {
    const [row] = await tx.query<{ held: number }>(
      `SELECT pg_try_advisory_xact_lock(${lockKey(tables)}) AS held`,
    );
    return row?.held === 1 && (await work(tx));
  }, READ_COMMITTED);
}

/** @returns True if there was something to do, and no rows are being removed. */
async function alone(
  tx: SqlExecutor,
  tables: SegmentTables,
  work: (tx: SqlExecutor) => Promise<boolean>,
): Promise<boolean> {
  const [row] = await tx.query<{ held: number }>(
    `SELECT pg_try_advisory_xact_lock(${removalKey(tables)}) AS held`,
  );
  return row?.held === 1 && (await work(tx));
}

async function docsOf(executor: SqlExecutor, { segment }: SegmentTables): Promise<number> {
  const [row] = await executor.query<{ docs: number | null }>(
    `SELECT sum(docs) AS docs FROM ${segment}`,
  );
  return row?.docs ?? 0;
}

/** Moves fresh rows to segments. It skips rows that another transaction replaces or removes, as that may wait for it. */
async function settleFresh(tx: SqlExecutor, tables: SegmentTables): Promise<boolean> {
  const rows = await tx.query<FreshRow>(
    `DELETE FROM ${tables.fresh} WHERE ctid = ANY(ARRAY(
       SELECT place FROM (
         SELECT place, sum(size) OVER (ORDER BY id, place) - size AS skipped FROM (
           SELECT ctid AS place, id, octet_length(terms) AS size FROM ${tables.fresh}
           ORDER BY id LIMIT ${SETTLED.rows} FOR UPDATE SKIP LOCKED
         ) AS oldest
       ) AS chosen WHERE skipped < ${SETTLED.bytes}
     )) RETURNING id, terms`,
  );
  rows.sort((a, b) => a.id - b.id);
  for (let at = 0; at < rows.length;) {
    const base = Math.floor((rows[at]?.id ?? 0) / SPAN) * SPAN;
    const end = rows.findIndex(({ id }) => id >= base + SPAN);
    const some = rows.slice(at, end < 0 ? rows.length : end);
    await writeSegment(tx, tables, base, some);
    at += some.length;
  }
  return rows.length > 0;
}

async function writeSegment(
  tx: SqlExecutor,
  tables: SegmentTables,
  base: number,
  rows: readonly FreshRow[],
): Promise<void> {
  const { words, terms, rowsOf } = gatherTerms(rows, base);
  const no = await addSegment(tx, tables, { base, docs: rows.length, words });
  const writer = new SegmentWriter(tx, tables, no);
  for (const number of orderOfTerms(terms)) {
    writer.add(terms[number] ?? '', rowsOf(number));
    if (writer.isFull) await writer.flush();
  }
  await writer.end();
}

/** Merges all segments of each base, and forgets which rows are gone: none of them has one now. */
async function sweep(tx: SqlExecutor, tables: SegmentTables): Promise<boolean> {
  const gone = await tx.query<{ id: number; age: number }>(
    `DELETE FROM ${tables.gone} RETURNING id, age`,
  );
  await mergeAll(tx, tables, goneMap(gone));
  return true;
}

/** Writes the segments of all text indexes of a database again that hold terms of rows which are gone. */
export async function sweepTextIndexes(database: Database): Promise<void> {
  const rows = await database.query<{ name: string }>(
    `SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema()
     AND left(tablename, ${DERIVED_PREFIX.length}) = ? ORDER BY tablename`,
    [DERIVED_PREFIX],
  );
  const names = new Set(rows.map(({ name }) => name));
  for (const name of names) {
    if (!name.endsWith(FRESH_SUFFIX)) continue;
    const tables = segmentTables(name.slice(0, -FRESH_SUFFIX.length));
    const { segment, page, block, gone } = tables;
    if (![segment, page, block, gone].every((table) => names.has(table))) continue;
    if ((await backlogOf(database, tables)).gone > 0) await sweepSegments(database, tables);
  }
}
