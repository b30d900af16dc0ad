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

/** Characters that join the one before, or are joined by it, to one that a reader sees as one. */
const JOINED =
  /^[\p{M}\p{Grapheme_Extend}\p{Emoji_Modifier}\u200c\u1160-\u11ff\ud7b0-\ud7ff]|^\u200d/u;
const REGIONAL = /^\p{Regional_Indicator}/u;
const ZERO_WIDTH_JOINER = 0x20_0d;

/**
 * Checks whether a text may be cut at an offset: not within a surrogate pair, before a mark, or within an emoji that
 * is made of several, or a row of flags. The two ends of a text are borders.
 *
 * @param at - UTF-16 offset.
 * @example
 * ```ts
 * isCharacterBorder('か\u3099', 1); // false: the mark makes it が
 * ```
 */
export function isCharacterBorder(text: string, at: number): boolean {
  if (at <= 0 || at >= text.length) return true;
  const code = text.charCodeAt(at);
  // Kana, kanji and ASCII are never joined to the character before them.
  const isPlain = code < 0x3_00 || (code >= 0x30_a0 && code < 0xa0_00);
  if (isPlain) return text.charCodeAt(at - 1) !== ZERO_WIDTH_JOINER;
  if (isInsidePair(text, at)) return false;
  const next = text.slice(at, at + 2);
  if (JOINED.test(next) || text.charCodeAt(at - 1) === ZERO_WIDTH_JOINER) return false;
  return !(REGIONAL.test(next) && REGIONAL.test(text.slice(at - 2, at)));
}

/** Checks whether an offset lies between the two halves of a surrogate pair. */
export function isInsidePair(text: string, at: number): boolean {
  return (
    (text.charCodeAt(at - 1) & 0xfc_00) === 0xd8_00 && (text.charCodeAt(at) & 0xfc_00) === 0xdc_00
  );
}
