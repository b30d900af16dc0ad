import type { SqlParameter } from '@vizprompt/providers';
import { assertChoice } from '../check-values.ts';
import { MemoryError } from '../errors.ts';
import { assertType } from '../model/check-data.ts';
import type { EventType } from '../model/event-data.ts';
import type { MemoryEvent } from '../model/memory-event.ts';
import { assertLimit } from '../session/list-sessions.ts';
import { placeOf } from '../session/session-rows.ts';
import { isId } from '../store/ids.ts';
import type { MemoryContext } from '../store/memory-context.ts';
import { filePath } from '../workspace/paths.ts';
import { eventsOfRows, SELECT_EVENTS, type EventRow } from './event-rows.ts';
import type { EventFilter, EventList, EventPage } from './log-options.ts';

/** Events of a session, page by page or one by one. */
export function listEvents(
  context: MemoryContext,
  session: string,
  filter: EventFilter,
): EventList {
  return {
    page: () => readPage(context, session, filter, filter.after ?? 0),
    async *[Symbol.asyncIterator](): AsyncGenerator<MemoryEvent> {
      let after: number | undefined = filter.after ?? 0;
      while (after !== undefined) {
        const page: EventPage = await readPage(context, session, filter, after);
        yield* page.events;
        after = page.next;
      }
    },
  };
}

async function readPage(
  context: MemoryContext,
  session: string,
  { type, path, limit = 100, contents, signal }: EventFilter,
  after: number,
): Promise<EventPage> {
  signal?.throwIfAborted();
  assertLimit(limit);
  assertChoice(contents, 'contents', ['read', 'omit', undefined]);
  assertSequence(after);
  const { database, tenant } = context;
  const { key, workspace } = await placeOf(context, session);
  const conditions = ['e.session_key = ?', 'e.sequence > ?'];
  const params: SqlParameter[] = [key, after];
  if (type !== undefined) {
    const types = typesOf(type);
    conditions.push(`e.type IN (${types.map(() => '?').join(', ')})`);
    params.push(...types);
  }
  if (path !== undefined) {
    conditions.push('e.file_path = ?');
    params.push(filePath(path, workspace));
  }
  const rows = await database.query<EventRow>(
    `${SELECT_EVENTS} WHERE ${conditions.join(' AND ')} ORDER BY e.sequence LIMIT ?`,
    [...params, limit + 1],
  );
  const events = await eventsOfRows(database, tenant, rows.slice(0, limit), contents);
  const last = events.at(-1);
  return rows.length > limit && last ? { events, next: last.sequence } : { events };
}

/** Refuses what is no sequence to begin behind. */
export function assertSequence(after: number): void {
  if (Number.isSafeInteger(after) && after >= 0) return;
  throw new MemoryError('invalid-input', `after is ${after}: it must be a sequence, or 0`);
}

/** One type or several, each checked. */
export function typesOf(type: EventType | readonly EventType[]): readonly EventType[] {
  const types = typeof type === 'string' ? [type] : type;
  for (const one of types) assertType(one);
  if (types.length > 0) return types;
  throw new MemoryError('invalid-input', 'the list of event types is empty: leave it out for all');
}

/**
 * One event with all its texts.
 *
 * @throws MemoryError `event-not-found`.
 */
export async function getEvent(context: MemoryContext, id: string): Promise<MemoryEvent> {
  const { database, tenant } = context;
  if (!isId(id)) throw eventNotFound(id);
  const rows = await database.query<EventRow>(`${SELECT_EVENTS} WHERE e.tenant = ? AND e.id = ?`, [
    tenant,
    id,
  ]);
  const [event] = await eventsOfRows(database, tenant, rows);
  if (event) return event;
  throw eventNotFound(id);
}

/** The error for an event that is not there. */
export function eventNotFound(id: string): MemoryError {
  return new MemoryError('event-not-found', `there is no event '${id}'`, {
    context: { event: id },
  });
}
