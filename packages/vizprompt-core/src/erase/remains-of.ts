import type { Remainder } from '@vizprompt/providers';
import type { Project } from '../project/project.ts';

/** What no call of a project reaches. */
export function remainsOf({ storage }: Project): readonly Remainder[] {
  const isOnServer = storage.database.dialect === 'postgres';
  return [
    ...(isOnServer ? [{ place: 'database-log' } as const] : []),
    { place: 'git' },
    { place: 'backups' },
  ];
}
