import type { SqlExecutor } from '../../storage/database.ts';
import { sqlArray } from '../../storage/sql-statements.ts';
import { numbersOf } from '../index-tables.ts';
import { ByteWriter } from './byte-writer.ts';
import { MergedTerm, TermCursor, TermStream } from './merged-term.ts';
import { decodePlaces, joinEntries, type PostingEntry } from './posting-entry.ts';
import { EVERY_ROW } from './row-terms.ts';
import { type GoneRows, removeSegments, type SegmentRow, segmentsOf } from './segment-rows.ts';
import { mayStep, type SegmentTables } from './segment-tables.ts';
import { isSmall, SegmentWriter } from './segment-writer.ts';
import { compareTerms } from './term-order.ts';

/** How much is merged. */
export interface MergeSize {
  /** The number of segments of one size that are merged into one of the next. */
  readonly segments: number;
  /** A step of a merge ends when it has written this many bytes. */
  readonly bytes: number;
}

/** How much is merged unless said otherwise. */
export const MERGE_SIZE: MergeSize = { segments: 8, bytes: 2 << 20 };

/** A merge that is in progress. No query sees the new segment before the merge ends. */
interface Merge {
  /** The number of the new segment. */
  readonly no: number;
  /** The numbers of the segments that it merges, joined by commas. */
  readonly segments: string;
  /** The term that the last step ended with. */
  readonly last: string;
  /** How many rows and terms are gone. */
  readonly docs: number;
  readonly words: number;
}

/** Segments to merge. */
interface Task {
  /** The merge that former steps began. */
  readonly merge?: Merge;
  readonly segments: readonly SegmentRow[];
}

/**
 * Merges the oldest segments of a size that has many, by one step. Small segments come first, also while large ones are
 * being merged, so that searches never read many of them. A role that may not write which merges are in progress
 * merges in one step, as former versions did.
 *
 * @returns False if there was nothing to merge.
 */
export async function mergeStep(
  tx: SqlExecutor,
  tables: SegmentTables,
  size: MergeSize = MERGE_SIZE,
): Promise<boolean> {
  // Reading them first waits for a process that creates the tables again.
  const all = await segmentsOf(tx, tables);
  const hasSteps = await mayStep(tx, tables);
  const task = await nextTask(tx, tables, { all, hasSteps, many: size.segments });
  if (!task) return false;
  const { merge, segments } = task;
  const no = merge?.no ?? (await nextNumber(tx, tables));
  const step = await mergeTerms(tx, tables, {
    segments,
    into: no,
    gone: await goneOf(tx, tables),
    after: merge?.last,
    bytes: hasSteps ? size.bytes : Infinity,
  });
  const docs = (merge?.docs ?? 0) + step.lost.docs;
  const words = (merge?.words ?? 0) + step.lost.words;
  if (step.last === undefined) {
    await endMerge(tx, tables, { no, segments, lost: { docs, words } });
    if (merge) await tx.execute(`DELETE FROM ${tables.merge} WHERE no = ?`, [no]);
  } else {
    await tx.execute(
      `INSERT INTO ${tables.merge} (no, segments, last, docs, words) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (no) DO UPDATE SET last = excluded.last, docs = excluded.docs, words = excluded.words`,
      [no, segments.map((segment) => segment.no).join(','), step.last, docs, words],
    );
  }
  return true;
}

