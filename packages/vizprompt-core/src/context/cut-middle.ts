/** What belongs to the character before it: marks, joiners, the colour of skin. */
const JOINS = /^(?:\p{M}|\u200d|\p{Emoji_Modifier})/u;

/**
 * A text that fits, with a mark in place of its middle. Characters stay whole.
 *
 * @param fits - Whether a text is short enough.
 * @param mark - The mark for so many characters (UTF-16 code units).
 * @returns The text itself if it fits; `…`, or nothing, if not even the mark does.
 */
export function cutMiddle(
  text: string,
  fits: (text: string) => boolean,
  mark: (characters: number) => string,
): string {
  const cut = (kept: number): string => {
    const from = borderBefore(text, Math.ceil(kept / 2));
    const to = borderAfter(text, text.length - Math.floor(kept / 2));
    return text.slice(0, from) + mark(to - from) + text.slice(to);
  };
  // Upwards from short texts: a very long one is never counted as a whole.
  let low = 0;
  let high = 64;
  while (high < text.length && fits(cut(high))) [low, high] = [high, high * 2];
  if (high >= text.length) {
    if (fits(text)) return text;
    high = text.length;
  }
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (fits(cut(middle))) low = middle;
    else high = middle;
  }
  const shortest = cut(low);
  return [shortest, '…'].find((rest) => fits(rest)) ?? '';
}

function borderBefore(text: string, at: number): number {
  let border = at;
  while (border > 0 && isBound(text, border)) border--;
  return border;
}

function borderAfter(text: string, at: number): number {
  let border = at;
  while (border < text.length && isBound(text, border)) border++;
  return border;
}

/** Whether what stands before and after an offset is one character for those who read it. */
function isBound(text: string, at: number): boolean {
  if (at <= 0 || at >= text.length) return false;
  const isPair = /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(at - 1, at + 1));
  return isPair || text[at - 1] === '\u200d' || JOINS.test(text.slice(at, at + 2));
}
