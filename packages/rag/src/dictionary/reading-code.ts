import { toKatakana } from './kana.ts';

/** A reading that is the word itself in katakana. */
const SAME = 0xff;
/** A unit outside of the block of kana: its two bytes follow. */
const OTHER = 0;
const BLOCK = 0x3000;

/** A reading as bytes: one for each kana. Empty if it is not known. */
export function encodeReading(reading: string, surface: string): readonly number[] {
  if (reading === '*' || reading === '') return [];
  if (reading === toKatakana(surface)) return [SAME];
  const bytes: number[] = [];
  for (let at = 0; at < reading.length; at++) {
    const unit = reading.charCodeAt(at);
    const code = unit - BLOCK;
    if (code > OTHER && code < SAME) bytes.push(code);
    else bytes.push(OTHER, unit >> 8, unit & 0xff);
  }
  return bytes;
}

/** The reading whose bytes stand at `from`, or the empty string if there are none. */
export function decodeReading(
  bytes: Uint8Array,
  from: number,
  to: number,
  surface: string,
): string {
  if (bytes[from] === SAME && to - from === 1) return toKatakana(surface);
  let reading = '';
  for (let at = from; at < to; at++) {
    const code = bytes[at] ?? 0;
    if (code !== OTHER) reading += String.fromCharCode(BLOCK + code);
    else reading += String.fromCharCode(((bytes[++at] ?? 0) << 8) | (bytes[++at] ?? 0));
  }
  return reading;
}
