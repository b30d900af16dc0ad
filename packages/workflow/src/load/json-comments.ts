/** A part of a text that becomes spaces. */
interface Blank {
  readonly from: number;
  to: number;
}

/**
 * Replaces the comments of a JSON text, and commas before a closing bracket, by spaces: as editors and `tsconfig.json` allow
 * them. The rest has its old places. Reads each character once: an expression would look for the end of each comment that
 * has none.
 */
export function blankComments(text: string): string {
  if (!/\/[/*]|,\s*[\]}]/.test(text)) return text;
  const pieces: string[] = [];
  let done = 0;
  for (const { from, to } of blanksOf(text)) {
    pieces.push(text.slice(done, from), text.slice(from, to).replaceAll(/[^\n\r]/g, ' '));
    done = to;
  }
  return pieces.join('') + text.slice(done);
}

function blanksOf(text: string): readonly Blank[] {
  const blanks: Blank[] = [];
  const lastClose = text.lastIndexOf('*/');
  /** After it there are comments and white space only. */
  let comma: Blank | undefined;
  for (let at = 0; at < text.length;) {
    const end = endOfComment(text, at, lastClose);
    if (end > at) {
      blanks.push({ from: at, to: end });
      at = end;
      continue;
    }
    const character = text.charAt(at);
    if (character === ',') {
      comma = /[[{,:]/.test(text.charAt(at - 1)) ? undefined : { from: at, to: at };
      if (comma) blanks.push(comma);
    } else if (!/\s/.test(character)) {
      if (comma && (character === ']' || character === '}')) comma.to++;
      comma = undefined;
    }
    at = character === '"' ? endOfString(text, at) : at + 1;
  }
  return blanks;
}

/** Returns the offset after a comment, or the same offset if none begins there. */
function endOfComment(text: string, at: number, lastClose: number): number {
  if (text.startsWith('//', at)) {
    END_OF_LINE.lastIndex = at;
    return END_OF_LINE.exec(text)?.index ?? text.length;
  }
  const isClosed = lastClose >= at + 2 && text.startsWith('/*', at);
  return isClosed ? text.indexOf('*/', at + 2) + 2 : at;
}

const END_OF_LINE = /[\n\r]/g;

/** Returns the offset after a string, which ends with its line at the latest. */
function endOfString(text: string, quote: number): number {
  for (let at = quote + 1; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === '"') return at + 1;
    if (character === '\n') return at;
    if (character !== '\\') continue;
    at++;
    if (/[\n\r\u2028\u2029]/.test(text.charAt(at))) return at;
  }
  return text.length;
}
