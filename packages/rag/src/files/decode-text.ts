/** The encodings of Japanese before UTF-8, as `TextDecoder` names them; that of Windows is `shift_jis`. */
const JAPANESE = ['shift_jis', 'euc-jp'];
/** Switches to kanji in ISO-2022-JP, which has only bytes of ASCII. */
const TO_KANJI = [
  [0x1b, 0x24, 0x42],
  [0x1b, 0x24, 0x40],
];
const KANA = /[\u3041-\u3096\u30a1-\u30fa\u30fc]/g;
const USUAL = /[\u3000-\u30ff\u4e00-\u9fff\uff01-\uff5e\u2010-\u2026\u25a0-\u25cf]/g;
const BEYOND_ASCII = /[^\0-\x7f]/g;
/** Minimum share of usual characters, and minimum number of kana, to be sure of the encoding of a text. */
const LEAST_USUAL = 0.95;
const LEAST_KANA = 3;

/**
 * Decodes a text in UTF-8, in UTF-16 with a byte order mark, or in ISO-2022-JP, Shift_JIS (CP932) or EUC-JP, if it
 * surely is one of these. Lines stay where they are.
 *
 * @param isHead - True if the bytes may end within a character.
 * @returns Undefined for what is not text, and where the encoding is not certain.
 */
export function decodeText(bytes: Uint8Array, isHead = false): string | undefined {
  const decode = (encoding: string): string | undefined => {
    try {
      return new TextDecoder(encoding, { fatal: true }).decode(bytes, { stream: isHead });
    } catch {
      return undefined;
    }
  };
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return decode('utf-16le');
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return decode('utf-16be');
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (TO_KANJI.some((escape) => buffer.includes(Buffer.from(escape)))) {
    const text = decode('iso-2022-jp');
    if (text !== undefined) return text;
  }
  const utf8 = decode('utf-8');
  if (utf8 !== undefined) return utf8;
  const [best] = JAPANESE.flatMap((encoding) => {
    const text = decode(encoding);
    return text === undefined ? [] : [{ text, usual: usualShare(text) }];
  }).toSorted((a, b) => b.usual - a.usual);
  return best && best.usual >= LEAST_USUAL && count(best.text, KANA) >= LEAST_KANA
    ? best.text
    : undefined;
}

function usualShare(text: string): number {
  return count(text, USUAL) / Math.max(1, count(text, BEYOND_ASCII));
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
