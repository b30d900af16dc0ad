import { type StoredFile, StorageError } from '@vizprompt/providers';

/** The text of a file whose bytes may be in another encoding than UTF-8. */
interface DecodedFile {
  readonly text: string;
  /** The fault of the bytes; absent in UTF-8. */
  readonly slip?: string;
}

/** A Japanese text has these characters; a wrong encoding hardly does. */
const KANA = /[\u3041-\u30fe]/;
const REPLACED = /\ufffd/g;

/**
 * Returns the text of a file that an editor may have stored in UTF-16 or Shift_JIS, or in which a few bytes are
 * damaged: those become U+FFFD.
 *
 * @throws StorageError with the code `not-text` if it is in none of these.
 */
export function decodeFile(stored: StoredFile): DecodedFile {
  const utf16 = utf16Of(stored.data);
  if (utf16 !== undefined) return { text: utf16, slip: 'it is in UTF-16, and not in UTF-8' };
  try {
    return { text: stored.text };
  } catch (error) {
    if (!StorageError.isInstance(error) || error.code !== 'not-text') throw error;
    const found = decodeForeign(stored.data);
    if (!found) throw error;
    return found;
  }
}

function decodeForeign(data: Uint8Array): DecodedFile | undefined {
  const text = new TextDecoder().decode(data);
  const wide = Array.from(text.matchAll(/[^\0-\u007f]/g)).length;
  const lost = Array.from(text.matchAll(REPLACED)).length;
  const japanese = decoded(data, 'shift_jis');
  if (japanese !== undefined && KANA.test(japanese) && lost * 2 > wide)
    return { text: japanese, slip: 'it is in Shift_JIS, and not in UTF-8' };
  return lost * 10 <= wide || lost <= 3
    ? { text, slip: `${lost} bytes of it are no UTF-8: they became U+FFFD` }
    : undefined;
}

/**
 * A text begins with a mark of its order, or with a character of ASCII. Without a mark, valid UTF-8 is UTF-16 only
 * where its zeros are the halves of wide characters: a text may hold a U+0000.
 */
function utf16Of(bytes: Uint8Array): string | undefined {
  // The last character of a file that was cut off may be a half.
  const data = bytes.length % 2 === 0 ? bytes : bytes.subarray(0, -1);
  const [first, second] = data;
  if (first === 0xff && second === 0xfe) return decoded(data, 'utf-16le');
  if (first === 0xfe && second === 0xff) return decoded(data, 'utf-16be');
  if ((first === 0) === (second === 0)) return undefined;
  if (decoded(data, 'utf-8') !== undefined && !hasZeroHalves(data, first === 0 ? 0 : 1)) {
    return undefined;
  }
  return decoded(data, first === 0 ? 'utf-16be' : 'utf-16le');
}

/** Checks whether a quarter of the characters has a zero in its high half, and next to none in its low half. */
function hasZeroHalves(data: Uint8Array, high: 0 | 1): boolean {
  const zeros: [number, number] = [0, 0];
  for (const [at, byte] of data.entries()) if (byte === 0) zeros[at % 2 === 0 ? 0 : 1]++;
  const [wide, others] = [zeros[high], zeros[high === 0 ? 1 : 0]];
  return wide * 8 >= data.length && others * 10 <= wide;
}

function decoded(data: Uint8Array, encoding: string): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(data);
  } catch {
    return undefined;
  }
}
