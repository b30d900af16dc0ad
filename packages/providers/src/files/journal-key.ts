import { randomBytes } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeFolder, placeFile } from './durable.ts';
import { lockFolder } from '../sqlite/sqlite-lock.ts';
import { isWithin, readPrivateFile, stateFolder } from './user-folder.ts';

const KEY_BYTES = 32;
/** For this process only, where no key can be stored: what it leaves unfinished is set aside by others. */
const forThisProcess: Buffer = randomBytes(KEY_BYTES);
const loading = new Map<string, Promise<Buffer>>();

/**
 * Returns the secret by which this user knows the journals that they wrote on this machine. It is created
 * when first needed. Where that is not possible, as in a home folder that is read only, or where the
 * file would be inside the store itself, it is one that ends with this process.
 *
 * @param root - The real path of the store's folder.
 */
export async function journalKey(root: string): Promise<Buffer> {
  const path = join(stateFolder(), 'journal-key');
  const key = loading.get(path) ?? loadKey(path);
  loading.set(path, key);
  return isWithin(root, realPath(dirname(path))) ? forThisProcess : key;
}

async function loadKey(path: string): Promise<Buffer> {
  try {
    return readKey(path) ?? (await makeKey(path));
  } catch {
    return forThisProcess;
  }
}

/** Another process may create it at the same moment. */
async function makeKey(path: string): Promise<Buffer> {
  const locks = lockFolder(dirname(path));
  try {
    await makeFolder(dirname(path), 0o700);
    const lock = await locks.lock('journal-key');
    try {
      const known = readKey(path);
      if (known) return known;
      await placeFile(path, randomBytes(KEY_BYTES), { mode: 0o600 });
      return readKey(path) ?? forThisProcess;
    } finally {
      await lock.release();
    }
  } finally {
    await locks.close();
  }
}

/** Returns a key that others could read is none: it is replaced. */
function readKey(path: string): Buffer | undefined {
  const file = readPrivateFile(path);
  if (file === 'foreign') return forThisProcess;
  return file?.isSecret && file.data.length === KEY_BYTES ? file.data : undefined;
}

function realPath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}
