import { MemoryError } from '../../errors.ts';
import type { MemoryStore } from '../../memory-store.ts';

/** Whether the store has an event with this id. */
export async function hasEvent(store: MemoryStore, id: string): Promise<boolean> {
  try {
    await store.getEvent(id);
    return true;
  } catch (error) {
    if (MemoryError.isInstance(error) && error.code === 'event-not-found') return false;
    throw error;
  }
}
