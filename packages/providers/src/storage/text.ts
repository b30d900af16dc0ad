import type { StoredFile } from './file-store.ts';
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
