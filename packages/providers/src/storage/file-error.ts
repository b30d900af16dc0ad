import { hasErrorMark, isError, isOutOfFiles, messageOf, OUT_OF_FILES_HINT } from '../errors.ts';
import { StorageError } from './storage-error.ts';

/** Checks whether an error has one of these codes, such as those of `node:fs`. */
export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return isError(error) && 'code' in error && codes.includes(String(error.code));
}

/** Checks whether an error of `node:fs` says that there is no such file. */
export function isMissing(error: unknown): boolean {
  return hasCode(error, 'ENOENT', 'ENOTDIR');
}

const REASONS: ReadonlyMap<unknown, string> = new Map([
  ['ENOENT', 'there is no such file'],
  ['ENOTDIR', 'a folder of its path is a file'],
  ['EISDIR', 'expected a file, got a folder'],
  ['EACCES', 'you may not read it'],
  ['EPERM', 'you may not read it'],
]);

/** Returns why a file that a user named cannot be read, in words. */
export function whyUnreadable(error: unknown): string {
  // An error of the SDK names the file already: the cause is the reason alone.
  const own = StorageError.isInstance(error) && error.code === 'io' ? error.cause : error;
  const code: unknown = isError(own) && 'code' in own ? own.code : undefined;
  return REASONS.get(code) ?? messageOf(error);
}

/** Returns the cause, without the paths that `node:fs` adds: they may be those of temporary files. */
function reasonOf(error: unknown): string {
  if (!isError(error) || !('syscall' in error)) return messageOf(error);
  if (hasCode(error, 'EEXIST') && error.syscall === 'mkdir') return 'expected a folder, got a file';
  const { message } = error;
  const end = message.indexOf(`, ${String(error.syscall)}`);
  const reason = end < 0 ? message : message.slice(0, end);
  return isOutOfFiles(error) ? `${reason}; ${OUT_OF_FILES_HINT}` : reason;
}

/** Returns the error of the SDK for anything that the file system threw; those of the SDK stay as they are. */
export function toFileError(error: unknown, action: string, key: string): Error {
  if (StorageError.isInstance(error)) return error;
  if (isError(error) && hasErrorMark(error, 'PeerError')) return error;
  return new StorageError('io', `cannot ${action} '${key}': ${reasonOf(error)}`, {
    cause: error,
    context: { key },
  });
}

/** Runs file system work; what it throws becomes a {@link StorageError} that names the key. */
export async function guardFile<T>(
  action: string,
  key: string,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw toFileError(error, action, key);
  }
}

/** Does what {@link guardFile} does for work without waits. */
export function guardFileNow<T>(action: string, key: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw toFileError(error, action, key);
  }
}

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
