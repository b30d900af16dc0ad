const characters = new Intl.Segmenter();

/**
 * Splits a text into messages of a platform: at the end of a paragraph, a line or a word if there is one, and never within a
 * character, such as an emoji of several code points. A block of code that is split is closed, and opened again.
 */
export function cut(
  text: string,
  most: number,
  lengthOf: (text: string) => number = (piece) => piece.length,
): readonly string[] {
  const pieces: string[] = [];
  let rest = text;
  let fence = '';
  while (lengthOf(fence + rest) > most) {
    const room = most - lengthOf(fence);
    let end = endWithin(rest, longest(rest, room, lengthOf));
    if (fenceAfter(fence + rest.slice(0, end)) !== '') {
      end = endWithin(rest, longest(rest, room - CLOSE.length, lengthOf));
    }
    const body = rest.slice(0, end);
    const open = fenceAfter(fence + body);
    const piece = fence + body.trimEnd() + (open === '' ? '' : CLOSE);
    if (body.trim() !== '') pieces.push(piece);
    rest = rest.slice(end);
    // Blank lines between two messages go, and indentation stays.
    if (open === '') rest = rest.replace(body.endsWith('\n') ? /^(?:[^\S\n]*\n)+/ : /^\s+/, '');
    fence = lengthOf(open) > most / 2 ? '```\n' : open;
  }
  return rest.trim() === '' ? pieces : [...pieces, fence + rest];
}

const CLOSE = '\n```';

/** Returns the line that opens the block of code in which a text ends, if it ends in one. */
function fenceAfter(text: string): string {
  const fences = text.match(/^[^\S\n]*```.*$/gm) ?? [];
  let open = '';
  for (const line of fences) {
    if (open !== '') open = '';
    else if (!line.trim().slice(3).includes('```')) open = `${line}\n`;
  }
  return open;
}

/** Returns how many units of a text fit. */
function longest(text: string, most: number, lengthOf: (text: string) => number): number {
  let [fits, tooMany] = [0, Math.min(text.length, most) + 1];
  while (tooMany - fits > 1) {
    const middle = Math.floor((fits + tooMany) / 2);
    if (lengthOf(text.slice(0, middle)) <= most) fits = middle;
    else tooMany = middle;
  }
  return Math.max(1, fits);
}

/** Returns where to cut a text that is longer than `most` units. */
function endWithin(text: string, most: number): number {
  for (const border of ['\n\n', '\n', '。', ' ']) {
    const end = text.lastIndexOf(border, most - border.length) + border.length;
    if (end > most / 2) return end;
  }
  const { index = 0 } = characters.segment(text.slice(0, most + 200)).containing(most) ?? {};
  if (index > 0) return index;
  // One character that is longer than a message: never split a surrogate pair.
  const isPair = /[\ud800-\udbff]/.test(text.charAt(most - 1));
  return isPair && most > 1 ? most - 1 : most;
}
