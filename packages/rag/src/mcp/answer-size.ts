/** What an answer says at most, in UTF-16 code units: models lose what is longer, or pay for it. */
const MAX_ANSWER_CHARACTERS = 60_000;

/** The words around the text of one file take less than the rest. */
export const MAX_TEXT_CHARACTERS = 58_000;

/** Room for the words around the entries. */
const FRAME_CHARACTERS = 1000;

/** The entries of a page that fit into an answer, the first one in any case. */
export function fitting<T>(items: readonly T[], sizeOf: (item: T) => number): readonly T[] {
  let left = MAX_ANSWER_CHARACTERS - FRAME_CHARACTERS;
  const end = items.findIndex((item) => {
    left -= sizeOf(item);
    return left < 0;
  });
  return end < 0 ? items : items.slice(0, Math.max(end, 1));
}

/** Where the next page begins, after so many entries. */
export function nextOf(
  offset: number,
  count: number,
  total: number,
): { readonly total: number; readonly nextOffset?: number } {
  const next = offset + count;
  return next < total && count > 0 ? { total, nextOffset: next } : { total };
}

/** A text of at most so many code units, with a sign that it was cut; no character is halved. */
export function shortened(text: string, length: number): string {
  if (text.length <= length) return text;
  const isHalf = (text.codePointAt(length - 2) ?? 0) > 0xff_ff;
  return `${text.slice(0, isHalf ? length - 2 : length - 1)}…`;
}

/** `line 3`, or `lines 3-5`. */
export function linesText(start: number, end: number): string {
  return start === end ? `line ${start}` : `lines ${start}-${end}`;
}
