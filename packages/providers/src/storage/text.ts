import { StorageError } from './storage-error.ts';

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * The bytes of a file's content.
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

/** @throws StorageError with the code `not-text`. */
export function decodeText(key: string, data: Uint8Array): string {
  try {
    return decoder.decode(data);
  } catch (cause) {
    throw new StorageError('not-text', `'${key}' is not UTF-8 text`, { cause, context: { key } });
  }
}
