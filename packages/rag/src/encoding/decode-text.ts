/** The encodings of Japanese before UTF-8, as `TextDecoder` names them: that of Windows, that of Unix. */
const JAPANESE = ['shift_jis', 'euc-jp'];
/** Switches to kanji, or to half-width kana, in ISO-2022-JP, which has only bytes of ASCII. */
const ESCAPES = [
  [0x1b, 0x24, 0x42],
  [0x1b, 0x24, 0x40],
  [0x1b, 0x28, 0x49],
];
/** Begins a switch to characters of several bytes: one that cannot be decoded is no text in ASCII. */
const SWITCH = Buffer.from([0x1b, 0x24]);
/** Western texts, in which letters with accents are next to letters without. */
const WESTERN = /^[\0-\u024f]*$/;
const ACCENT = /[a-z][\u00e1-\u024f]|[\u00e1-\u024f][a-z]/;
/** UTF-8 that was decoded as Shift_JIS: `縺ｾ縺壹↓`. */
const LIKE_UTF8 = /(?:[縺繧繝縲][^縺繧繝縲\u3041-\u3096]{1,4}){2}/u;
/** The encodings with two bytes for a character, of which a text in Latin letters has a zero in each. */
const WIDE = ['utf-16le', 'utf-16be'];
const CONTROL = /[^\P{Cc}\t\n\v\f\r]|\ufffe/u;
/** The minimum share of zeros in such a text, all of them at the same place of a character. */
const LEAST_ZEROS = 0.3;
/** Maximum share of those at the other place, as that of U+3000. */
const MOST_OTHERS = 0.2;
const KANA = /[\u3041-\u3096\u30a1-\u30fa\u30fc]/g;
/** The characters of JIS X 0208. */
const USUAL =
  /[\u3000-\u30ff\u4e00-\u9fff\uff01-\uff5e\uffe0-\uffe5\u2010-\u2312\u2500-\u266f\u0391-\u0451\u00a7\u00a8\u00b0\u00b1\u00b4\u00b6\u00d7\u00f7]/g;
/** Characters that NEC and IBM added to Shift_JIS: `①`, `㈱`, `﨑`. */
const ADDED = /[\u3220-\u33ff\uf929\uf9dc\ufa0e-\ufa2d\u2460-\u2473]/g;
/** Half-width kana are what texts in other encodings look like: they speak neither for nor against one. */
const DOUBTFUL = /[\uff61-\uff9f]/g;
const BEYOND_ASCII = /[^\0-\x7f]/g;
/** Characters next to each other: those of Western texts that were decoded wrongly are alone, `don稚`. */
const IN_RUNS = /[^\0-\x7f]{2}[^\0-\x7f]*/g;
/** Minimum share of usual characters, and minimum number of kana, to be sure of the encoding of a text. */
const LEAST_USUAL = 0.95;
const LEAST_KANA = 3;
/** Minimum share of kana in a text in UTF-16 that could be one in ASCII. */
const LEAST_SHARE_OF_KANA = 0.2;
/** Without kana: the minimum number of characters, and the share of those next to another one. */
const LEAST_CHARACTERS = 4;
const LEAST_IN_RUNS = 0.8;

/**
 * Decodes a text in UTF-8, in UTF-16, or in ISO-2022-JP, Shift_JIS (CP932) or EUC-JP, if it
 * surely is one of these. Lines stay where they are.
 *
 * @param isHead - True if the bytes may end within a character.
 * @returns Undefined for what is not text, and where the encoding is not certain.
 */
