import type { FileStore } from '@vizprompt/providers';
import { StorageError } from '@vizprompt/providers';

/** All that a project writes, as keys. What is not here is never written, whatever a file of it says. */
const PLACES: readonly RegExp[] = [
  /^config\.yaml$/,
  /^\.gitattributes$/,
  /^nodes\/.+\.xml$/s,
  /^flows\/.+\.yaml$/s,
  /^metadata\/(?:node_map\.tsv|flow_map\.tsv|tags\.yaml|index\.yaml)$/,
  /^history\/(?:stack\.json|\.gitignore|[0-9A-Za-z-]{1,64}\.json\.br)$/,
  /^attachments\/(?:\.gitignore|([0-9a-f]{2})\/\1[0-9a-f]{62})$/,
  /^lost\+found\/(?:nodes\/.+\.xml|flows\/.+\.yaml)(?:\.\d+)?(?:\.txt)?$/s,
];

/** Checks whether a key is one of the places that a project writes. */
export function isProjectPlace(key: string): boolean {
  return PLACES.some((place) => place.test(key));
}

/**
 * Wraps the files of a project so that nothing but its own places is written, on any storage. A store on
 * a disk checks the same again for what links lead to, and for batches that a crash left unfinished.
 */
export function projectFiles(files: FileStore): FileStore {
  const { purge } = files;
  return {
    ...(purge && { purge: () => purge.call(files) }),
    specVersion: 1,
    read: (key, options) => files.read(key, options),
    list: (prefix) => files.list(prefix),
    lock: (name, options) => files.lock(name, options),
    async write(key, content, condition) {
      assertPlace(key);
      return files.write(key, content, condition);
    },
    async writeMany(changes) {
      for (const { key } of changes) assertPlace(key);
      return files.writeMany(changes);
    },
    async append(key, content, options) {
      assertPlace(key);
      return files.append(key, content, options);
    },
    async delete(key, condition) {
      assertPlace(key);
      return files.delete(key, condition);
    },
  };
}

function assertPlace(key: string): void {
  if (isProjectPlace(key)) return;
  const message = `cannot write ${JSON.stringify(key)}: it is none of the places of a project`;
  throw new StorageError('invalid-key', message, { context: { key } });
}