/** Merges all segments of each base, without rows that are gone. */
export async function mergeAll(
  tx: SqlExecutor,
  tables: SegmentTables,
  gone: GoneRows,
): Promise<void> {
  const all = await segmentsOf(tx, tables);
  const known = sqlArray(all.map(({ no }) => no));
  // Merges in progress have written postings of segments that do not exist yet.
  for (const table of [tables.page, tables.block]) {
    await tx.execute(`DELETE FROM ${table} WHERE segment <> ALL(CAST(? AS BIGINT[]))`, [known]);
  }
  if (await mayStep(tx, tables)) await tx.execute(`DELETE FROM ${tables.merge}`);
  const bases = new Map<number, SegmentRow[]>();
  for (const segment of all) {
    bases.set(segment.base, [...(bases.get(segment.base) ?? []), segment]);
  }
  for (const segments of bases.values()) {
    if (segments.length === 1 && gone.size === 0) continue;
    const no = await nextNumber(tx, tables);
    const { lost } = await mergeTerms(tx, tables, { segments, into: no, gone, bytes: Infinity });
    await endMerge(tx, tables, { no, segments, lost });
  }
}

/** Returns which rows are gone. */
async function goneOf(tx: SqlExecutor, { gone }: SegmentTables): Promise<GoneRows> {
  return goneMap(await tx.query<{ id: number; age: number }>(`SELECT id, age FROM ${gone}`));
}

/** Returns rows that are gone by their numbers, each with its highest age. */
export function goneMap(rows: readonly { readonly id: number; readonly age: number }[]): GoneRows {
  const gone = new Map<number, number>();
  for (const { id, age } of rows) gone.set(id, Math.max(age, gone.get(id) ?? -1));
  return gone;
}

function mergesOf(tx: SqlExecutor, { merge }: SegmentTables): Promise<readonly Merge[]> {
  return tx.query<Merge>(`SELECT no, segments, last, docs, words FROM ${merge} ORDER BY no`);
}

/** The segments to choose from. */
interface MergeChoice {
  readonly all: readonly SegmentRow[];
  /** Merges may be in progress. */
  readonly hasSteps: boolean;
  /** The number of segments of one size that are merged. */
  readonly many: number;
}

/** Returns the merge of the smallest segments. */
async function nextTask(
  tx: SqlExecutor,
  tables: SegmentTables,
  { all, hasSteps, many }: MergeChoice,
): Promise<Task | undefined> {
  const segments = new Map(all.map((segment) => [segment.no, segment]));
  const tasks: Task[] = [];
  for (const merge of hasSteps ? await mergesOf(tx, tables) : []) {
    const numbers = numbersOf(merge.segments);
    const own = numbers.flatMap((no) => segments.get(no) ?? []);
    // A process of a former version merges segments without this table.
    if (own.length < numbers.length) await dropMerge(tx, tables, merge.no);
    else {
      tasks.push({ merge, segments: own });
      for (const no of numbers) segments.delete(no);
    }
  }
  const sizes = new Map<string, SegmentRow[]>();
  for (const segment of segments.values()) {
    const size = Math.floor(Math.log(Math.max(1, segment.words)) / Math.log(many));
    const key = `${segment.base} ${size}`;
    sizes.set(key, [...(sizes.get(key) ?? []), segment]);
  }
  for (const some of sizes.values()) {
    if (some.length >= many) tasks.push({ segments: some.slice(0, many) });
  }
  const [first] = tasks.toSorted((a, b) => wordsOf(a.segments) - wordsOf(b.segments));
  return first;
}

function wordsOf(segments: readonly SegmentRow[]): number {
  return segments.reduce((sum, { words }) => sum + words, 0);
}

/** Returns a number for a new segment. */
async function nextNumber(tx: SqlExecutor, { numbers }: SegmentTables): Promise<number> {
  const [row] = await tx.query<{ no: number }>(`SELECT nextval('${numbers}') AS no`);
  return row?.no ?? 0;
}

/** A merge that has written all terms. */
interface EndedMerge {
  readonly no: number;
  readonly segments: readonly SegmentRow[];
  readonly lost: { readonly docs: number; readonly words: number };
}

