import { StorageError } from '@vizprompt/providers';

/** What the system says where a file cannot be written and may be read. */
const SYSTEM: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EACCES', 'EPERM']);

/** Checks whether opening failed because nothing can be written there. */
export function isUnwritable(error: unknown): boolean {
  if (!StorageError.isInstance(error) || error.code !== 'io') return false;
  const sqlite = String(error.context['sqlite']);
  if (/^SQLITE_(?:FULL|READONLY|IOERR|CANTOPEN|PERM)/.test(sqlite)) return true;
  return error.cause instanceof Error && 'code' in error.cause && SYSTEM.has(error.cause.code);
}
