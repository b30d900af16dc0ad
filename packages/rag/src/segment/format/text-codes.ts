import type { ByteWriter } from '../../binary/section-file.ts';

/**
 * Numbers of forms in texts: the lowest 146 in one byte, the next 26,624 in two, the next 327,680 in three, and all
 * others in five. The first byte says how many follow; with seven bits in each byte, texts take 2.4 % more.
 */
export const TWO_BYTES = 146;
export const THREE_BYTES = 250;
/** The first byte of a number that follows in four. */
export const FIVE_BYTES = 255;
/** The first number of three bytes. */
const FIRST_OF_THREE = TWO_BYTES + (THREE_BYTES - TWO_BYTES) * 256;
const FIRST_OF_FIVE = FIRST_OF_THREE + (FIVE_BYTES - THREE_BYTES) * 65_536;

/** Writes the number of a form. */
export function writeForm(writer: ByteWriter, form: number): void {
  if (form < TWO_BYTES) writer.byte(form);
  else if (form < FIRST_OF_THREE) {
    const rest = form - TWO_BYTES;
    writer.byte(TWO_BYTES + (rest >>> 8));
    writer.byte(rest & 255);
  } else if (form < FIRST_OF_FIVE) {
    const rest = form - FIRST_OF_THREE;
    writer.byte(THREE_BYTES + (rest >>> 16));
    writer.byte((rest >>> 8) & 255);
    writer.byte(rest & 255);
  } else {
    writer.byte(FIVE_BYTES);
    for (const shift of [24, 16, 8, 0]) writer.byte((form >>> shift) & 255);
  }
}

/** Returns the number of bytes that the number of a form takes. */
export function formLength(form: number): number {
  if (form < TWO_BYTES) return 1;
  if (form < FIRST_OF_THREE) return 2;
  return form < FIRST_OF_FIVE ? 3 : 5;
}

/** Returns the number of a form of three bytes or five; `at` is the place of the second. */
export function longForm(bytes: Uint8Array, at: number): number {
  const first = bytes[at - 1] ?? 0;
  const next = ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0);
  if (first < FIVE_BYTES) return FIRST_OF_THREE + ((first - THREE_BYTES) << 16) + next;
  return next * 65_536 + (((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0));
}

/**
 * Writes down the numbers of forms in the first bytes.
 *
 * @param target - As long as the bytes are many.
 * @returns How many there are.
 */
export function readForms(bytes: Uint8Array, length: number, target: Uint32Array): number {
  let count = 0;
  for (let at = 0; at < length;) {
    const first = bytes[at++] ?? 0;
    if (first < TWO_BYTES) target[count++] = first;
    else if (first < THREE_BYTES) {
      target[count++] = TWO_BYTES + (((first - TWO_BYTES) << 8) | (bytes[at++] ?? 0));
    } else {
      target[count++] = longForm(bytes, at);
      at += first < FIVE_BYTES ? 2 : 4;
    }
  }
  return count;
}
