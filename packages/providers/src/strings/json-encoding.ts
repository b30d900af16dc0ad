/** The encodings of JSON that are read. */
export type JsonEncoding = 'utf-16be' | 'utf-16le' | 'utf-8';

/**
 * Returns the encoding of JSON by its first bytes: a byte order mark, or the zero that a character of ASCII, with which
 * JSON begins, has in UTF-16 (RFC 4627, section 3). Windows PowerShell writes UTF-16 by `>`.
 */
export function jsonEncoding([first, second]: Uint8Array): JsonEncoding {
  if (first === undefined || second === undefined) return 'utf-8';
  if ((first === 0xff && second === 0xfe) || (first !== 0 && second === 0)) return 'utf-16le';
  if ((first === 0xfe && second === 0xff) || (first === 0 && second !== 0)) return 'utf-16be';
  return 'utf-8';
}
