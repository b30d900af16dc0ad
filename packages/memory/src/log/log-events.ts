import { type Row, type Statement, StorageError } from '@vizprompt/providers';
import { FLAG, type Kinds, oneOf, optional, SIGNAL } from '@vizprompt/providers/config/internal';
import { inParts, type NewRow } from '@vizprompt/providers/internal';
import { checkOptions } from '../check-values.ts';
import { MemoryError } from '../errors.ts';
import { tagsOf, withContents } from '../indexing/indexed-event.ts';
import { isId } from '../model/ids-and-times.ts';
import {
  EVENT_FACTS,
  type EventFacts,
  type MemoryEvent,
  type NewEvent,
} from '../model/memory-event.ts';
import { type Blob, type Content, putBlob, toBlob } from '../store/blobs.ts';
import {
  insertEvent,
  insertEvents,
  LONG_DATA,
  plainData,
  RUNNING,
  type SessionState,
  storedData,
  type StoredData,
} from '../store/event-rows.ts';
import type { MemoryContext, SessionKey } from '../store/memory-context.ts';
import { findSession, resolveSession, sessionNotFound } from '../store/session-rows.ts';
import { listOf } from '../store/sql.ts';
import { linkIntention } from './link-intention.ts';
import {
  asEvent,
  inEvent,
  LOOSE_EVENT,
  type LooseEvent,
  type PreparedEvent,
  prepareEvent,
  sizeOf,
} from './prepare-event.ts';

/** Options of `logMany`. */
export interface LogManyOptions {
  /**
   * The action on an event whose id is stored already: fail with `exists`, or leave it out.
   * Default: `'fail'`.
   */
  readonly duplicates?: 'fail' | 'skip' | undefined;
  /** True if events may be added to a session that ended, as importers do. Default: `false`. */
  readonly intoEnded?: boolean | undefined;
  /** Stops before the next part of the events is written; each part is written whole or not at all. */
  readonly signal?: AbortSignal | undefined;
}

const LOG_MANY_OPTIONS: Kinds<LogManyOptions> = {
  duplicates: optional(oneOf('fail', 'skip')),
  intoEnded: optional(FLAG),
  signal: optional(SIGNAL),
};

/** A part of many events: at most this many, and about this many bytes. */
const PART_EVENTS = 1000;
const PART_BYTES = 8_000_000;

/** Logs one event; an edit of a file that names no intention gets that of the file. */
export async function log(
  context: MemoryContext,
  session: string,
  type: unknown,
  data: unknown,
  facts: EventFacts,
): Promise<MemoryEvent> {
  checkOptions('log', facts, EVENT_FACTS);
  const given = { data, facts };
  const linked = type === 'file_edit' ? await linkIntention(context, session, given) : given;
  return logEvent(context, session, { ...linked.facts, type, data: linked.data });
}

/** Logs one event as it is. */
export async function logEvent(
  context: MemoryContext,
  session: string,
  event: LooseEvent,
): Promise<MemoryEvent> {
  const place = await resolveSession(context, session);
  const prepared = prepareEvent(context, place.workspace, event);
  const [logged] = await writeEvents(context, session, place, [prepared]);
  if (!logged) throw new MemoryError('corrupt', `the event '${prepared.id}' was not written`);
  context.events.emit('event:logged', { event: logged });
  return logged;
}

/** Logs events in their order, part by part. */
export async function logEvents(
  context: MemoryContext,
  session: string,
  events: Iterable<NewEvent | LooseEvent> | AsyncIterable<NewEvent | LooseEvent>,
  options: LogManyOptions,
): Promise<MemoryEvent[]> {
  checkOptions('logMany', options, LOG_MANY_OPTIONS);
  const { duplicates = 'fail', intoEnded = false, signal } = options;
  const given: unknown = events;
  const isList = typeof given === 'object' && given !== null;
  if (!isList || !(Symbol.iterator in given || Symbol.asyncIterator in given)) {
    throw new MemoryError('invalid-input', 'logMany needs a list or a stream of events');
  }
  const place = await resolveSession(context, session);
  const into: SessionState = intoEnded ? 'any' : 'running';
  const write = (prepared: readonly PreparedEvent[]): Promise<MemoryEvent[]> =>
    duplicates === 'skip'
      ? writeNew(context, { session, place, events: prepared }, into)
      : writeEvents(context, session, place, prepared, into);
  const logged: MemoryEvent[] = [];
  let part: PreparedEvent[] = [];
  let size = 0;
  const flush = async (): Promise<void> => {
    signal?.throwIfAborted();
    const written = await write(part);
    for (const event of written) context.events.emit('event:logged', { event });
    logged.push(...written);
    part = [];
    size = 0;
  };
  let number = 0;
  for await (const event of events) {
    number++;
    const prepared = inEvent(number, () => {
      checkOptions<LooseEvent>('an event', event, LOOSE_EVENT);
      return prepareEvent(context, place.workspace, event);
    });
    part.push(prepared);
    size += sizeOf(prepared);
    if (part.length >= PART_EVENTS || size >= PART_BYTES) await flush();
  }
  if (part.length > 0) await flush();
  return logged;
}

