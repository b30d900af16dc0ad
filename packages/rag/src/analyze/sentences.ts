const COMMA = 0x3001;
const STOP = 0x3002;
const NEWLINE = 0x0a;

/**
 * Goes through the pieces of a text that are cut into words on their own: up to each `、`, `。` or
 * line break, which belongs to the piece.
 */
export function forEachSentence(text: string, visit: (from: number, to: number) => void): void {
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit !== STOP && unit !== COMMA && unit !== NEWLINE) continue;
    visit(from, at + 1);
    from = at + 1;
  }
  if (from < text.length) visit(from, text.length);
}
