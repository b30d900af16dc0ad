import { MemoryError } from '../../errors.ts';
import type { SessionLog } from '../../store/session-log.ts';

/** Whether the store has an event with this id. */
export async function hasEvent(store: SessionLog, id: string): Promise<boolean> {
  try {
    await store.getEvent(id);
    return true;
  } catch (error) {
    if (MemoryError.isInstance(error) && error.code === 'event-not-found') return false;
    throw error;
  }
}
