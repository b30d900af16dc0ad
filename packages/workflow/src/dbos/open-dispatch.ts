import { PeerError, type Storage } from '@vizprompt/providers';
import { postgresStorage } from '@vizprompt/providers/postgres';
import { JOURNAL_MIGRATIONS } from '../journal/migrations.ts';
import { unwritable } from '../journal/unwritable.ts';
import type { DbosOptions } from './options.ts';
import { DISPATCH_MIGRATIONS, EVENT_MIGRATIONS } from './tables.ts';

/**
 * Opens the storage that the workers of a namespace share with those who start runs.
 *
 * @param idleTransactionTimeoutMs - After which the server lets go of what a process that hangs has locked.
 * @throws WorkflowError with the code `journal-unwritable`; PeerError if `pg` is not installed.
 */
export async function openDispatch(
  { url }: DbosOptions,
  namespace: string,
  idleTransactionTimeoutMs: number,
): Promise<Storage> {
  try {
    const storage = await postgresStorage({
      connectionString: url,
      namespace,
      idleTransactionTimeoutMs,
    });
    try {
      await storage.database.migrate('workflow', JOURNAL_MIGRATIONS);
      await storage.database.migrate('dispatch', DISPATCH_MIGRATIONS);
      await storage.cache.migrate('dispatch', EVENT_MIGRATIONS);
      return storage;
    } catch (error) {
      await storage.close();
      throw error;
    }
  } catch (error) {
    throw PeerError.isInstance(error) ? error : unwritable(error);
  }
}
