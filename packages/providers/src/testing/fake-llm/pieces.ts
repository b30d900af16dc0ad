/** Returns the characters (code points) of a text: here, each is a token. */
export function lengthOf(text: string): number {
  return Array.from(text).length;
}

/** Returns a text in pieces of this many characters (code points); an empty text has none. */
export function piecesOf(text: string, size: number): readonly string[] {
  const characters = Array.from(text);
  return Array.from({ length: Math.ceil(characters.length / size) }, (_, piece) =>
    characters.slice(piece * size, (piece + 1) * size).join(''),
  );
}

/** Returns the first half of a text, at least one character. */
export function firstHalf(text: string): string {
  return piecesOf(text, Math.max(1, Math.floor(lengthOf(text) / 2)))[0] ?? '';
}
