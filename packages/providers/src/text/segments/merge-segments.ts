import type { SqlExecutor } from '../../storage/database.ts';
import { ByteWriter } from './byte-writer.ts';
import { MergedTerm, TermStream } from './merged-term.ts';
import { decodePlaces, joinEntries, type PostingEntry } from './posting-entry.ts';
import { EVERY_ROW } from './row-terms.ts';
import type { GoneRows, SegmentRow } from './segment-rows.ts';
import type { SegmentTables } from './segment-tables.ts';
import { isSmall, SegmentWriter } from './segment-writer.ts';
import { TermCursor } from './term-cursor.ts';
import { compareTerms } from './term-order.ts';

/** The rows that a merge reads, and the segment that it writes. */
export interface MergeTask {
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
export interface MergeStep {
  /** The last term. Nothing: there are no more terms. */
  readonly last: string | undefined;
  /** How many rows and terms of the segments are gone, as far as this step saw it. */
  readonly lost: { readonly docs: number; readonly words: number };
}

/**
 * Merges terms of segments, without rows that are gone. A term that no other row has goes with them. It holds a few hundred
 * rows of each segment in memory, however many rows a term has.
 */
export async function mergeTerms(
  tx: SqlExecutor,
  tables: SegmentTables,
  { segments, into, gone, after, bytes }: MergeTask,
): Promise<MergeStep> {
  const writer = new SegmentWriter(tx, tables, into);
  const cursors = segments.map(({ no }) => new TermCursor(tx, tables, no, after));
  const goneOf = segments.map(({ age, base }) => {
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
      streams.push(new TermStream(cursor, term, entry, goneOf[at]));
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
