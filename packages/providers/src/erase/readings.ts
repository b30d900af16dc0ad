/**
 * Readings of the places of a text. Copies are escaped as JSON, XML or parts of addresses, wrapped at other widths,
 * quoted with marks before their lines, and written in other forms of Unicode, widths and cases.
 */

/** A code unit that a place of a text may represent, and where it ends. */
type Reading = readonly [unit: number, end: number];

const SPACE = 32;
const PERCENT = 37;
const AMPERSAND = 38;
const PLUS = 43;
const BACKSLASH = 92;
const WIDE_BACKSLASH = 0xff3c;
/** Ideographs and kana, whose lines are broken without a space, begin here. */
const FIRST_WIDE = 0x2e80;
const ENTITIES = [
  ['lt;', '<'],
  ['gt;', '>'],
  ['quot;', '"'],
  ['apos;', "'"],
] as const;

/** Returns a text as its pieces are compared: without case and width, composed, and with one space between words. */
export function foldText(text: string): string {
  const composed = text.normalize('NFC').replaceAll('\uff3c', '');
  let folded = '';
  for (let at = 0; at < composed.length;) {
    const unit = composed.charCodeAt(at);
    const [reading] = isSpace(unit) ? [] : marked(unit, composed, at + 1);
    folded += String.fromCharCode(isSpace(unit) ? SPACE : (reading?.[0] ?? foldUnit(unit)));
    at = isSpace(unit) ? endOfSpaces(composed, at) : (reading?.[1] ?? at + 1);
  }
  return folded;
}

/**
 * Returns what may be at a place of a text: its code unit, and what that is when the text is escaped: by JSON that is
 * a value of JSON, however often, by XML, or by an address. Backslashes are passed over, as one may be an escape or what
 * was said.
 */
export function readingsAt(text: string, at: number): readonly Reading[] {
  const unit = text.charCodeAt(at);
  if (Number.isNaN(unit)) return [];
  return unit === BACKSLASH ? afterBackslash(text, at) : meaningsOf(unit, text, at);
}

function meaningsOf(unit: number, text: string, at: number): readonly Reading[] {
  const end = at + 1;
  if (isSpace(unit)) return spaceAt(text, at);
  if (unit === AMPERSAND) return afterAmpersand(text, end);
  if (unit === PERCENT) return [[unit, end], ...percentAt(text, at)];
  // It is passed over, as one of ASCII.
  if (unit === WIDE_BACKSLASH) return readingsAt(text, end);
  if (unit === PLUS) return [...marked(unit, text, end), [unit, end], [SPACE, end]];
  return [...marked(unit, text, end), [foldUnit(unit), end]];
}

function afterBackslash(text: string, at: number): readonly Reading[] {
  let after = at + 1;
  // Each level of JSON doubles the backslashes of the one before.
  const limit = at + MOST_BACKSLASHES;
  while (after < limit && text.charCodeAt(after) === BACKSLASH) after++;
  const escaped = text.charCodeAt(after);
  if (Number.isNaN(escaped)) return [];
  const code = /^u([\da-f]{4})$/i.exec(text.slice(after, after + 5))?.[1];
  if (code) {
    const unit = Number.parseInt(code, 16);
    const meant = unit === AMPERSAND ? afterAmpersand(text, after + 5) : [unitAt(unit, after + 5)];
    return [unitAt(escaped, after + 1), ...meant];
  }
  const meant = meaningsOf(escaped, text, after);
  return isLineEscape(escaped) ? [...meant, ...spaceAt(text, at)] : meant;
}

function unitAt(unit: number, end: number): Reading {
  return [isSpace(unit) ? SPACE : foldUnit(unit), end];
}

/** `&amp;lt;` is an entity that was escaped again, and `&amp;` may have been said itself. */
function afterAmpersand(text: string, at: number): readonly Reading[] {
  let after = at;
  const readings: Reading[] = [[AMPERSAND, after]];
  while (text.startsWith('amp;', after)) {
    after += 4;
    readings.push([AMPERSAND, after]);
  }
  const named = ENTITIES.find(([name]) => text.startsWith(name, after));
  if (named) readings.push([named[1].charCodeAt(0), after + named[0].length]);
  const numbered = /^#(?:x([\da-f]{1,4})|(\d{1,5}));/i.exec(text.slice(after, after + 8));
  if (numbered) {
    const [all, hex, decimal] = numbered;
    const unit = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    readings.push(unitAt(unit, after + all.length));
  }
  return readings;
}

