import { assertKey } from './file-key.ts';
import type { FileChange, WriteCondition } from './file-store.ts';
import { StorageError } from './storage-error.ts';
import { encodeContent } from './text.ts';
import { checkArgument } from '../input/check-input.ts';
import { OBJECT, listOf } from '../input/kinds.ts';

/** A change that every file store accepts: its key is valid and its content is bytes. */
export interface CheckedChange extends WriteCondition {
  readonly key: string;
  readonly content: Uint8Array | null;
}

/**
 * Checks the changes of a batch, or a single one, and encodes their text as UTF-8.
 *
 * @throws StorageError with the code `misuse` if a key comes twice, `invalid-key`, `invalid-text`.
 */
export function checkChanges(changes: readonly FileChange[]): CheckedChange[] {
  checkArgument('the changes of a batch', changes, listOf('changes', OBJECT));
  const keys = new Set<string>();
  return changes.map((change) => {
    const { key, content } = change;
    assertKey(key);
    if (keys.has(key)) {
      throw new StorageError('misuse', `'${key}' comes twice in one batch`, { context: { key } });
    }
    keys.add(key);
    return { ...change, content: content === null ? null : encodeContent(key, content) };
  });
}

/**
 * Checks a file against the condition of a write. Call it where no other writer can come between.
 *
 * @param found - The version that the file has, `null` if there is none.
 * @throws StorageError with the code `conflict` if that is not the expected one.
 */
export function assertVersion(key: string, found: string | null, condition: WriteCondition): void {
  checkArgument('the condition of a write', condition, OBJECT);
  const { ifVersion: expected } = condition;
  if (expected === undefined || expected === found) return;
  const changed = found === null ? 'is gone' : 'was changed meanwhile';
  const what = expected === null ? 'exists already' : changed;
  throw new StorageError('conflict', `'${key}' ${what}`, { context: { key, expected, found } });
}
