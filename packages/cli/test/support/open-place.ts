import type { MemoryEvent, SessionInfo } from '@vizprompt/memory';
import { Place } from './place.ts';

/** Returns a place with a running session. */
export async function placeWithSession(): Promise<{ place: Place; session: SessionInfo }> {
  const place = await Place.make();
  return { place, session: await place.json<SessionInfo>('ptta', ['session:start']) };
}

/** Returns the timeline of the session that runs in a place. */
export async function timelineOf(place: Place): Promise<readonly MemoryEvent[]> {
  return place.json<readonly MemoryEvent[]>('ptta', ['history']);
}
