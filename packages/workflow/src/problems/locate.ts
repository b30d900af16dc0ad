import { parseJsonText, yamlOffset } from '@vizprompt/providers/config';
import type { Source } from '../load/source.ts';
import type { Finding, Path } from './finding.ts';
import { scalarOffset } from './scalar-offset.ts';
import { writtenPath } from './written-path.ts';

/** A place in a file, both from 1. */
interface Place {
  readonly line: number;
  readonly column: number;
}

/** Tells where findings lie in a file. */
export type Locate = (
  place: Pick<Finding, 'path' | 'isKey' | 'within' | 'offset'>,
) => Place | undefined;

/** Parses a file again, this time with places. */
export async function locator(source: Source): Promise<Locate> {
  const { text, format } = source;
  if (text === undefined || format === 'object') return () => undefined;
  const starts = lineStarts(text);
  const offsetOf = format === 'json' ? jsonPlaces(text) : await yamlPlaces(text);
  return ({ path, isKey = false, within, offset }) => {
    if (offset !== undefined) return placeAt(starts, offset);
    const start = offsetOf(writtenPath(source, path), isKey);
    const value = within === undefined ? undefined : valueAt(source.value, path);
    if (typeof value !== 'string' || within === undefined) return placeAt(starts, start);
    return placeAt(starts, scalarOffset(text, start, value, within));
  };
}

type OffsetOf = (path: Path, isKey: boolean) => number;

function jsonPlaces(text: string): OffsetOf {
  try {
    return parseJsonText(text).offsetOf;
  } catch {
    // What JSON.parse lets pass, such as a key that is there twice.
    return () => 0;
  }
}

async function yamlPlaces(text: string): Promise<OffsetOf> {
  const { parseDocument } = await import('yaml');
  const document = parseDocument(text, { prettyErrors: false, keepSourceTokens: false });
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

function lineStarts(text: string): readonly number[] {
  // A mark of the byte order is no column.
  const starts = [text.startsWith('\uFEFF') ? 1 : 0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
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
