import { StorageError } from './storage-error.ts';

/** Returns the error for a file that is larger than its reader accepts. */
function fileTooLarge(key: string, bytes: number, maxBytes: number): StorageError {
  return new StorageError(
    'too-large',
    `'${key}': expected at most ${maxBytes} bytes, got ${bytes}`,
    { context: { key, bytes, maxBytes } },
  );
}

/** @throws StorageError with the code `too-large`. */
export function assertFileBytes(key: string, bytes: number, maxBytes: number): void {
  if (bytes > maxBytes) throw fileTooLarge(key, bytes, maxBytes);
}
