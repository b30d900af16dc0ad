/** Characters that take two columns in a terminal (Unicode Standard Annex 11: wide, full width). */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;
const ZERO = /\p{M}|[\u200b-\u200f\u202a-\u202e\u2060-\u2069]/u;

function columnOf(character: string): number {
  if (ZERO.test(character)) return 0;
  return WIDE.test(character) ? 2 : 1;
}

/** How many columns of equal width a text takes. */
export function columnsOf(text: string): number {
  return Array.from(text).reduce((sum, character) => sum + columnOf(character), 0);
}

/** As much of a text as the columns hold, without anything that would steer what shows it. */
export function fitColumns(text: string, columns: number): string {
  // oxlint-disable-next-line no-control-regex
  const safe = text.replaceAll(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, ' ');
  if (columnsOf(safe) <= columns) return safe;
  let used = 0;
  let result = '';
  for (const character of safe) {
    used += columnOf(character);
    if (used > columns - 1) break;
    result += character;
  }
  return `${result}…`;
}
