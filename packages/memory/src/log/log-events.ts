import { StorageError } from '@vizprompt/providers';
import { checkOptions } from '../check-values.ts';
import { MemoryError } from '../errors.ts';
import {
  EVENT_FACTS,
  type EventFacts,
  type MemoryEvent,
  type NewEvent,
} from '../model/memory-event.ts';
import type { Content } from '../store/content.ts';
import type { MemoryContext } from '../store/memory-context.ts';
import { placeOf } from '../store/session-rows.ts';
import type { EventRecord, SessionRecords, WrittenRecords } from './event-record.ts';
import { knownEvents } from './known-events.ts';
import { linkIntention } from './link-intention.ts';
import { LOG_MANY_OPTIONS, type LogManyOptions } from './log-options.ts';
import { LOOSE_EVENT, prepareEvent, type LooseEvent, type PreparedEvent } from './prepare-event.ts';
import { asEvent, writeEvents, writeRecords, type SessionState } from './write-events.ts';

/** A part of many events: at most so many, and about so many bytes. */
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
  const place = await placeOf(context, session);
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
  const place = await placeOf(context, session);
  const into: SessionState = intoEnded ? 'any' : 'running';
  const write = (prepared: readonly PreparedEvent[]): Promise<MemoryEvent[]> =>
    duplicates === 'skip'
      ? writeNew(context, { session, place, records: prepared }, into)
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
  for await (const event of events) {
    checkOptions<LooseEvent>('an event', event, LOOSE_EVENT);
    const prepared = prepareEvent(context, place.workspace, event);
    part.push(prepared);
    size += sizeOf(prepared);
    if (part.length >= PART_EVENTS || size >= PART_BYTES) await flush();
  }
  if (part.length > 0) await flush();
  return logged;
}

/** About how many bytes an event has. */
export function sizeOf({ json, wholes }: EventRecord): number {
  const { old, new: next, diff } = wholes;
  return json.length + lengthOf(old) + lengthOf(next) + lengthOf(diff);
}

function lengthOf(whole: Content | undefined): number {
  return whole?.bytes.length ?? 0;
}

/** Writes those events whose ids are not stored yet. */
export async function writeNew(
  context: MemoryContext,
  own: SessionRecords<PreparedEvent>,
  into: SessionState,
): Promise<MemoryEvent[]> {
  const [written] = await writeNewRecords(context, [own], into);
  if (!written) return [];
  const { records, first } = written;
  return records.map((event, index) => asEvent(event, own.session, first + index));
}

/**
 * The same for records of several sessions.
 *
 * @param known - Which of the ids are stored, where that has just been found out. Default: it is asked.
 * @returns Those that were written.
 */
export async function writeNewRecords<Written extends EventRecord>(
  context: MemoryContext,
  groups: readonly SessionRecords<Written>[],
  into: SessionState,
  known?: readonly string[],
): Promise<readonly WrittenRecords<Written>[]> {
  for (let attempt = 1; ; attempt++) {
    const stored = attempt === 1 && known ? known : await storedIds(context, groups);
    const fresh = withoutKnown(groups, new Set(stored));
    try {
      return await writeRecords(context, fresh, into);
    } catch (error) {
      // Another process may have brought one of them in the meantime.
      const isRace = MemoryError.isInstance(error) && error.code === 'exists';
      const isLost = StorageError.isInstance(error) && error.code === 'constraint';
      if (attempt >= 10 || !(isRace || isLost)) throw error;
    }
  }
}

function storedIds(
  context: MemoryContext,
  groups: readonly SessionRecords[],
): Promise<Iterable<string>> {
  return knownEvents(
    context,
    groups.flatMap(({ records }) => records.map(({ id }) => id)),
  );
}

/** @param known - Ids are added that come once, so that none comes twice. */
function withoutKnown<Written extends EventRecord>(
  groups: readonly SessionRecords<Written>[],
  known: Set<string>,
): readonly SessionRecords<Written>[] {
  return groups.map((group) => {
    const records = group.records.filter(({ id }) => {
      if (known.has(id)) return false;
      known.add(id);
      return true;
    });
    return { ...group, records };
  });
}
