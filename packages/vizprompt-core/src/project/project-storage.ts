import {
  type FileChange,
  type FileStore,
  type Storage,
  StorageError,
  type StoredFile,
} from '@vizprompt/providers';
import { invalidFile, VizPromptError } from '../errors.ts';
import { isProjectPlace } from '../format/layout.ts';
import type { ProjectLimits } from '../limits.ts';
import { readOnlyError } from './project.ts';

type FileLimit = Extract<keyof ProjectLimits, `${string}Bytes`>;
type InvalidCode = Parameters<typeof invalidFile>[0];

/** Which limit a file has, by how its key begins, and what it is where it is larger. */
const RULES: readonly (readonly [prefix: string, limit: FileLimit, code?: InvalidCode])[] = [
  ['nodes/', 'nodeBytes', 'node-invalid'],
  ['flows/', 'flowBytes', 'flow-invalid'],
  ['config.yaml', 'configBytes', 'config-invalid'],
  ['history/', 'historyBytes'],
  ['attachments/', 'attachmentBytes'],
  ['', 'mapBytes'],
];

/**
 * Returns the storage of a project: nothing but its own places is written, and no file is read or written beyond the
 * limits, on any storage. A store on a disk checks the places again for what links lead to, and for batches that a crash
 * left unfinished.
 */
export function guardedStorage(storage: Storage, limits: ProjectLimits): Storage {
  const { files } = storage;
  const { purge } = files;
  const assertWritable = (key: string, content: FileChange['content']): void => {
    assertPlace(key);
    assertWithin(key, content, limits);
  };
  const guarded: FileStore = {
    specVersion: 1,
    read: (key, options) => readWithin(files, key, limits, options?.maxBytes),
    async write(key, content, condition) {
      assertWritable(key, content);
      return files.write(key, content, condition);
    },
    async writeMany(changes: readonly FileChange[]) {
      for (const { key, content } of changes) assertWritable(key, content);
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
    list: (prefix) => files.list(prefix),
    lock: (name, options) => files.lock(name, options),
    ...(purge && { purge: () => purge.call(files) }),
  };
  return {
    specVersion: 1,
    files: guarded,
    database: storage.database,
    cache: storage.cache,
    close: () => storage.close(),
    [Symbol.asyncDispose]: () => storage.close(),
  };
}

async function readWithin(
  files: FileStore,
  key: string,
  limits: ProjectLimits,
  own = Infinity,
): Promise<StoredFile | null> {
  const [limit, code] = ruleOf(key);
  const maxBytes = Math.min(limits[limit], own);
  try {
    const stored = await files.read(key, { maxBytes });
    // A store from elsewhere may not know the option.
    if (stored && stored.data.length > maxBytes) throw tooLarge(key, stored.data.length, maxBytes);
    return stored;
  } catch (error) {
    if (!StorageError.isInstance(error) || error.code !== 'too-large' || !code) throw error;
    const { bytes } = error.context;
    const problem = `too large: expected at most ${maxBytes} bytes, got ${String(bytes)}; raise limits.${limit}`;
    throw invalidFile(code, { file: key }, problem, error);
  }
}

function tooLarge(key: string, bytes: number, maxBytes: number): StorageError {
  return new StorageError(
    'too-large',
    `'${key}': expected at most ${maxBytes} bytes, got ${bytes}`,
    {
      context: { key, bytes, maxBytes },
    },
  );
}

/** Refuses content that could not be read again. */
function assertWithin(
  key: string,
  content: string | Uint8Array | null,
  limits: ProjectLimits,
): void {
  const [limit] = ruleOf(key);
  const max = limits[limit];
  if (content === null || content.length * 3 <= max) return;
  const bytes = typeof content === 'string' ? Buffer.byteLength(content) : content.length;
  if (bytes <= max) return;
  throw new VizPromptError(
    'too-large',
    `${key}: expected at most ${max} bytes, got ${bytes}: split it, or raise limits.${limit}`,
    { context: { file: key, bytes, max } },
  );
}

function ruleOf(key: string): readonly [FileLimit, InvalidCode?] {
  const [, limit, code] = RULES.find(([prefix]) => key.startsWith(prefix)) ?? ['', 'mapBytes'];
  return code === undefined ? [limit] : [limit, code];
}

function assertPlace(key: string): void {
  if (isProjectPlace(key)) return;
  const message = `cannot write ${JSON.stringify(key)}: it is none of the places of a project`;
  throw new StorageError('invalid-key', message, { context: { key } });
}

/**
 * Returns a storage that shows files and refuses writes: the index is made in memory, from the files, so
 * that not even a cache changes.
 */
export async function readOnlyStorage(files: Pick<FileStore, 'read' | 'list'>): Promise<Storage> {
  const { sqliteDatabase } = await import('@vizprompt/providers/node');
  const cache = sqliteDatabase({ path: ':memory:' });
  const refuse = async (): Promise<never> => {
    throw readOnlyError();
  };
  const close = (): Promise<void> => cache.close();
  return {
    specVersion: 1,
    files: {
      specVersion: 1,
      read: (key, options) => files.read(key, options),
      list: (prefix) => files.list(prefix),
      write: refuse,
      writeMany: refuse,
      append: refuse,
      delete: refuse,
      // A process that writes nothing is in no other's way.
      lock: async () => ({ lost: new AbortController().signal, release: async () => {} }),
    },
    database: cache,
    cache,
    close,
    [Symbol.asyncDispose]: close,
  };
}
