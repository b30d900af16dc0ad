import { StorageError } from '@vizprompt/providers';
import { assertChoice } from '../check-values.ts';
import { MemoryError } from '../errors.ts';
import type { MemoryEvent, NewEvent } from '../model/memory-event.ts';
import { assertKnownKeys } from '../known-keys.ts';
import { placeOf } from '../session/session-rows.ts';
import type { MemoryContext, SessionPlace } from '../store/memory-context.ts';
import type { EventRecord } from './event-record.ts';
import { knownEvents } from './known-events.ts';
import type { LogManyOptions } from './log-options.ts';
import { prepareEvent, type LooseEvent, type PreparedEvent } from './prepare-event.ts';
import { asEvent, writeEvents, writeRecords, type SessionState } from './write-events.ts';

/** A part of many events: at most so many, and so many characters. */
export const PART_EVENTS = 1000;
export const PART_CHARACTERS = 8_000_000;

/** What the events of `logMany` may have; `redactions` comes from importers. */
const EVENT_KEYS: readonly (keyof LooseEvent)[] = [
  'type',
  'data',
  'id',
  'timestamp',
  'parent',
  'meta',
  'redactions',
];

/** Logs one event. */
export async function logEvent(
  context: MemoryContext,
  session: string,
  event: LooseEvent,
): Promise<MemoryEvent> {
  const place = await placeOf(context, session);
  const prepared = await prepareEvent(context, place.workspace, event);
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
  { duplicates = 'fail', intoEnded = false, signal }: LogManyOptions,
): Promise<MemoryEvent[]> {
  assertChoice(duplicates, 'duplicates', ['fail', 'skip']);
  const given: unknown = events;
  const isList = typeof given === 'object' && given !== null;
  if (!isList || !(Symbol.iterator in given || Symbol.asyncIterator in given)) {
    throw new MemoryError('invalid-input', 'logMany needs a list or a stream of events');
  }
  const place = await placeOf(context, session);
  const into: SessionState = intoEnded ? 'any' : 'running';
  const write = (prepared: readonly PreparedEvent[]): Promise<MemoryEvent[]> =>
    duplicates === 'skip'
      ? writeNew(context, session, place, prepared, into)
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
    assertKnownKeys('an event', event, EVENT_KEYS);
    const prepared = await prepareEvent(context, place.workspace, event);
    part.push(prepared);
    size += sizeOf(prepared);
    if (part.length >= PART_EVENTS || size >= PART_CHARACTERS) await flush();
  }
  if (part.length > 0) await flush();
  return logged;
}

/** How many characters an event has. */
export function sizeOf({ json, texts }: EventRecord): number {
  const { old = '', new: next = '', diff = '' } = texts;
  return json.length + old.length + next.length + diff.length;
}

/** Writes those events whose ids are not stored yet. */
export async function writeNew(
  context: MemoryContext,
  session: string,
  place: SessionPlace,
  part: readonly PreparedEvent[],
  into: SessionState,
): Promise<MemoryEvent[]> {
  const { written, first } = await writeNewRecords(context, session, place, part, into);
  return written.map((event, index) => asEvent(event, session, first + index));
}

/**
 * The same for records.
 *
 * @returns Those that were written, and the sequence of the first one.
 */
export async function writeNewRecords<Written extends EventRecord>(
  context: MemoryContext,
  session: string,
  place: SessionPlace,
  part: readonly Written[],
  into: SessionState,
): Promise<{ readonly written: readonly Written[]; readonly first: number }> {
  for (let attempt = 1; ; attempt++) {
    const written = await withoutKnown(context, part);
    try {
      return { written, first: await writeRecords(context, session, place, written, into) };
    } catch (error) {
      // Another process may have brought one of them in the meantime.
      const isRace = MemoryError.isInstance(error) && error.code === 'exists';
      const isLost = StorageError.isInstance(error) && error.code === 'constraint';
      if (attempt >= 10 || !(isRace || isLost)) throw error;
    }
  }
}

async function withoutKnown<Written extends EventRecord>(
  context: MemoryContext,
  part: readonly Written[],
): Promise<Written[]> {
  const known = await knownEvents(
    context,
    part.map(({ id }) => id),
  );
  return part.filter(({ id }) => {
    if (known.has(id)) return false;
    known.add(id);
    return true;
  });
}
