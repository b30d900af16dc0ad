import type { Storage } from '@vizprompt/providers';
import type { Journal } from '../journal/journal.ts';
import { MemoryJournal } from '../journal/memory-journal.ts';

/** Opens the journal of an engine: in its storage, or in memory. */
export async function openJournal(
  storage: Storage | undefined,
  _now: () => number,
): Promise<Journal> {
  if (!storage) return new MemoryJournal();
  throw new Error('not yet');
}
