import { regexPieces, type RegexPiece } from './regex-pieces.ts';

/** Characters without another case, so that they stay certain where case does not count. */
const CASELESS = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\d]$/u;

/**
 * Texts that every match contains, longest first, for looking with `indexOf` before a regular
 * expression is run. Empty where none is certain: alternatives, flags inside, parts that may be absent.
 *
 * @param source - In RE2 syntax, and right.
 * @param flags - With `i`, only characters that have no case are certain.
 *
 * @example
 * ```ts
 * literalsOf('第[0-9]+章の(夜明け|朝)?鐘'); // ['章の', '第', '鐘']
 * ```
 */
export function literalsOf(source: string, flags = ''): readonly string[] {
  const pieces = regexPieces(source);
  if (pieces.some(({ kind }) => kind === 'unsure')) return [];
  const isCertain = (character: string): boolean =>
    !flags.includes('i') || CASELESS.test(character);
  const found = new Set(readSequence(pieces.values(), isCertain));
  return [...found].toSorted((a, b) => b.length - a.length);
}

/** Reads up to the end of the group. */
function readSequence(
  pieces: Iterator<RegexPiece>,
  isCertain: (character: string) => boolean,
): readonly string[] {
  const found: string[] = [];
  let hasAlternatives = false;
  /** The literal so far, without the last character, which may turn out to be optional. */
  let run = '';
  /** What the next repetition is about. */
  let last: { readonly character: string; readonly inside: readonly string[] } | undefined;
  const settle = (isThere = true): void => {
    if (last !== undefined && isThere) {
      run += last.character;
      found.push(...last.inside);
    }
    last = undefined;
  };
  const endRun = (): void => {
    if (run !== '') found.push(run);
    run = '';
  };

  for (let next = pieces.next(); next.done !== true; next = pieces.next()) {
    const piece = next.value;
    if (piece.kind === 'close') break;
    if (piece.kind === 'repeat') {
      settle(piece.min > 0);
      endRun();
      continue;
    }
    settle();
    if (piece.kind === 'literal' && isCertain(piece.character)) {
      last = { character: piece.character, inside: [] };
      continue;
    }
    endRun();
    if (piece.kind === 'open') last = { character: '', inside: readSequence(pieces, isCertain) };
    hasAlternatives ||= piece.kind === 'or';
  }
  settle();
  endRun();
  return hasAlternatives ? [] : found;
}
