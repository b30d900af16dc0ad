import type { RedactOptions } from '@vizprompt/providers';
import { MemoryError } from '../errors.ts';
import { filePath, workspacePath } from '../model/paths.ts';
import { Redactor } from './redactor.ts';

/** Returns a path as it is stored and looked for: without secrets. */
export function storedPath(path: string, redact: RedactOptions | false): string {
  return new Redactor(redact).text(path, 'a path');
}

/**
 * Returns the absolute path of a file without secrets.
 *
 * @throws MemoryError `path-outside`.
 */
export function storedFile(path: string, workspace: string, redact: RedactOptions | false): string {
  // Before, as `//` of an address becomes `/`, and afterwards, as folders may be what says that it is secret.
  return storedPath(filePath(storedPath(path, redact), workspace), redact);
}

/** Returns the absolute path of a workspace without secrets. */
export function storedWorkspace(path: string | undefined, redact: RedactOptions | false): string {
  return storedPath(workspacePath(path), redact);
}

/**
 * Refuses to change files in a workspace whose path is not stored as it is: another folder would be changed.
 *
 * @throws MemoryError `invalid-input`.
 */
export function assertRealWorkspace(workspace: string): void {
  if (!workspace.includes('[redacted:')) return;
  throw new MemoryError(
    'invalid-input',
    `cannot edit files in ${workspace}: its path has a secret, which is not stored: rename the folder`,
  );
}

/**
 * Refuses an id that holds a secret: ids are stored and shown as they are.
 *
 * @throws MemoryError `invalid-input`.
 */
export function assertCleanId(
  id: string | undefined,
  what: string,
  redact: RedactOptions | false,
): void {
  if (id === undefined) return;
  const cleaner = new Redactor(redact);
  const clean = cleaner.text(id, what);
  if (cleaner.count === 0) return;
  throw new MemoryError(
    'invalid-input',
    `${what}: expected an id without a secret, got ${clean}: use another id`,
  );
}
