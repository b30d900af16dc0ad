import { checkArgument } from '../input/check-input.ts';
import { listOf, OBJECT } from '../input/kinds.ts';
import { assertKey } from './file-key.ts';
import type { FileChange, StoredFile, WriteCondition } from './file-store.ts';
import { StorageError } from './storage-error.ts';

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Returns the bytes of a file's content.
 *
 * @throws StorageError with the code `invalid-text` if a text holds a lone surrogate.
 */
export function encodeContent(key: string, content: string | Uint8Array): Uint8Array {
  if (typeof content !== 'string') return content;
  if (!content.isWellFormed()) {
    throw new StorageError(
      'invalid-text',
      `the text for '${key}' holds a lone surrogate, which UTF-8 cannot hold`,
      { context: { key } },
    );
  }
  return Buffer.from(content, 'utf8');
}

/** The bytes that are decoded at once. */
const PIECE_BYTES = 64 * 2 ** 20;

/**
 * Returns bytes as text.
 *
 * @throws StorageError with the code `not-text`, or `too-large` if the text is longer than a string can be.
 */
function decodeText(key: string, data: Uint8Array): string {
  try {
    return data.length <= PIECE_BYTES ? decoder.decode(data) : decodePieces(data);
  } catch (cause) {
    // A string that cannot be so long is a RangeError, bytes that are not UTF-8 a TypeError.
    const isTooLong = cause instanceof RangeError;
    throw new StorageError(
      isTooLong ? 'too-large' : 'not-text',
      isTooLong
        ? `'${key}' is longer than a string can be: read 'data' instead of 'text'`
        : `'${key}' is not UTF-8 text`,
      { cause, context: { key } },
    );
  }
}

/** Decodes more bytes than a string has units: those of most scripts are two or three. */
function decodePieces(data: Uint8Array): string {
  const pieces = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  let text = '';
  for (let at = 0; at < data.length; at += PIECE_BYTES) {
    text += pieces.decode(data.subarray(at, at + PIECE_BYTES), { stream: true });
  }
  return text + pieces.decode();
}

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