/** A character of an address, whose bytes may be escaped several times: `%E9`, `%25E9`. */
function percentAt(text: string, at: number): readonly Reading[] {
  const first = byteAt(text, at);
  if (!first) return [];
  let [lead, end] = first;
  const bytes = [lead];
  const length = lead < 0xc0 ? 1 : lead < 0xe0 ? 2 : 3;
  while (bytes.length < length) {
    const next = byteAt(text, end);
    if (!next) return [];
    bytes.push(next[0]);
    end = next[1];
  }
  const character = Buffer.from(bytes).toString();
  const unit = character.charCodeAt(0);
  if (unit === BACKSLASH) return readingsAt(text, end);
  return character.length === 1 && unit !== 0xfffd ? [unitAt(unit, end)] : [];
}

function byteAt(text: string, at: number): Reading | undefined {
  if (text.charCodeAt(at) !== PERCENT) return undefined;
  let digits = at + 1;
  const limit = at + MOST_ESCAPES * 2;
  while (digits < limit && /^25[\da-f]{2}$/i.test(text.slice(digits, digits + 4))) digits += 2;
  const hex = text.slice(digits, digits + 2);
  return /^[\da-f]{2}$/i.test(hex) ? [Number.parseInt(hex, 16), digits + 2] : undefined;
}

/** White space is one space, and nothing where a line of ideographs was broken. */
function spaceAt(text: string, at: number): readonly Reading[] {
  const end = endOfSpaces(text, at);
  const next = text.charCodeAt(end);
  if (next < FIRST_WIDE || Number.isNaN(next)) return [[SPACE, end]];
  return [[SPACE, end], ...marked(next, text, end + 1), [foldUnit(next), end + 1]];
}

/** Returns where white space ends, and the marks of a quotation at the beginning of a line. */
function endOfSpaces(text: string, from: number): number {
  let at = from;
  let isLine = false;
  while (at < from + MOST_SPACES) {
    const unit = text.charCodeAt(at);
    if (isSpace(unit)) {
      isLine ||= unit === 10 || unit === 13;
      at++;
      continue;
    }
    if (unit === BACKSLASH) {
      let after = at;
      const limit = at + MOST_BACKSLASHES;
      while (after < limit && text.charCodeAt(after) === BACKSLASH) after++;
      if (!isLineEscape(text.charCodeAt(after))) return at;
      isLine = true;
      at = after + 1;
      continue;
    }
    // `>`, `|` and the line of a box.
    if (!isLine || (unit !== 62 && unit !== 124 && unit !== 0x2502)) return at;
    at++;
  }
  return at;
}

/** Longer runs are read in parts, as each place of a text may begin one. */
const MOST_ESCAPES = 8;
const MOST_SPACES = 200;
const MOST_BACKSLASHES = 64;

/** Checks for `n`, `r` and `t`. */
function isLineEscape(unit: number): boolean {
  return unit === 110 || unit === 114 || unit === 116;
}

function isSpace(unit: number): boolean {
  return unit <= SPACE
    ? unit === SPACE || (unit >= 9 && unit <= 13)
    : unit === 0xa0 || unit === 0x3000;
}

/** Returns the character that a unit and the marks after it are together: `e` and an accent, half-width `ｶﾞ`. */
function marked(unit: number, text: string, end: number): readonly Reading[] {
  if (!isMark(text.charCodeAt(end))) return [];
  let after = end;
  while (after < end + MOST_MARKS && isMark(text.charCodeAt(after))) after++;
  const together = (String.fromCharCode(unit) + text.slice(end, after)).normalize('NFKC');
  return together.length === 1 ? [[foldUnit(together.charCodeAt(0)), after]] : [];
}

const MOST_MARKS = 4;

function isMark(unit: number): boolean {
  return (
    (unit >= 0x300 && unit <= 0x36f) ||
    unit === 0x3099 ||
    unit === 0x309a ||
    unit === 0xff9e ||
    unit === 0xff9f
  );
}

/** Units without case and width, when they were asked for; 0 for others. */
const folds = new Uint16Array(0x10000);

function foldUnit(unit: number): number {
  const known = folds[unit] ?? 0;
  if (known !== 0) return known;
  const folded = String.fromCharCode(unit).normalize('NFKC').toLowerCase();
  const result = folded.length === 1 ? folded.charCodeAt(0) : unit;
  folds[unit] = result;
  return result;
}
