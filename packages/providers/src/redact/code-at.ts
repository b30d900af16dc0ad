/** More than any UTF-16 unit. */
const NO_CODE = 0x1_00_00;

/**
 * Returns the UTF-16 unit at an offset, or 65,536 outside of the text. A function that once asked `charCodeAt` for what
 * is outside is several times as slow from then on.
 */
export function codeAt(text: string, at: number): number {
  return at >>> 0 < text.length ? text.charCodeAt(at) : NO_CODE;
}
