import type { EventFilter, MemoryEvent, MemoryStore, SessionInfo } from '@vizprompt/memory';

/** Returns the newest events of a session that fit a filter, in their order. */
export async function lastEvents(
  store: MemoryStore,
  session: SessionInfo,
  count: number,
  filter: EventFilter,
): Promise<readonly MemoryEvent[]> {
  // Without a type the numbers, which have no gaps, say where to begin.
  const after = filter.type === undefined ? Math.max(0, session.event_count - count) : 0;
  const last: MemoryEvent[] = [];
  for await (const event of store.events(session.id, { ...filter, after })) {
    last.push(event);
    if (last.length > count * 2) last.splice(0, last.length - count);
  }
  return last.slice(-count);
}