/** Writes those events of a session whose ids are not stored yet. */
export async function writeNew(
  context: MemoryContext,
  own: SessionEvents,
  into: SessionState,
): Promise<MemoryEvent[]> {
  const [written] = await writeNewEvents(context, [own], into);
  if (!written) return [];
  const { events, first } = written;
  return events.map((event, index) => asEvent(event, own.session, first + index));
}

/** Events that follow those of one session. */
export interface SessionEvents {
  readonly session: string;
  readonly place: SessionKey;
  readonly events: readonly PreparedEvent[];
}

/** The same when they are written. */
export interface WrittenEvents extends SessionEvents {
  /** The sequence of the first one. */
  readonly first: number;
}

const countEvents = (running: string): string => `UPDATE memory_sessions
  SET event_count = event_count + ?, updated_at = ? WHERE key = ?${running} RETURNING event_count`;
const COUNT = { running: countEvents(RUNNING), any: countEvents('') };
const KEY_OF_EVENT = 'SELECT key FROM memory_events WHERE tenant = ? AND id = ?';
/** On SQLite, right after the insertion. */
const NEWEST_KEY = { sql: 'SELECT last_insert_rowid()' };

/**
 * Writes events after those of a session: rows, contents and words in one transaction.
 *
 * @throws MemoryError `session-not-found`, `session-ended` or `exists`.
 */
async function writeEvents(
  context: MemoryContext,
  session: string,
  place: SessionKey,
  events: readonly PreparedEvent[],
  into: SessionState = 'running',
): Promise<MemoryEvent[]> {
  const [written] = await writeGroups(context, [{ session, place, events }], into);
  return events.map((event, index) => asEvent(event, session, (written?.first ?? 0) + index));
}

/** Writes events of several sessions in one transaction. */
async function writeGroups(
  context: MemoryContext,
  groups: readonly SessionEvents[],
  into: SessionState,
): Promise<readonly WrittenEvents[]> {
  const some = groups
    .filter(({ events }) => events.length > 0)
    // So that writers never wait for each other in a circle.
    .toSorted((a, b) => a.place.key - b.place.key);
  if (some.length === 0) return [];
  const fresh = await newContents(context, some);
  let counted: readonly (readonly Row[])[];
  try {
    counted = await context.database.batchRows(statementsFor(context, some, fresh, into));
  } catch (error) {
    throw await explain(context, some, into, error);
  }
  await context.settler.begin();
  return some.map((group, index) => {
    const count = Number(counted[index]?.[0]?.['event_count'] ?? 0);
    return { ...group, first: count - group.events.length + 1 };
  });
}

/**
 * Writes those events whose ids are not stored yet.
 *
 * @param known - Which of the ids are stored, where that has just been found out. Default: it is asked.
 * @returns Those that were written.
 */
export async function writeNewEvents(
  context: MemoryContext,
  groups: readonly SessionEvents[],
  into: SessionState,
  known?: readonly string[],
): Promise<readonly WrittenEvents[]> {
  const ids = groups.flatMap(({ events }) => events.map(({ id }) => id));
  for (let attempt = 1; ; attempt++) {
    const stored = attempt === 1 && known ? known : await knownEvents(context, ids);
    const fresh = withoutKnown(groups, new Set(stored));
    try {
      return await writeGroups(context, fresh, into);
    } catch (error) {
      // Another process may have brought one of them in the meantime.
      const isRace = MemoryError.isInstance(error) && error.code === 'exists';
      const isLost = StorageError.isInstance(error) && error.code === 'constraint';
      if (attempt >= 10 || !(isRace || isLost)) throw error;
    }
  }
}

