/** A text, or where its bytes are none. */
export type DecodedText =
  | { readonly text: string }
  | { readonly line: number; readonly column: number };

/**
 * Decodes UTF-8 strictly: a file in Shift_JIS or UTF-16 would otherwise become words that nobody wrote.
 *
 * @returns The text without a BOM, or line and column of the first byte that is no UTF-8.
 */
export function decodeUtf8(bytes: Uint8Array): DecodedText {
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch {
    const lines = new TextDecoder('utf-8').decode(bytes).split('\n');
    const broken = lines.findIndex((line) => line.includes('\ufffd'));
    return { line: broken + 1, column: (lines[broken] ?? '').indexOf('\ufffd') + 1 };
  }
}
