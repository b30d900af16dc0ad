import { join } from 'node:path';

/** The path of the memory of this user. `@vizprompt/memory` has the same, and takes longer to load. */
export function defaultMemoryPath(home: string): string {
  return join(home, '.ptta', 'ptta.db');
}
