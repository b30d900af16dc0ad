// #region store
import {
  assertKey,
  assertLockName,
  assertVersion,
  checkChanges,
  StorageError,
  storedFile,
  type FileStore,
  type HeldLock,
} from '@vizprompt/providers';

/** State that all handles share: here in memory, elsewhere a bucket or a table on a server. */
export interface Bucket {
  readonly objects: Map<string, { readonly data: Uint8Array; readonly version: string }>;
  readonly locks: Set<string>;
  writes: number;
}

/** Files in a bucket. The lines between two `await`s here are one request with a condition on a server. */
export function bucketFiles(bucket: Bucket): FileStore {
  const { objects, locks } = bucket;

  const writeMany: FileStore['writeMany'] = async (changes) => {
    const checked = checkChanges(changes);
    for (const change of checked) {
      assertVersion(change.key, objects.get(change.key)?.version ?? null, change);
    }
    // Nothing was changed so far, and nothing below can fail: the batch is there as a whole.
    return checked.map(({ key, content }) => {
      if (content === null) {
        objects.delete(key);
        return null;
      }
      bucket.writes += 1;
      const version = String(bucket.writes);
      objects.set(key, { data: Uint8Array.from(content), version });
      return version;
    });
  };
  const write: FileStore['write'] = async (key, content, condition = {}) => {
    const [version] = await writeMany([{ ...condition, key, content }]);
    return { version: version ?? '' };
  };

  return {
    specVersion: 1,
    async read(key, { maxBytes = Infinity } = {}) {
      assertKey(key);
      const found = objects.get(key);
      if (!found) return null;
      if (found.data.length > maxBytes) {
        throw new StorageError('too-large', `'${key}' has more than ${maxBytes} bytes`);
      }
      return storedFile(key, Uint8Array.from(found.data), found.version);
    },
    write,
    writeMany,
    async append(key, content) {
      const [added] = checkChanges([{ key, content }]);
      const before = objects.get(key)?.data ?? Buffer.of();
      return write(key, Buffer.concat([before, added?.content ?? Buffer.of()]));
    },
    async delete(key, condition = {}) {
      assertKey(key);
      const existed = objects.has(key);
      await writeMany([{ ...condition, key, content: null }]);
      return existed;
    },
    async *list(prefix) {
      for (const [key, { data, version }] of objects) {
        if (key.startsWith(prefix)) yield { key, size: data.length, version };
      }
    },
    async lock(name, { timeoutMs = 10_000, signal } = {}): Promise<HeldLock> {
      assertLockName(name);
      const end = performance.now() + timeoutMs;
      for (;;) {
        signal?.throwIfAborted();
        if (!locks.has(name)) break;
        if (performance.now() > end) {
          throw new StorageError('lock-timeout', `the lock '${name}' is held by another process`);
        }
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
      locks.add(name);
      let isHeld = true;
      return {
        // Abort it where a holder can lose its lock, as when its connection breaks.
        lost: new AbortController().signal,
        async release() {
          if (isHeld) locks.delete(name);
          isHeld = false;
        },
      };
    },
  };
}
// #endregion store