export function decodeText(bytes: Uint8Array, isHead = false): string | undefined {
  const decode = (encoding: string, encoded = bytes): string | undefined => {
    try {
      return new TextDecoder(encoding, { fatal: true }).decode(encoded, { stream: isHead });
    } catch {
      return undefined;
    }
  };
  // UTF-32 begins with the same mark.
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return withoutZeros(decode('utf-16le'));
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return withoutZeros(decode('utf-16be'));
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const utf8 = decode('utf-8');
  const isSwitched = ESCAPES.some((escape) => buffer.includes(Buffer.from(escape)));
  // Kana of eight bits may be UTF-8 where there are few: `ﾈｺ` is `Ⱥ`.
  const isMail = isSwitched && bytes.every(isAsciiOrKana) && !isWestern(utf8);
  const mail = isMail ? decode('iso-2022-jp', withSwitchedKana(bytes)) : undefined;
  if (mail !== undefined) return mail;
  // Bytes of another encoding hardly ever are characters of several bytes in UTF-8, and all of them.
  if (utf8 !== undefined && /[^\0-\x7f]/.test(utf8)) return utf8;
  if (utf8 !== undefined && buffer.includes(SWITCH)) return undefined;
  if (utf8 !== undefined && !CONTROL.test(utf8)) return utf8;
  const wide = WIDE.map((encoding) => decode(encoding) ?? '').map((text) =>
    CONTROL.test(text) ? '' : text,
  );
  const latin = wide[wideOf(buffer)];
  if (latin !== undefined && latin !== '') return latin;
  const texts = JAPANESE.map((encoding) => decode(encoding) ?? '');
  const [windows = '', unix = ''] = texts;
  if (utf8 !== undefined) {
    // Colors of a terminal are controls too, and pairs of ASCII are a few kana among many kanji.
    return wide.find((text) => isByKana(text, true) && isMostlyKana(text)) ?? utf8;
  }
  if (LIKE_UTF8.test(windows)) return undefined;
  const [best] = [...texts, ...wide]
    .filter((text) => isByKana(text, text !== unix))
    .toSorted((a, b) => count(b, KANA) - count(a, KANA));
  return best ?? (unix === '' && isByKanji(windows) ? windows : undefined);
}

/** Checks whether a byte is in the 7-bit half of JIS X 0201, or half-width kana in the other. */
function isAsciiOrKana(byte: number): boolean {
  return byte < 0x80 || (byte >= 0xa1 && byte <= 0xdf);
}

function isWestern(text: string | undefined): boolean {
  return text !== undefined && ACCENT.test(text) && WESTERN.test(text);
}

/** Returns a text unless it has a zero, which no text has: it is in an encoding of more bytes. */
function withoutZeros(text: string | undefined): string | undefined {
  return text?.includes('\0') === true ? undefined : text;
}

/** Returns the place in {@link WIDE} of the encoding of a text by the zeros that Latin letters have in it; -1 if it has few. */
function wideOf(bytes: Buffer): number {
  let [big, little] = [0, 0];
  for (let at = 0; at < bytes.length; at++) {
    if (bytes[at] === 0 && at % 2 === 0) big++;
    else if (bytes[at] === 0) little++;
  }
  if (Math.max(big, little) < LEAST_ZEROS * bytes.length) return -1;
  return Math.min(big, little) > MOST_OTHERS * Math.max(big, little) ? -1 : little > big ? 0 : 1;
}

/** Checks whether a text is surely Japanese by its kana. */
function isByKana(text: string, isWindows: boolean): boolean {
  const usual = count(text, USUAL) + (isWindows ? count(text, ADDED) : 0);
  const certain = count(text, BEYOND_ASCII) - count(text, DOUBTFUL);
  return count(text, KANA) >= LEAST_KANA && usual >= LEAST_USUAL * certain;
}

function isMostlyKana(text: string): boolean {
  return count(text, KANA) >= LEAST_SHARE_OF_KANA * text.length;
}

/**
 * Checks whether a text without kana is surely one in Shift_JIS, which looks like no other encoding. In EUC-JP it might
 * be Chinese as well.
 */
function isByKanji(text: string): boolean {
  const beyond = count(text, BEYOND_ASCII);
  const inRuns = (text.match(IN_RUNS) ?? []).reduce((sum, run) => sum + run.length, 0);
  const isWhole = beyond >= LEAST_CHARACTERS && count(text, USUAL) + count(text, ADDED) === beyond;
  return isWhole && inRuns >= LEAST_IN_RUNS * beyond;
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}

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
function withSwitchedKana(bytes: Uint8Array): Uint8Array {
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
