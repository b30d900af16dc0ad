/** A line as it is quoted in a mail, as it was added in a diff, or after its number. */
const QUOTED = /^> ?/;
const ADDED = /^\+/;
const NUMBERED = /^[ \t]*(\d{1,7})(\t|[ \t]*[:|→])/;

/** A file has at least this many lines. */
const FEWEST = 4;

/** Returns a text without what is before each of its lines: the mark of a quotation or of a diff, or the number of the line. */
export function withoutPrefixes(text: string): string {
  const lines = text.split(/\r\n?|\n/);
  const written = lines.filter((line) => line.trim() !== '');
  if (written.length < FEWEST) return text;
  const prefix = [QUOTED, ADDED].find((each) => written.every((line) => each.test(line)));
  if (prefix) return lines.map((line) => line.replace(prefix, '')).join('\n');
  const [first] = written;
  const start = Number(NUMBERED.exec(first ?? '')?.[1]);
  const sign = NUMBERED.exec(first ?? '')?.[2]?.trim();
  const isNumbered = written.every((line, at) => {
    const [, number, own] = NUMBERED.exec(line) ?? [];
    return Number(number) === start + at && own?.trim() === sign;
  });
  if (!isNumbered) return text;
  const bare = lines.map((line) => line.replace(NUMBERED, ''));
  // A blank after the sign belongs to it where all lines have one.
  const isApart = bare.every((line) => line === '' || line.startsWith(' '));
  return (isApart ? bare.map((line) => line.slice(1)) : bare).join('\n');
}
