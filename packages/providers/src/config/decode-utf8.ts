import { checkArgument } from '../input/check-input.ts';
import { BYTES } from '../input/part-kinds.ts';

/** A text, or its beginning before the first invalid bytes. */
export interface DecodedText {
  readonly text: string;
  /** The problem after `text`. */
  readonly problem?: string;
}

/**
 * Reads bytes as UTF-8, as far as they are: a file in Shift_JIS or UTF-16 would otherwise become words that were never
 * wrote. A BOM stays.
 *
 * @example
 * ```ts
 * const { text, problem } = decodeUtf8(await readFile('config.yaml'));
 * if (problem) throw new Error(`${placeAt(text, text.length).line}: ${problem}`);
 * ```
 */
export function decodeUtf8(bytes: Uint8Array): DecodedText {
  checkArgument('the argument of decodeUtf8', bytes, BYTES);
  const whole = decode(bytes, false);
  if (whole !== undefined) return { text: whole };
  let [good, bad] = [0, bytes.length + 1];
  while (bad - good > 1) {
    const middle = Math.floor((good + bad) / 2);
    if (decode(bytes.subarray(0, middle), true) === undefined) bad = middle;
    else good = middle;
  }
  const text = decode(bytes.subarray(0, good), true) ?? '';
  return {
    text,
    problem: 'from here on it is no UTF-8 (Shift_JIS or UTF-16?): save the file as UTF-8',
  };
}

/** @param isBeginning - True if it may end within a character. */
function decode(bytes: Uint8Array, isBeginning: boolean): string | undefined {
  try {
    // The mark is kept, as places count from the beginning of the text.
    const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
    return decoder.decode(bytes, { stream: isBeginning });
  } catch {
    return undefined;
  }
}
