import type { RegexPiece } from './regex-pieces.ts';

/**
 * About how many steps a regular expression has when its repetitions are written out: what each
 * character of a text may cost.
 */
export function regexSize(pieces: readonly RegexPiece[]): number {
  const outer: number[] = [];
  let size = 0;
  /** Of the piece or group before: what a repetition is about. */
  let last = 0;
  for (const piece of pieces) {
    if (piece.kind === 'repeat') {
      size += last * (piece.max - 1);
      last *= piece.max;
    } else if (piece.kind === 'open') {
      outer.push(size);
      size = 0;
    } else if (piece.kind === 'close') {
      last = size;
      size += outer.pop() ?? 0;
    } else {
      last = 1;
      size += 1;
    }
  }
  return outer.reduce((sum, part) => sum + part, size);
}
