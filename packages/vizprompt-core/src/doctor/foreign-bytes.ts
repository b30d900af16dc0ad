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

/** A text begins with a mark of its order, or with a character of ASCII. */
function utf16Of(data: Uint8Array): string | undefined {
  const [first, second] = data;
  const isLittle = (first === 0xff && second === 0xfe) || (first !== 0 && second === 0);
  const isBig = (first === 0xfe && second === 0xff) || (first === 0 && second !== 0);
  if (!isLittle && !isBig) return undefined;
  return decoded(data, isLittle ? 'utf-16le' : 'utf-16be');
}

function decoded(data: Uint8Array, encoding: string): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(data);
  } catch {
    return undefined;
  }
}
