import { isCharacterBorder } from './character-border.ts';

/**
 * Returns a text that fits, with a mark in place of its middle. Characters stay whole.
 *
 * @param fits - True if a text is short enough.
 * @param mark - The mark for this many characters (UTF-16 code units).
 * @returns The text itself if it fits; `…`, or nothing, if not even the mark does.
 *
 * @example
 * ```ts
 * const shown = cutMiddle(log, (text) => text.length <= 80, (left) => ` … ${left} characters … `);
 * ```
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
  while (!isCharacterBorder(text, border)) border--;
  return border;
}

function borderAfter(text: string, at: number): number {
  let border = at;
  while (!isCharacterBorder(text, border)) border++;
  return border;
}
