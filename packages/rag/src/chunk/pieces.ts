import { isCharacterBorder, isInsidePair } from '@vizprompt/providers';
import { Border, hashOf } from './border.ts';
import type { ChunkLimits } from './chunking-options.ts';

/** The end of a piece of a sentence. */
export interface PieceEnd {
  readonly to: number;
  readonly border: Border;
}

const CLAUSE_END = /[、，,；;：:…―—\s]+/gu;

/**
 * Cuts a sentence that is too long for a unit: at commas and blanks, and where there are none,
 * between characters. All of these places depend on the text around them alone.
 */
export function* pieceEnds(
  text: string,
  from: number,
  to: number,
  { maxTokens }: ChunkLimits,
): Generator<PieceEnd> {
  const longest = Math.min(64, Math.max(1, Math.floor(maxTokens / 8)));
  let at = from;
  for (const clause of clauseEnds(text, from, to)) {
    while (clause - at > longest) {
      at = characterEnd(text, at, Math.min(clause, at + longest));
      yield { to: at, border: Border.character };
    }
    at = clause;
    yield { to: clause, border: Border.clause };
  }
}

function* clauseEnds(text: string, from: number, to: number): Generator<number> {
  let end = from;
  // Where a sentence has none, a search in the whole text would run to its end.
  for (const { 0: clause, index } of text.slice(from, to).matchAll(CLAUSE_END)) {
    end = from + index + clause.length;
    yield end;
  }
  if (end < to) yield to;
}

/** The first place whose characters before it hash to a mark, or the last one where cuts do no harm. */
function characterEnd(text: string, from: number, limit: number): number {
  const longest = limit - from;
  const mask = 2 ** Math.floor(Math.log2(Math.max(1, longest / 2))) - 1;
  let last = -1;
  for (let at = from + Math.max(1, longest >> 2); at <= limit; at += 1) {
    if (!isCharacterBorder(text, at)) continue;
    last = at;
    if ((hashOf(text, at - 4, at) & mask) === 0) return at;
  }
  if (last > 0) return last;
  return isInsidePair(text, limit) && limit - from > 1 ? limit - 1 : limit;
}
