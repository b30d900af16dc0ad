import type { SqlExecutor } from '../../storage/database.ts';
import { sqlArray } from '../../storage/sql-statements.ts';
import type { SegmentTables } from './segment-tables.ts';

/** A segment as its row has it. */
export interface SegmentRow {
  readonly no: number;
  readonly age: number;
  readonly base: number;
  readonly docs: number;
  readonly words: number;
}

/** Rows that were removed, with the age of the newest segment at that time. */
export type GoneRows = ReadonlyMap<number, number>;

/** Returns the segments, the oldest first. */
export function segmentsOf(
  tx: SqlExecutor,
  { segment }: SegmentTables,
): Promise<readonly SegmentRow[]> {
  return tx.query<SegmentRow>(`SELECT no, age, base, docs, words FROM ${segment} ORDER BY age, no`);
}

/** Adds a segment without terms and returns its number, which is its age. */
export async function addSegment(
  tx: SqlExecutor,
  { segment, numbers }: SegmentTables,
  { base, docs, words }: Omit<SegmentRow, 'no' | 'age'>,
): Promise<number> {
  const [row] = await tx.query<{ no: number }>(
    `INSERT INTO ${segment} SELECT no, no, ?, ?, ?
     FROM (SELECT nextval('${numbers}') AS no) AS next RETURNING no`,
    [base, docs, words],
  );
  return row?.no ?? 0;
}

/** Removes segments with their postings. */
export async function removeSegments(
  tx: SqlExecutor,
  { page, block, segment }: SegmentTables,
  numbers: readonly number[],
): Promise<void> {
  const all = sqlArray(numbers);
  await tx.execute(`DELETE FROM ${page} WHERE segment = ANY(CAST(? AS BIGINT[]))`, [all]);
  await tx.execute(`DELETE FROM ${block} WHERE segment = ANY(CAST(? AS BIGINT[]))`, [all]);
  await tx.execute(`DELETE FROM ${segment} WHERE no = ANY(CAST(? AS BIGINT[]))`, [all]);
}