/** @param known - Ids are added that come once, so that none comes twice. */
function withoutKnown(
  groups: readonly SessionEvents[],
  known: Set<string>,
): readonly SessionEvents[] {
  return groups.map((group) => {
    const events = group.events.filter(({ id }) => {
      if (known.has(id)) return false;
      known.add(id);
      return true;
    });
    return { ...group, events };
  });
}

/** Returns the statements for events: first how many they are in each session, which numbers them. */
function statementsFor(
  context: MemoryContext,
  groups: readonly SessionEvents[],
  fresh: NewContents,
  into: SessionState,
): readonly Statement[] {
  const { tenant, database, index } = context;
  const now = new Date(context.clock()).toISOString();
  const statements: Statement[] = groups.map(({ place, events }) => {
    return { sql: COUNT[into], params: [events.length, now, place.key] };
  });
  for (const blob of fresh.blobs) statements.push(putBlob(database.dialect, tenant, blob));
  const words: Statement[] = [];
  for (const { place, events } of groups) {
    const placed = events.map((event, at) => ({
      event,
      data: fresh.data.get(event.id) ?? plainData(event.json),
      after: events.length - 1 - at,
    }));
    if (database.dialect === 'postgres') {
      statements.push(insertEvents(tenant, place, placed, into));
      const rows = events.map((event) => wordsOf(context, place, event, fresh));
      words.push(...index.putNew({ ids: keysOf(place, events.length), rows }));
      continue;
    }
    for (const each of placed) {
      statements.push(insertEvent(tenant, place, each, into));
      const row = wordsOf(context, place, each.event, fresh);
      statements.push(...index.put({ ...row, id: NEWEST_KEY, isNew: true }));
    }
  }
  return [...statements, ...words];
}

/** Returns the query for the keys of the last events of a session, with their places among them. */
function keysOf({ key }: SessionKey, count: number): Statement {
  return {
    sql: `SELECT event.key AS id, event.sequence - (session.event_count - ?) AS place
      FROM memory_sessions AS session JOIN memory_events AS event
        ON event.session_key = session.key AND event.sequence > session.event_count - ?
      WHERE session.key = ?`,
    params: [count, count, key],
  };
}

/** Returns the words of an event for the index. */
function wordsOf(
  { analyzer, tenant }: MemoryContext,
  { key, home }: SessionKey,
  event: PreparedEvent,
  fresh: NewContents,
): NewRow {
  const contents = fresh.contents.get(event.id) ?? [];
  const { terms, characters } = withContents(event.words, contents, analyzer);
  const { text, path, detail } = characters;
  const all = { tenant, workspace: home, session: key, characters: text + path + detail };
  return { terms, fields: {}, tags: tagsOf({ ...event, ...all }) };
}

/** Why events were refused, if a session or an id is the reason. */
async function explain(
  context: MemoryContext,
  groups: readonly SessionEvents[],
  into: SessionState,
  error: unknown,
): Promise<unknown> {
  if (!StorageError.isInstance(error) || error.code !== 'constraint') return error;
  const { database, tenant, sessions } = context;
  for (const { session } of groups) {
    const row = await findSession(context, database, session);
    if (!row) {
      sessions.delete(session);
      return sessionNotFound(session);
    }
    if (into === 'running' && row.ended_at !== null) {
      return new MemoryError(
        'session-ended',
        `the session '${session}' ended at ${row.ended_at}: start another one, or open it again first`,
        { context: { session } },
      );
    }
  }
  const ids = new Set<string>();
  for (const { id } of groups.flatMap(({ events }) => events)) {
    const [known] = await database.query(KEY_OF_EVENT, [tenant, id]);
    if (known || ids.has(id)) {
      return new MemoryError('exists', `there is an event '${id}' already`, {
        context: { event: id },
        cause: error,
      });
    }
    ids.add(id);
  }
  return error;
}

/** The contents in a batch of events that are not stored yet. */
interface NewContents {
  /** To be stored; each hash once, in the order of their hashes so that writers never wait in a circle. */
  readonly blobs: readonly Blob[];
  /** By the id of an event: its whole texts that no event of its type and session has been found by yet. */
  readonly contents: ReadonlyMap<string, readonly string[]>;
  /** By the id of an event: its data, where they are long. */
  readonly data: ReadonlyMap<string, StoredData>;
}