/** Replaces the segments that were merged by the new one. */
async function endMerge(
  tx: SqlExecutor,
  tables: SegmentTables,
  { no, segments, lost }: EndedMerge,
): Promise<void> {
  const age = Math.max(...segments.map((segment) => segment.age));
  const docs = segments.reduce((sum, segment) => sum + segment.docs, -lost.docs);
  const words = wordsOf(segments) - lost.words;
  const old = segments.map((segment) => segment.no);
  await removeSegments(tx, tables, docs > 0 ? old : [...old, no]);
  if (docs > 0) {
    await tx.execute(
      `INSERT INTO ${tables.segment} (no, age, base, docs, words) VALUES (?, ?, ?, ?, ?)`,
      [no, age, segments[0]?.base ?? 0, docs, words],
    );
  }
}

/** Removes what a merge has written so far. */
async function dropMerge(tx: SqlExecutor, tables: SegmentTables, no: number): Promise<void> {
  await removeSegments(tx, tables, [no]);
  await tx.execute(`DELETE FROM ${tables.merge} WHERE no = ?`, [no]);
}

/** The rows that a merge reads, and the segment that it writes. */
interface MergeTask {
  /** Segments of one base. */
  readonly segments: readonly SegmentRow[];
  /** The number of the new segment. */
  readonly into: number;
  /** Rows to leave out. */
  readonly gone: GoneRows;
  /** The term that a former step ended with. */
  readonly after?: string | undefined;
  /** The step ends after a term when it has written this many bytes. */
  readonly bytes: number;
}

/** The result of a step. */
interface MergeStep {
  /** The last term. Nothing: there are no more terms. */
  readonly last: string | undefined;
  /** How many rows and terms of the segments are gone, as far as this step saw it. */
  readonly lost: { readonly docs: number; readonly words: number };
}

/**
 * Merges terms of segments, without rows that are gone. A term that no other row has goes with them. It holds a few hundred
 * rows of each segment in memory, however many rows a term has.
 */
async function mergeTerms(
  tx: SqlExecutor,
  tables: SegmentTables,
  { segments, into, gone, after, bytes }: MergeTask,
): Promise<MergeStep> {
  const writer = new SegmentWriter(tx, tables, into);
  const cursors = segments.map(({ no }) => new TermCursor(tx, tables, no, after));
  const goneIn = segments.map(({ age, base }) => {
    return gone.size === 0 ? undefined : (row: number) => (gone.get(row + base) ?? -1) >= age;
  });
  const scratch = { rows: new ByteWriter(), places: new ByteWriter() };
  let lost = { docs: 0, words: 0 };
  let last = after;
  for (;;) {
    for (const cursor of cursors) if (cursor.isBehind) await cursor.read();
    const term = lowestOf(cursors);
    if (term === undefined || writer.bytes >= bytes) {
      await writer.end();
      return { last: term === undefined ? undefined : last, lost };
    }
    last = term;
    const entries: PostingEntry[] = [];
    const streams: TermStream[] = [];
    for (const [at, cursor] of cursors.entries()) {
      const entry = cursor.take(term);
      if (!entry) continue;
      entries.push(entry);
      streams.push(new TermStream(cursor, term, entry, goneIn[at]));
    }
    const joined =
      gone.size === 0 && entries.every(isSmall) ? joinEntries(entries, scratch) : undefined;
    if (joined && isSmall(joined)) writer.addSmall(term, joined);
    else {
      await new MergedTerm(writer, term).addAll(streams);
      if (term === EVERY_ROW) lost = lostOf(streams);
    }
    if (writer.isFull) await writer.flush();
  }
}

function lowestOf(cursors: readonly TermCursor[]): string | undefined {
  let lowest: string | undefined;
  for (const { term } of cursors) {
    if (term === undefined) continue;
    if (lowest === undefined || compareTerms(term, lowest) < 0) lowest = term;
  }
  return lowest;
}

function lostOf(streams: readonly TermStream[]): MergeStep['lost'] {
  let docs = 0;
  let words = 0;
  for (const { lost } of streams) {
    docs += lost.length;
    for (const places of lost) words += decodePlaces(places)[0] ?? 0;
  }
  return { docs, words };
}
