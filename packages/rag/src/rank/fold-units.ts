/** A unit whose fold depends on its neighbours or is not one unit: then the whole text is folded. */
const COMPLEX = 0xffff;

/** Folds of single UTF-16 units, as they come up; 0: not asked for yet. */
const folds = new Uint16Array(65_536);

/** A text as bigrams compare it: NFKC, small letters. */
function foldText(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}

/** The UTF-16 units of a text. */
export function unitsOf(text: string): Uint16Array {
  const units = new Uint16Array(text.length);
  for (let at = 0; at < text.length; at++) units[at] = text.charCodeAt(at);
  return units;
}

/**
 * Folds a text in its place, without making strings where it can: searching reads dozens of chunks for
 * each query.
 *
 * @returns The folded text; `units` itself if it has the same length.
 */
export function foldUnits(units: Uint16Array): Uint16Array {
  for (let at = 0; at < units.length; at++) {
    const unit = units[at] ?? 0;
    const fold = folds[unit] === 0 ? foldOf(unit) : folds[unit];
    if (fold === COMPLEX) {
      return unitsOf(
        foldText(Buffer.from(units.buffer, units.byteOffset, units.byteLength).toString('utf16le')),
      );
    }
  }
  for (let at = 0; at < units.length; at++) units[at] = folds[units[at] ?? 0] ?? 0;
  return units;
}

function foldOf(unit: number): number {
  const character = String.fromCharCode(unit);
  const folded = foldText(character);
  // Marks, Jamo and half-width voicing marks join what stands before; sigma depends on what follows.
  const joins = /[\p{M}\p{Cs}\u1100-\u11ff\uff9e\uff9fΣ]/u.test(character);
  const fold = joins || folded.length !== 1 ? COMPLEX : folded.charCodeAt(0);
  // NUL has no fold of its own here; asking again costs nothing.
  folds[unit] = fold;
  return fold;
}
