// Characters that take two columns: East Asian wide ones, and most emoji.
const WIDE =
  /[\u1100-\u115F\u2E80-\u303E\u3041-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6]|\p{Extended_Pictographic}|[\u{20000}-\u{3FFFD}]/u;

/** Returns a line that takes at most this many columns; what is left out is an `…`. Characters are never split. */
export function cutLine(line: string, columns: number): string {
  if (line.length * 2 <= columns) return line;
  let used = 0;
  for (const { segment, index } of new Intl.Segmenter().segment(line)) {
    used += WIDE.test(segment) ? 2 : 1;
    if (used > columns) return `${line.slice(0, index)}…`;
  }
  return line;
}
