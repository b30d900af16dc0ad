const ESCAPE = 0x1b;
const SHIFT_OUT = 0x0e;
const SHIFT_IN = 0x0f;
/** Switches, each the number of its three bytes: to half-width kana, to ASCII. */
const TO_KANA = 0x1b2849;
const TO_ASCII = 0x1b2842;
const SWITCH_LENGTH = 3;
/** The second byte of a switch to characters of two bytes. */
const TWO_BYTES = 0x24;
const LOWEST_KANA = 0x21;
const HIGHEST_KANA = 0x5f;
const EIGHTH_BIT = 0x80;

/**
 * Returns a text in ISO-2022-JP whose half-width kana are those that `TextDecoder` reads, which are switched to by `ESC ( I`.
 * Older programs write them between SO and SI, or with eight bits.
 *
 * Source: JIS X 0201, 7-bit and 8-bit coding.
 */
export function withSwitchedKana(bytes: Uint8Array): Uint8Array {
  if (!bytes.some((byte) => byte === SHIFT_OUT || byte >= EIGHTH_BIT)) return bytes;
  const written = new Uint8Array((SWITCH_LENGTH + 1) * bytes.length);
  let length = 0;
  let isShifted = false;
  /** The characters that the text has switched to, and those that were switched to in what is written: each switch needs one. */
  let [current, active] = [TO_ASCII, TO_ASCII];
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte === SHIFT_OUT || byte === SHIFT_IN) isShifted = byte === SHIFT_OUT;
    else if (byte === ESCAPE) {
      current = (byte << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0);
      at += SWITCH_LENGTH - 1;
    } else {
      const isWide = ((current >> 8) & 0xff) === TWO_BYTES;
      const kana = isShifted ? byte : isWide ? 0 : byte - EIGHTH_BIT;
      const isKana = kana >= LOWEST_KANA && kana <= HIGHEST_KANA;
      const wanted = isKana ? TO_KANA : current;
      if (wanted !== active) {
        for (const shift of [16, 8, 0]) written[length++] = wanted >> shift;
      }
      active = wanted;
      written[length++] = isKana ? kana : byte;
    }
  }
  return written.subarray(0, length);
}
