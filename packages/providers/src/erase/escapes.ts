/** A code unit that a place of a text may represent, and where it ends. */
export type Reading = readonly [unit: number, end: number];

const AMPERSAND = 38;
export const BACKSLASH = 92;
const ENTITIES = [
  ['lt;', '<'],
  ['gt;', '>'],
  ['quot;', '"'],
  ['apos;', "'"],
  ['nbsp;', '\u00a0'],
] as const;

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
  const named = ENTITIES.find(([name]) => text.startsWith(name, after));
  if (named) readings.push([named[1].charCodeAt(0), after + named[0].length]);
  const numbered = /^#(?:x([\da-f]{1,4})|(\d{1,5}));/i.exec(text.slice(after, after + 8));
  if (numbered) {
    const [all, hex, decimal] = numbered;
    const unit = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    readings.push([unit, after + all.length]);
  }
  return readings;
}
