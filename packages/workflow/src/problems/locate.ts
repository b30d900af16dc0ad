import { parseJsonText, yamlOffset } from '@vizprompt/providers/config';
import { type Finding, type Path, type Source, writtenPath } from './finding.ts';
import { exportsOf, lineStarts } from '@vizprompt/providers/internal';

/** A place in a file, both from 1. */
interface Place {
  readonly line: number;
  readonly column: number;
}

/** Finds the places of findings in a file. */
export type Locate = (
  place: Pick<Finding, 'path' | 'isKey' | 'within' | 'offset'>,
) => Place | undefined;

/** Parses a file again, this time with places. */
export async function locator(source: Source): Promise<Locate> {
  const { text, format } = source;
  if (text === undefined || format === 'object') return () => undefined;
  const starts = lineStarts(text);
  // A mark of the byte order is not a column.
  if (text.startsWith('\uFEFF')) starts[0] = 1;
  const offsetOf = await placesIn(text, source);
  return ({ path, isKey = false, within, offset }) => {
    if (offset !== undefined) return placeAt(starts, offset);
    const start = offsetOf(writtenPath(source, path), isKey);
    const value = within === undefined ? undefined : valueAt(source.value, path);
    if (typeof value !== 'string' || within === undefined) return placeAt(starts, start);
    return placeAt(starts, scalarOffset(text, start, value, within));
  };
}

type OffsetOf = (path: Path, isKey: boolean) => number;

/** A text that was refused is not parsed again: it may be nested so deeply that a parser ends the process. */
async function placesIn(text: string, { format, value }: Source): Promise<OffsetOf> {
  if (value === undefined) return () => 0;
  return format === 'json' ? jsonPlaces(text) : yamlPlaces(text);
}

function jsonPlaces(text: string): OffsetOf {
  try {
    return parseJsonText(text).offsetOf;
  } catch {
    // Mistakes that JSON.parse lets pass, such as a key that is there twice.
    return () => 0;
  }
}

async function yamlPlaces(text: string): Promise<OffsetOf> {
  const { parseDocument } = exportsOf(await import('yaml'));
  const document = parseDocument(text, {
    prettyErrors: false,
    keepSourceTokens: false,
    // Else each key is compared with all before it.
    uniqueKeys: false,
    merge: true,
  });
  return (path, isKey) => yamlOffset(document, path, isKey);
}

export function valueAt(value: unknown, path: Path): unknown {
  let result = value;
  for (const step of path) {
    if (typeof result !== 'object' || result === null || !Object.hasOwn(result, step)) {
      return undefined;
    }
    result = Object(result)[step];
  }
  return result;
}
function placeAt(starts: readonly number[], offset: number): Place {
  let line = 0;
  for (let end = starts.length; line < end;) {
    const middle = (line + end) >> 1;
    if ((starts[middle] ?? 0) > offset) end = middle;
    else line = middle + 1;
  }
  return { line: Math.max(1, line), column: Math.max(0, offset - (starts[line - 1] ?? 1)) + 1 };
}
const SPACE = /\s/;
const ESCAPE = /\\(?:x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|[^])/y;

/**
 * Where a character of a text is in the file that the text was read from: quotes, escapes, indentation and
 * folded lines are gone in the text.
 *
 * @param file - The whole file.
 * @param start - Where the scalar begins: its quote, the mark of a block, or its first character.
 * @param value - The text that was read.
 * @param within - The place in it, in UTF-16 code units.
 */
function scalarOffset(file: string, start: number, value: string, within: number): number {
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
