import type { StoredFile } from './file-store.ts';
import { decodeText } from './text.ts';

/** Returns bytes as a file store gives them: as text when asked, byte for byte. */
export function storedFile(key: string, data: Uint8Array, version: string): StoredFile {
  return {
    data,
    version,
    get text() {
      return decodeText(key, data);
    },
  };
}
