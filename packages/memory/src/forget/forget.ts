import { type Statement, StorageError } from '@vizprompt/providers';
import { FLAG, type Kinds, optional, TEXT } from '@vizprompt/providers/config/internal';
import { ERASED, Eraser, stringsIn } from '@vizprompt/providers/internal';
import { checkOptions } from '../check-values.ts';
import { MemoryError } from '../errors.ts';
import { isId } from '../model/ids-and-times.ts';
import type { MemoryEvent } from '../model/memory-event.ts';
import { removeSession } from '../session/change-session.ts';
import { HASH_COLUMNS, type Hashes, hashesOf, sweepAllBlobs, sweepBlobs } from '../store/blobs.ts';
import {
  eventNotFound,
  type EventRow,
  NO_DATA,
  readEventRows,
  SELECT_EVENTS,
  UNCLEARED,
} from '../store/event-rows.ts';
import type { MemoryContext } from '../store/memory-context.ts';
import { findSession, getSession, sessionNotFound } from '../store/session-rows.ts';
import { cleanCopies } from './clean-copies.ts';
import { cleanHookFiles } from './hook-files.ts';

/** The part to forget: one event, or all of a session. */
export type ForgetTarget = { readonly event: string } | { readonly session: string };

interface TargetParts {
  readonly event?: string | undefined;
  readonly session?: string | undefined;
}

/** Options of `forget` and `deleteSession`. */
export interface ForgetOptions {
  /**
   * True if the memory is rewritten at once, so that no byte of it remains. Takes time in proportion to the memory:
   * where much is forgotten, `false` but for the last, or `vacuum()` afterwards. Default: `true`.
   */
  readonly purge?: boolean | undefined;
}

export const FORGET_OPTIONS: Kinds<ForgetOptions> = { purge: optional(FLAG) };

/** The columns of an event that are needed to forget it. */
export type ForgetRow = Pick<EventRow, 'key' | 'id' | 'session_id' | keyof Hashes>;

const SELECT = SELECT_EVENTS;

const CLEAR = `UPDATE memory_events SET type = 'forgotten', ${NO_DATA}, meta = NULL, redactions = 0,
  file_path = NULL, ${HASH_COLUMNS.map((column) => `${column} = NULL`).join(', ')}, intention_event_id = NULL
  WHERE key = ?`;

/**
 * Takes the content of events away; what stays is an empty marker with id, time and place.
 *
 * @returns The events that had a content until now.
 */
export async function forget(
  context: MemoryContext,
  target: ForgetTarget,
  options: ForgetOptions = {},
): Promise<readonly { readonly id: string; readonly session_id: string }[]> {
  assertTarget(target);
  checkOptions('forget', options, FORGET_OPTIONS);
  const { database, tenant, events } = context;
  const rows =
    'event' in target
      ? await database.query<EventRow>(`${SELECT} WHERE e.tenant = ? AND e.id = ?`, [
          tenant,
          target.event,
        ])
      : await rowsOfSession(context, target.session);
  if ('event' in target && rows.length === 0) throw eventNotFound(target.event);
  const full = rows.filter(({ type }) => type !== 'forgotten');
  // First what is found by the words of the events, as long as they are known.
  if (full.length > 0) await forgetCopies(context, full);
  const more = 'session' in target ? [await clearMetadata(context, target.session)] : [];
  await forgetRows(context, full, more);
  for (const { id, session_id } of full) events.emit('event:forgotten', { id, session_id });
  if (options.purge !== false) await purge(context);
  return full.map(({ id, session_id }) => ({ id, session_id }));
}

/** A session of a transcript gets a mark that stays when the transcript, with its title, is read again. */
async function clearMetadata(context: MemoryContext, id: string): Promise<Statement> {
  const { metadata } = await getSession(context, id);
  const cleared = 'source_id' in metadata ? { title: ERASED } : {};
  return {
    sql: 'UPDATE memory_sessions SET metadata = ? WHERE tenant = ? AND id = ?',
    params: [JSON.stringify(cleared), context.tenant, id],
  };
}

