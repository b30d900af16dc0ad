const COMMA = 0x3001;
const STOP = 0x3002;

/**
 * Goes through the pieces of a text that are cut into words on their own: up to each `、` or `。`,
 * which belongs to the piece, as kuromoji does.
 */
export function forEachSentence(text: string, visit: (from: number, to: number) => void): void {
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit !== STOP && unit !== COMMA) continue;
    visit(from, at + 1);
    from = at + 1;
  }
  if (from < text.length) visit(from, text.length);
}

/** How much of a sentence is cut into words at once. */
export const MAX_PIECE = 1024;

/** The sentences of a text, those that are too long in pieces; together they are the text. */
export function piecesOf(text: string): readonly string[] {
  const pieces: string[] = [];
  forEachSentence(text, (from, to) => {
    for (let at = from; at < to;) {
      const end = Math.min(at + MAX_PIECE, to);
      // Half of a surrogate pair would be a word.
      const next = end < to && isHighSurrogate(text.charCodeAt(end - 1)) ? end - 1 : end;
      pieces.push(text.slice(at, next));
      at = next;
    }
  });
  return pieces;
}

/** Whether a UTF-16 unit is the first one of a pair. */
export function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00;
}
