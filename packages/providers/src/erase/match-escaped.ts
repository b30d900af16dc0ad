/** The length of the keys by which pieces are found, in UTF-16 code units. */
export const KEY_LENGTH = 4;

const BACKSLASH = 92;
const ENTITIES: Readonly<Record<string, string>> = {
  '&': 'amp;',
  '<': 'lt;',
  '>': 'gt;',
  '"': 'quot;',
  "'": 'apos;',
};

/** Returns what a piece may begin with: as it is, and as JSON of ASCII escapes it. */
export function keysOf(piece: string): readonly string[] {
  return [piece, asciiOf(piece)].map((form) => form.slice(0, KEY_LENGTH));
}

/**
 * Checks whether a piece is at a place of a text, as it is or escaped: by JSON that is a value of JSON, however
 * often, or by XML.
 *
 * @returns Where it ends.
 */
export function matchEscaped(text: string, from: number, piece: string): number | undefined {
  let at = from;
  for (let index = 0; index < piece.length; index++) {
    const unit = piece[index] ?? '';
    // A run of backslashes is matched as one.
    if (unit === '\\' && piece[index - 1] === '\\') continue;
    const after = unitAt(text, at, unit);
    if (after === undefined) return undefined;
    at = after;
  }
  return at;
}

/** Where one code unit ends, escaped or not. */
function unitAt(text: string, at: number, unit: string): number | undefined {
  if (text[at] === unit && unit !== '\\' && unit !== '&') return at + 1;
  let after = at;
  while (text.charCodeAt(after) === BACKSLASH) after++;
  // Each level of JSON doubles the backslashes of the one before.
  if (unit === '\\') return after > at ? after : undefined;
  if (after > at) {
    if (text[after] === unit) return after + 1;
    const isCode =
      text[after] === 'u' &&
      Number.parseInt(text.slice(after + 1, after + 5), 16) === unit.charCodeAt(0);
    return isCode ? after + 5 : undefined;
  }
  return entityAt(text, at, unit);
}

/** Where an entity ends; `&amp;lt;` is one that was escaped again. */
function entityAt(text: string, at: number, unit: string): number | undefined {
  if (text[at] !== '&') return undefined;
  const name = ENTITIES[unit];
  if (name !== undefined) {
    // Escaped again, `&` begins with a row of `amp;`. For `&` itself the last of them is its name.
    const row = unit === '&' ? 'amp;amp;' : 'amp;';
    let after = at + 1;
    while (text.startsWith(row, after)) after += 4;
    if (text.startsWith(name, after)) return after + name.length;
  }
  return unit === '&' ? at + 1 : undefined;
}

function asciiOf(text: string): string {
  return text.replaceAll(/[\u0080-\uFFFF]/g, (unit) => {
    return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}