/** Leaves empty markers of events, and nothing of their words, contents and vectors. */
export async function forgetRows(
  context: MemoryContext,
  rows: readonly ForgetRow[],
  more: readonly Statement[] = [],
): Promise<void> {
  await context.database.batch([...rows.flatMap(({ key }) => clearEvent(context, key)), ...more]);
  await context.settler.settle();
  await sweepBlobs(context, rows.flatMap(hashesOf));
  await context.vectors?.remove(rows);
}

/** Removes the copies of events from the other events, the sessions and the files of hooks. */
async function forgetCopies(context: MemoryContext, rows: readonly EventRow[]): Promise<void> {
  const eraser = await eraserOf(context, rows);
  await cleanHookFiles(context.file, () => eraser);
  await cleanCopies(context, eraser, new Set(rows.map((row) => row.session_id)));
}

/** Knows all that was said in some events, so that copies of it can be found. */
async function eraserOf(
  { database, tenant }: MemoryContext,
  rows: readonly EventRow[],
): Promise<Eraser> {
  const eraser = new Eraser('');
  // A damaged event is forgotten, too; what it said cannot be learnt.
  const { events } = await readEventRows(database, tenant, rows);
  for (const event of events) {
    for (const text of event ? textsOfEvent(event) : []) eraser.learn(text);
  }
  return eraser;
}

/** Returns what an event holds as text; what recorders say of it, such as times, is not among it. */
export function textsOfEvent({ data }: MemoryEvent): readonly string[] {
  return stringsIn({ ...data });
}

/** A target that names nothing, or two things, must not be taken for a session or an event. */
function assertTarget(target: ForgetTarget): void {
  checkOptions<TargetParts>('forget', target, { event: optional(TEXT), session: optional(TEXT) });
  const given: readonly unknown[] = Object.values(target);
  if (given.length === 1 && isId(given[0])) return;
  throw new MemoryError(
    'invalid-input',
    "forget takes either the id of an 'event' or of a 'session'",
  );
}

/** Returns the statements that leave an empty marker of an event, without a word in the index. */
function clearEvent({ index }: MemoryContext, key: number): readonly Statement[] {
  return [{ sql: CLEAR, params: [key] }, ...index.put({ id: key, fields: {} })];
}

async function rowsOfSession(context: MemoryContext, id: string): Promise<readonly EventRow[]> {
  const session = await findSession(context, context.database, id);
  if (!session) throw sessionNotFound(id);
  return context.database.query<EventRow>(`${SELECT} WHERE e.session_key = ? ORDER BY e.sequence`, [
    session.key,
  ]);
}

/** Deletes a session with its events, and leaves no byte of them. */
export async function deleteSession(
  context: MemoryContext,
  id: string,
  options: ForgetOptions,
): Promise<void> {
  checkOptions('deleteSession', options, FORGET_OPTIONS);
  // First what is found by the words of the events, as long as they are known.
  await forgetCopies(context, await rowsOfSession(context, id));
  await removeSession(context, id);
  context.events.emit('session:deleted', { id });
  if (options.purge !== false) await purge(context);
}

/**
 * Leaves no byte of what was deleted, forgotten or replaced: in the database, its text index, its free pages, its
 * write-ahead log and backups of migrations, in vectors, and in contents that a killed process has left. The files
 * of hooks have functions of their own, in `hook-files.ts`.
 *
 * @throws StorageError `busy` if another process reads all the time.
 */
export async function purge(
  context: Pick<MemoryContext, 'database' | 'tenant' | 'vectors'>,
): Promise<void> {
  const { database, vectors } = context;
  if (!database.purge) {
    throw new StorageError(
      'unsupported',
      "cannot purge the database of the memory: no method 'purge'. The data is deleted, but its bytes may remain",
    );
  }
  await database.execute(`UPDATE memory_events SET ${NO_DATA} WHERE ${UNCLEARED}`);
  await sweepAllBlobs(context);
  await database.purge();
  await vectors?.purge();
}