/** A text of a file in an event. */
interface FileText {
  readonly text: string;
  /** Its type, path and content: they distinguish it in a session. */
  readonly mark: string;
  readonly hash: string;
  /** It is what an edit makes of a known text, so all that is new in it is in the diff. */
  readonly isCovered: boolean;
}

/**
 * The text of a file is searched at the first event of a session that has it; further ones are found by
 * what they change, or each word of a file would find each edit of it.
 */
async function newContents(
  context: MemoryContext,
  groups: readonly SessionEvents[],
): Promise<NewContents> {
  const fresh = new Map<string, Content>();
  const contents = new Map<string, string[]>();
  const data = new Map<string, StoredData>();
  for (const { place, events } of groups) {
    for (const { id, json, blobs } of events) {
      for (const blob of Object.values(blobs)) fresh.set(blob.hash, blob);
      if (json.length >= LONG_DATA) data.set(id, await storedData(json));
    }
    if (events.every(({ path }) => path === undefined)) continue;
    await addContents(context, place, events, contents);
  }
  const blobs: Blob[] = [];
  for (const one of [...fresh.values()].toSorted((a, b) => (a.hash < b.hash ? -1 : 1))) {
    blobs.push(await toBlob(one));
  }
  return { blobs, contents, data };
}

async function addContents(
  context: MemoryContext,
  place: SessionKey,
  events: readonly PreparedEvent[],
  into: Map<string, string[]>,
): Promise<void> {
  const hashes = new Set(events.flatMap((event) => fileTexts(event).map(({ hash }) => hash)));
  const seen = await knownMarks(context, place, hashes);
  for (const event of events) {
    for (const { text, mark, isCovered } of fileTexts(event)) {
      if (seen.has(mark)) continue;
      seen.add(mark);
      if (!isCovered) into.set(event.id, [...(into.get(event.id) ?? []), text]);
    }
  }
}

/** Returns the texts of a file that an event has, and that are not empty. */
function fileTexts({ type, path, texts, blobs, isDiffMade }: PreparedEvent): readonly FileText[] {
  if (path === undefined) return [];
  return (['old', 'new'] as const).flatMap((side) => {
    const text = texts[side] ?? '';
    const { hash } = blobs[side] ?? {};
    if (text === '' || hash === undefined) return [];
    const isCovered = side === 'new' && isDiffMade;
    return [{ text, hash, isCovered, mark: markOf(type, path, hash) }];
  });
}

function markOf(type: string, path: string, hash: string): string {
  return `${type}:${path}:${hash}`;
}

/** How many texts one query asks for. */
const HASHES_AT_ONCE = 100;

/** Returns the texts that events of the session have, of those with these hashes. */
async function knownMarks(
  { database }: MemoryContext,
  { key }: SessionKey,
  hashes: ReadonlySet<string>,
): Promise<Set<string>> {
  const known = new Set<string>();
  for (const some of inParts([...hashes], HASHES_AT_ONCE)) {
    for (const column of ['old_hash', 'new_hash']) {
      const rows = await database.query<{ type: string; file_path: string; hash: string }>(
        // SQLite must not go by the index of sessions: few events have the hash.
        `SELECT DISTINCT type, file_path, ${column} AS hash FROM memory_events
         WHERE ${column} IN ${listOf(some)} AND COALESCE(session_key, 0) = ? AND file_path IS NOT NULL`,
        [...some, key],
      );
      for (const { type, file_path: path, hash } of rows) known.add(markOf(type, path, hash));
    }
  }
  return known;
}

/** How many ids one query asks for. */
const IDS_AT_ONCE = 500;

/** Which of these ids are those of events that are stored, forgotten ones included. */
export async function knownEvents(
  { database, tenant }: MemoryContext,
  ids: readonly string[],
): Promise<Set<string>> {
  const given: unknown = ids;
  if (!Array.isArray(given)) {
    throw new MemoryError('invalid-input', 'the ids of knownEvents: expected a list of ids');
  }
  const known = new Set<string>();
  for (const some of inParts(ids.filter(isId), IDS_AT_ONCE)) {
    const rows = await database.query<{ id: string }>(
      `SELECT id FROM memory_events WHERE tenant = ? AND id IN ${listOf(some)}`,
      [tenant, ...some],
    );
    for (const { id } of rows) known.add(id);
  }
  return known;
}
