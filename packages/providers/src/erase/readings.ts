const BACKSLASH = 92;
const AMPERSAND = 38;
const ENTITIES = [
  ['lt;', '<'],
  ['gt;', '>'],
  ['quot;', '"'],
  ['apos;', "'"],
] as const;

/** A code unit that a place of a text may represent, and where it ends. */
type Reading = readonly [unit: number, end: number];

/**
 * Returns what may be at a place of a text: its code unit, and what that is when the text is escaped: by JSON that is
 * a value of JSON, however often, or by XML. Backslashes are passed over, as one may be an escape or what was said.
 */
export function readingsAt(text: string, at: number): readonly Reading[] {
  const unit = text.charCodeAt(at);
  if (Number.isNaN(unit)) return [];
  return unit === BACKSLASH ? afterBackslash(text, at + 1) : meaningsOf(unit, text, at + 1);
}

function meaningsOf(unit: number, text: string, end: number): readonly Reading[] {
  return unit === AMPERSAND ? afterAmpersand(text, end) : [[unit, end]];
}

function afterBackslash(text: string, at: number): readonly Reading[] {
  let after = at;
  // Each level of JSON doubles the backslashes of the one before.
  while (text.charCodeAt(after) === BACKSLASH) after++;
  const escaped = text.charCodeAt(after);
  if (Number.isNaN(escaped)) return [];
  const code = /^u([\da-f]{4})$/i.exec(text.slice(after, after + 5))?.[1];
  if (!code) return meaningsOf(escaped, text, after + 1);
  return [[escaped, after + 1], ...meaningsOf(Number.parseInt(code, 16), text, after + 5)];
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
    readings.push([unit, after + all.length]);
  }
  return readings;
}
