import { StorageError, type FileStore, type StoredFile } from '@vizprompt/providers';

/**
 * Reads a file that can be derived from the others again.
 *
 * @returns `null` if it is missing, or too large to be what it should be.
 */
export async function readDerived(files: FileStore, key: string): Promise<StoredFile | null> {
  try {
    return await files.read(key);
  } catch (error) {
    if (StorageError.isInstance(error) && error.code === 'too-large') return null;
    throw error;
  }
}
