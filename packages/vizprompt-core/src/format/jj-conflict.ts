/** A conflict in the lines of a text: its sides and their common beginning. */
interface Conflict {
  readonly sides: string[][];
  readonly base: string[];
}

const OPEN = /^(<{7,40})(?: .*)?\r?\n?$/;

/** The number of signs of a mark, if nothing asks for more. */
const SHORT = 7;

/** Returns a line of git that marks where a side begins or ends. */
function mark(sign: string, word: string): string {
  return `${sign.repeat(SHORT)} ${word}\n`;
}

/** A text whose conflicts are marked as git does by default. */
interface Marked {
  readonly text: string;
  /** The marks were longer, so that they could have been said. */
  readonly isLong: boolean;
}

/**
 * Returns a text in which conflicts are marked as git does by default, where Jujutsu marked them, or git with longer marks.
 * Conflicts of more than two sides stay as they are.
 *
 * The conflicts of a file have marks of one length: longer ones are within a conflict, as merges of merges leave them, or
 * were said.
 */
export function withMarksOfGit(text: string): Marked {
  const same = { text, isLong: false };
  if (!/^<{8}|^[%+-]{7}/m.test(text)) return same;
  const lines = text.split(/(?<=\n)/);
  const lengthOf = (line: string): number => OPEN.exec(line)?.[1]?.length ?? 0;
  const lengths = new Set(lines.map(lengthOf).filter((each) => each > 0));
  const [first = 0, ...others] = lengths;
  const length = lengths.has(SHORT) ? SHORT : others.length === 0 ? first : 0;
  if (length === 0) return same;
  const written: string[] = [];
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? '';
    const end = lengthOf(line) === length ? endOf(lines, at + 1, length) : -1;
    const known = end < 0 ? undefined : rewritten(lines.slice(at + 1, end), length);
    if (!known) {
      written.push(line);
      continue;
    }
    written.push(mark('<', 'ours'), ...known, mark('>', 'theirs'));
    at = end;
  }
  return { text: written.join(''), isLong: length > SHORT };
}

/** Returns the line with the end of a conflict; -1 where another begins before it, so that no line is looked at twice. */
function endOf(lines: readonly string[], from: number, length: number): number {
  const edge = new RegExp(`^(?:<{${length}}|(>{${length}}))(?: .*)?\\r?\\n?$`);
  for (let at = from; at < lines.length; at++) {
    const found = edge.exec(lines[at] ?? '');
    if (found) return found[1] === undefined ? -1 : at;
  }
  return -1;
}

function rewritten(lines: readonly string[], length: number): readonly string[] | undefined {
  const found = readSections(lines, length);
  if (found) {
    const [ours = [], theirs = []] = found.sides;
    return [...ours, mark('|', 'base'), ...found.base, `${'='.repeat(SHORT)}\n`, ...theirs];
  }
  if (length === SHORT) return undefined;
  const long = new RegExp(`^([|=])\\1{${length - 1}}(?=[ \\r\\n]|$)`);
  return lines.map((line) => line.replace(long, (_, sign: string) => sign.repeat(SHORT)));
}

/**
 * Reads the sections of Jujutsu: `+++++++` is before a side, `-------` before the base, `%%%%%%%` before a diff of both.
 * Where the first has a label, all have: a row of signs alone is a line of the text.
 */
function readSections(lines: readonly string[], length: number): Conflict | undefined {
  const isLabelled = / [^ \r\n]/.test(lines[0] ?? '');
  const head = new RegExp(
    `^(?:([%+-])\\1{${length - 1}}|\\\\{${length}})(?: +[^ \\r\\n]${isLabelled ? '' : '|\\r?\\n?$'})`,
  );
  const found: Conflict = { sides: [], base: [] };
  let kind: string | undefined;
  for (const line of lines) {
    const match = head.exec(line);
    if (match) {
      // A diff may have a second line that says what it leads to.
      kind = match[1] ?? kind;
      if (match[1] === '%' || match[1] === '+') found.sides.push([]);
    } else if (kind === undefined) return undefined;
    else if (kind === '-') found.base.push(line);
    else if (kind === '+') found.sides.at(-1)?.push(line);
    else if (line.trim() === '') {
      // An editor may have taken the blank before an empty line.
      const empty = line.replace(/^ /, '');
      found.base.push(empty);
      found.sides.at(-1)?.push(empty);
    } else {
      if (!line.startsWith('+')) found.base.push(line.slice(1));
      if (!line.startsWith('-')) found.sides.at(-1)?.push(line.slice(1));
    }
  }
  return found.sides.length === 2 ? found : undefined;
}
