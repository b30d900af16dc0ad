import { chmod } from 'node:fs/promises';
import { checkArgument, STORABLE } from '../check-values.ts';
import type { MemoryContext } from './memory-context.ts';

/** Writes a consistent copy of the database that only this user can read. */
export async function backUp(
  { database }: Pick<MemoryContext, 'database'>,
  path: string,
): Promise<void> {
  checkArgument('the path of the backup', path, STORABLE);
  await database.backup(path);
  await chmod(path, 0o600);
}
