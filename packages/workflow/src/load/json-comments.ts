/**
 * A string, a comment, or a comma before a closing bracket with comments in between. Each comment can be matched in one
 * way only, so that no text takes more than linear time.
 */
const PIECES =
  /"(?:[^"\\\n]|\\.)*"?|\/\/[^\n\r]*|\/\*(?:[^*]|\*(?!\/))*\*\/|(?<![[{,:]),(?=(?:\s|\/\/[^\n\r]*(?:[\n\r]|$)|\/\*(?:[^*]|\*(?!\/))*\*\/)*[\]}])/g;

/**
 * Replaces the comments of a JSON text, and commas before a closing bracket, by spaces: as editors and `tsconfig.json` allow
 * them. The rest has its old places.
 */
export function blankComments(text: string): string {
  if (!/\/[/*]|,\s*[\]}]/.test(text)) return text;
  return text.replaceAll(PIECES, (piece) =>
    piece.startsWith('"') ? piece : piece.replaceAll(/[^\n\r]/g, ' '),
  );
}
