import { join } from 'node:path';

/** Where the memory of this user lies. That of `@vizprompt/memory` is the same, and takes longer to load. */
export function defaultMemoryPath(home: string): string {
  return join(home, '.ptta', 'ptta.db');
}
