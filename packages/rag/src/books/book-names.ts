/** The endings of books, which are read and never written. */
export const BOOK_ENDINGS: readonly string[] = ['.epub', '.docx'];

/** Most of a book may be pictures: it may be this many times as large as a file of text. */
export const BOOK_FACTOR = 10;

/** Checks whether a name is that of a book. */
export function isBookName(name: string): boolean {
  return /[^./]\.(?:epub|docx)$/i.test(name);
}
