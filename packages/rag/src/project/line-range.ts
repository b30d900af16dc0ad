import { SourceText } from '../chunk/source-text.ts';
import { RagError } from '../errors.ts';
import type { LineRange, NovelText } from './novel-project.ts';

/** Of an answer, unless it is said otherwise. */
export const MAX_CHARACTERS = 60_000;

/**
 * The lines of a text, counted as citations count them. A line that is longer than what is asked for
 * is cut between two characters, and goes on at `nextColumn`.
 *
 * @throws RagError with the code `invalid-input` for lines that the text does not have.
 */
export function linesOf(path: string, text: string, range: LineRange = {}): NovelText {
  const source = new SourceText(text);
  const totalLines = text === '' ? 0 : source.lines;
  const { startLine = 1, endLine = Math.max(totalLines, startLine), startColumn = 1 } = range;
  const { maxCharacters = MAX_CHARACTERS } = range;
  checkRange(path, { startLine, endLine, totalLines });
  const last = Math.min(endLine, totalLines);
  const [lineStart, lineEnd] = [source.startOf(startLine), source.startOf(startLine + 1)];
  checkColumn(path, { startLine, startColumn, length: lineEnd - lineStart });
  const from = characterAt(text, lineStart + startColumn - 1);
  let end = last;
  while (end > startLine && source.startOf(end + 1) - from > maxCharacters) end -= 1;
  const isCut = totalLines > 0 && source.startOf(end + 1) - from > maxCharacters;
  const to = isCut ? cutAt(text, from, maxCharacters) : source.startOf(end + 1);
  return {
    path,
    text: text.slice(from, to),
    startLine: totalLines === 0 ? 0 : startLine,
    ...(startColumn > 1 ? { startColumn: from - lineStart + 1 } : {}),
    endLine: end,
    totalLines,
    ...(isCut ? { nextLine: startLine, nextColumn: to - lineStart + 1 } : {}),
    ...(!isCut && end < last ? { nextLine: end + 1 } : {}),
  };
}

/** The beginning of the character that an offset is in. */
function characterAt(text: string, offset: number): number {
  const isInside = offset > 0 && (text.codePointAt(offset - 1) ?? 0) > 0xff_ff;
  return isInside ? offset - 1 : offset;
}

/** At most so far, and at least by one character. */
function cutAt(text: string, from: number, length: number): number {
  const at = characterAt(text, from + length);
  return at > from ? at : from + String.fromCodePoint(text.codePointAt(from) ?? 0).length;
}

function checkRange(
  path: string,
  lines: { readonly startLine: number; readonly endLine: number; readonly totalLines: number },
): void {
  const { startLine, endLine, totalLines } = lines;
  const areWhole = Number.isInteger(startLine) && Number.isInteger(endLine) && startLine >= 1;
  const isThere = startLine <= Math.max(totalLines, 1) && endLine >= startLine;
  if (areWhole && isThere) return;
  const there = totalLines === 1 ? '1 line' : `${totalLines} lines`;
  const wanted =
    startLine === endLine
      ? `there is no line ${startLine}`
      : `not the lines ${startLine} to ${endLine}`;
  const message = `${path} has ${there}, ${wanted}`;
  throw new RagError('invalid-input', message, { context: { path, ...lines } });
}

function checkColumn(
  path: string,
  place: { readonly startLine: number; readonly startColumn: number; readonly length: number },
): void {
  const { startLine, startColumn, length } = place;
  if (Number.isInteger(startColumn) && startColumn >= 1 && startColumn <= Math.max(length, 1))
    return;
  const message = `line ${startLine} of ${path} has ${length} characters, and none at startColumn ${startColumn}`;
  throw new RagError('invalid-input', message, { context: { path, ...place } });
}
