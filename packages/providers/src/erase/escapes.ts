/** A code unit that a place of a text may represent, where it ends, and the units that are there after the first. */
export type Reading = readonly [unit: number, end: number, more?: string];

const AMPERSAND = 38;
const PERCENT = 37;
const EQUALS = 61;
export const BACKSLASH = 92;

/** Longer runs are read in parts, as each place of a text may begin one. */
const MOST_ESCAPES = 8;
export const MOST_BACKSLASHES = 64;

const LATIN_1 =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute ' +
  'micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig ' +
  'Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash ' +
  'Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ' +
  'ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc ' +
  'uuml yacute thorn yuml';

/** The entities of XML, those of HTML 4 for Latin 1, from U+00A0 on, and those of its signs between words. */
const ENTITIES: ReadonlyMap<string, string> = new Map([
  ...LATIN_1.split(' ').map((name, at) => [name, String.fromCharCode(0xa0 + at)] as const),
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
  ['ndash', '–'],
  ['mdash', '—'],
  ['lsquo', '‘'],
  ['rsquo', '’'],
  ['ldquo', '“'],
  ['rdquo', '”'],
  ['hellip', '…'],
]);

/**
 * Returns what may be at a place of a text: its code unit, and what that is when the text is escaped: by JSON that is
 * a value of JSON, however often, or by XML. Backslashes are passed over, as one may be an escape or what was said.
 */
export function escapesAt(text: string, at: number): readonly Reading[] {
  const unit = text.charCodeAt(at);
  if (Number.isNaN(unit)) return [];
  return unit === BACKSLASH ? afterBackslash(text, at) : meaningsOf(unit, text, at + 1);
}

function meaningsOf(unit: number, text: string, end: number): readonly Reading[] {
  return unit === AMPERSAND ? entitiesAt(text, end) : [[unit, end]];
}

function afterBackslash(text: string, at: number): readonly Reading[] {
  // Each level of JSON doubles the backslashes of the one before.
  const after = endOfBackslashes(text, at);
  const escaped = text.charCodeAt(after);
  if (Number.isNaN(escaped)) return [];
  const code = codeAt(text, after);
  if (code === undefined) return meaningsOf(escaped, text, after + 1);
  return [[escaped, after + 1], ...meaningsOf(code, text, after + 5)];
}

/** Returns where a run of backslashes ends. */
export function endOfBackslashes(text: string, at: number): number {
  let after = at;
  while (text.charCodeAt(after) === BACKSLASH) after++;
  return after;
}

/** Returns the code unit of the rest of an escape of JSON: `u00e9`. */
export function codeAt(text: string, at: number): number | undefined {
  const hex = /^u([\da-f]{4})$/i.exec(text.slice(at, at + 5))?.[1];
  return hex === undefined ? undefined : Number.parseInt(hex, 16);
}

/** Returns what may be after an ampersand: `&amp;lt;` was escaped again, and `&amp;` may have been said itself. */
export function entitiesAt(text: string, at: number): readonly Reading[] {
  let after = at;
  const readings: Reading[] = [[AMPERSAND, after]];
  while (text.startsWith('amp;', after)) {
    after += 4;
    readings.push([AMPERSAND, after]);
  }
  const [all, hex, decimal, name = ''] = ENTITY.exec(text.slice(after, after + 10)) ?? [];
  if (all === undefined) return readings;
  const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
  const meant = ENTITIES.get(name) ?? characterOf(code);
  if (meant !== undefined) readings.push([meant.charCodeAt(0), after + all.length, meant.slice(1)]);
  return readings;
}

const ENTITY = /^(?:#x([\da-f]{1,6})|#(\d{1,7})|([a-z][a-z\d]{1,7}));/i;

/** Returns the character that has a code, if there is one. */
function characterOf(code: number): string | undefined {
  return code <= 0x10_ffff ? String.fromCodePoint(code) : undefined;
}

/** Returns the character of the rest of an escape of a code point: `\u{1f408}` of JavaScript, `\U0001f408` and `\xe9` of Python. */
export function codePointAt(text: string, at: number): Reading | undefined {
  const [all, braced, long, short = ''] =
    /^(?:u\{([\da-f]{1,6})\}|U([\da-f]{8})|x([\da-f]{2}))/i.exec(text.slice(at, at + 9)) ?? [];
  const character = characterOf(Number.parseInt(braced ?? long ?? short, 16));
  if (all === undefined || character === undefined) return undefined;
  return [character.charCodeAt(0), at + all.length, character.slice(1)];
}

/** Returns where the end of a line within a word of a mail ends: `=` and a line break; the same place if none begins. */
export function endOfSoftBreak(text: string, at: number): number {
  if (text.charCodeAt(at) !== EQUALS) return at;
  const end = text.charCodeAt(at + 1) === 13 ? at + 2 : at + 1;
  return text.charCodeAt(end) === 10 ? end + 1 : at;
}

/** Returns the byte that an escape at a place means. */
export function byteAt(text: string, from: number): Reading | undefined {
  const unit = text.charCodeAt(from);
  if (unit === BACKSLASH) {
    const after = endOfBackslashes(text, from);
    const [all, hex, octal = ''] = BYTE.exec(text.slice(after, after + 3)) ?? [];
    if (all === undefined || after - from > MOST_BACKSLASHES) return undefined;
    return [hex === undefined ? Number.parseInt(octal, 8) : Number.parseInt(hex, 16), after + 3];
  }
  const at = endOfSoftBreak(text, from);
  if (text.charCodeAt(at) === EQUALS) return hexAt(text, at + 1);
  if (text.charCodeAt(at) !== PERCENT) return undefined;
  let digits = at + 1;
  const limit = at + MOST_ESCAPES * 2;
  while (digits < limit && /^25[\da-f]{2}$/i.test(text.slice(digits, digits + 4))) digits += 2;
  return hexAt(text, digits);
}

const BYTE = /^(?:x([\da-f]{2})|([0-3][0-7]{2}))/i;

function hexAt(text: string, at: number): Reading | undefined {
  const hex = text.slice(at, at + 2);
  return /^[\da-f]{2}$/i.test(hex) ? [Number.parseInt(hex, 16), at + 2] : undefined;
}
