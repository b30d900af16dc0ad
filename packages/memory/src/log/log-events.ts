import { FLAG, type Kinds, oneOf, optional, SIGNAL } from '@vizprompt/providers/config/internal';
import { checkOptions } from '../check-values.ts';
import { MemoryError } from '../errors.ts';
import {
  type EventFacts,
  type MemoryEvent,
  type NewEvent,
  EVENT_FACTS,
} from '../model/memory-event.ts';
import type { MemoryContext } from '../store/memory-context.ts';
import { resolveSession } from '../store/session-rows.ts';
import { linkIntention } from './link-intention.ts';
import {
  asEvent,
  sizeOf,
  type LooseEvent,
  type PreparedEvent,
  LOOSE_EVENT,
  prepareEvent,
} from './prepare-event.ts';
import type { SessionState } from './insert-events.ts';
import { writeNewEvents, type SessionEvents, writeEvents } from './write-events.ts';

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
