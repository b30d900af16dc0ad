const SPACE = /\s/;
const ESCAPE = /\\(?:x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|[^])/y;

/**
 * Where a character of a text stands in the file that the text was read from: quotes, escapes, indentation and
 * folded lines are gone in the text.
 *
 * @param file - The whole file.
 * @param start - Where the scalar begins: its quote, the mark of a block, or its first character.
 * @param value - The text that was read.
 * @param within - The place in it, in UTF-16 code units.
 */
export function scalarOffset(file: string, start: number, value: string, within: number): number {
  const first = file[start];
  const quote = first === '"' || first === "'" ? first : undefined;
  let at = start + (quote === undefined ? 0 : 1);
  if (first === '|' || first === '>') at = file.indexOf('\n', start) + 1;
  if (quote === undefined && first !== '|' && first !== '>' && value[0] !== first) return start;
  const skipSpace = (): void => {
    while (at < file.length && SPACE.test(file[at] ?? '')) at += 1;
  };
  for (let index = 0; index < within; index += 1) {
    const character = value[index] ?? '';
    if (quote === '"' && file[at] === '\\') {
      at = lineContinued(file, at);
      if (file[at] === '\\') {
        at += escapeLength(file, at);
        continue;
      }
    }
    if (!SPACE.test(character)) skipSpace();
    if (quote === '"' && file[at] === '\\') at += escapeLength(file, at);
    else if (quote === "'" && file.startsWith("''", at)) at += 2;
    else if (!SPACE.test(character) || SPACE.test(file[at] ?? '')) at += 1;
  }
  if (!SPACE.test(value[within] ?? ' ')) skipSpace();
  return at;
}

/** A backslash at the end of a line joins it with the next. */
function lineContinued(file: string, at: number): number {
  const [joined] = /^\\\r?\n[ \t]*/.exec(file.slice(at, at + 400)) ?? [];
  return at + (joined?.length ?? 0);
}

function escapeLength(file: string, at: number): number {
  ESCAPE.lastIndex = at;
  return ESCAPE.exec(file)?.[0].length ?? 1;
}
