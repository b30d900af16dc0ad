import type { JsonValue } from '@vizprompt/providers';

/** Fields of an event as far as there is room, and those that were cut. */
export interface CutData {
  readonly data: Readonly<Record<string, JsonValue>>;
  /** Each with the offset at which it goes on. */
  readonly cut: Readonly<Record<string, number>>;
  /** UTF-16 code units that they take. */
  readonly length: number;
}

/** As much of the fields as so many UTF-16 code units hold. What is no text is cut as JSON. */
export function cutData(
  fields: Readonly<Record<string, JsonValue>>,
  room: number,
  offset = 0,
): CutData {
  const data: Record<string, JsonValue> = {};
  const cut: Record<string, number> = {};
  let length = 0;
  for (const [name, value] of Object.entries(fields)) {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    const end = wholeEnd(text, offset + Math.max(0, room - length));
    const isWhole = offset === 0 && end >= text.length;
    data[name] = isWhole ? value : text.slice(offset, end);
    length += Math.max(0, Math.min(end, text.length) - offset);
    if (end < text.length) cut[name] = end;
  }
  return { data, cut, length };
}

/** An end that is not between the two halves of a character. */
function wholeEnd(text: string, end: number): number {
  const isHalf = end > 0 && /[\ud800-\udbff]/.test(text[end - 1] ?? '');
  return isHalf && end < text.length ? end - 1 : end;
}
