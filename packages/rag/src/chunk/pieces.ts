import { Border, hashOf } from './border.ts';
import type { ChunkLimits } from './chunking-options.ts';

/** The end of a piece of a sentence. */
export interface PieceEnd {
  readonly to: number;
  readonly border: Border;
}

const CLAUSE_END = /[、，,；;：:…―—\s]+/gu;

/** What joins the character before it, or is joined by it, to one that a reader sees as one. */
const JOINED =
  /^[\p{M}\p{Grapheme_Extend}\p{Emoji_Modifier}\u200c\u1160-\u11ff\ud7b0-\ud7ff]|^\u200d/u;
const REGIONAL = /^\p{Regional_Indicator}/u;
const ZERO_WIDTH_JOINER = 0x20_0d;

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
  CLAUSE_END.lastIndex = from;
  for (;;) {
    const start = CLAUSE_END.lastIndex;
    const match = CLAUSE_END.exec(text);
    const end = match === null ? to : Math.min(to, match.index + match[0].length);
    if (end > start) yield end;
    if (end >= to) return;
    // The caller may have run another generator meanwhile.
    CLAUSE_END.lastIndex = end;
  }
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

function isCharacterBorder(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  // Kana, kanji and ASCII are never joined to the character before them.
  const isPlain = code < 0x3_00 || (code >= 0x30_a0 && code < 0xa0_00);
  if (isPlain) return text.charCodeAt(at - 1) !== ZERO_WIDTH_JOINER;
  if (isInsidePair(text, at)) return false;
  const next = text.slice(at, at + 2);
  if (JOINED.test(next) || text.charCodeAt(at - 1) === ZERO_WIDTH_JOINER) return false;
  return !(REGIONAL.test(next) && REGIONAL.test(text.slice(at - 2, at)));
}

function isInsidePair(text: string, at: number): boolean {
  return (
    (text.charCodeAt(at - 1) & 0xfc_00) === 0xd8_00 && (text.charCodeAt(at) & 0xfc_00) === 0xdc_00
  );
}
