/**
 * What two names have in common that are one file on some systems: those that compare names by their
 * letters, whatever the case and the normal form (macOS, Windows). It may hold for a few names that only one
 * of these systems takes for the same, never for names that people tell apart.
 */
export function foldName(name: string): string {
  return Array.from(name.normalize('NFC'), foldCharacter).join('').normalize('NFC');
}

/** One by one, as `toLowerCase` writes the last sigma of a word in another way. */
function foldCharacter(character: string): string {
  // The dotless i is a letter of its own: `kapı` is a door, `kapi` is none.
  return character === 'ı' ? character : character.toUpperCase().toLowerCase();
}
