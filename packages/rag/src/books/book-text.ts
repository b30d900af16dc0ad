import { createHash } from 'node:crypto';
import { messageOf } from '@vizprompt/providers';
import { RagError } from '../errors.ts';
import { docxText } from './docx-text.ts';
import { epubText } from './epub-text.ts';
import { BookProblem, ZipParts } from './zip-parts.ts';

/** A document of Word with a password, or of its older versions. */
const COMPOUND_FILE = Buffer.from([0xd0, 0xcf, 0x11, 0xe0]);

/**
 * Returns the text of an EPUB or DOCX: a line for each paragraph, a line with `#` for each heading.
 *
 * @param path - Says by its ending what it is, and names it in errors.
 * @param maxCharacters - The longest text, in UTF-16 code units.
 * @throws RagError with the code `file-invalid` if it is damaged, protected or too large; `file-failed` if a package that
 * reads it is not installed.
 */
export async function bookText(
  path: string,
  bytes: Uint8Array,
  maxCharacters: number,
): Promise<string> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const context = { path };
  try {
    if (buffer.subarray(0, COMPOUND_FILE.length).equals(COMPOUND_FILE)) {
      throw new BookProblem('it has a password, or is of an old version of Word: save it as DOCX');
    }
    const parts = await ZipParts.open(buffer);
    const isEpub = path.toLowerCase().endsWith('.epub');
    return isEpub ? await epubText(parts, maxCharacters) : await docxText(parts, maxCharacters);
  } catch (cause) {
    const code = cause instanceof BookProblem ? 'file-invalid' : 'file-failed';
    const reason = `${path} cannot be read: ${messageOf(cause)}`;
    throw new RagError(code, reason, { cause, context });
  }
}

/** Texts that are kept take this many UTF-16 code units at most. */
const KEPT_CHARACTERS = 4_000_000;

/** The texts of the books that were read last: lists and pages ask for one again and again. */
export class BookTexts {
  /** The one that was used longest ago comes first. */
  readonly #texts = new Map<string, string>();
  #characters = 0;

  /** Returns `bookText` of a book, by its bytes. */
  async read(path: string, bytes: Uint8Array, maxCharacters: number): Promise<string> {
    const ending = path.slice(path.lastIndexOf('.')).toLowerCase();
    const key = `${createHash('sha256').update(bytes).digest('base64url')}${ending}`;
    const text = this.#texts.get(key) ?? (await bookText(path, bytes, maxCharacters));
    if (this.#texts.delete(key)) this.#characters -= text.length;
    this.#texts.set(key, text);
    this.#characters += text.length;
    for (const [oldest, { length }] of this.#texts) {
      if (this.#characters <= KEPT_CHARACTERS || oldest === key) break;
      this.#texts.delete(oldest);
      this.#characters -= length;
    }
    return text;
  }
}
