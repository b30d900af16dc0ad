import type { Storage } from '@vizprompt/providers';
import type { Journal } from '../journal/journal.ts';
import { MemoryJournal } from '../journal/memory-journal.ts';

/**
 * Opens the journal of an engine: in its storage, or in memory.
 *
 * @throws WorkflowError with the code `journal-unwritable`.
 */
export async function openJournal(storage: Storage | undefined): Promise<Journal> {
  if (!storage) return new MemoryJournal();
  const { SqlJournal } = await import('../journal/sql-journal.ts');
  return SqlJournal.open(storage);
}
