import { SourceText } from '../chunk/source-text.ts';
import { RagError } from '../errors.ts';
import type { LineRange, NovelText } from './novel-project.ts';

const MAX_CHARACTERS = 60_000;

/**
 * The lines of a text, counted as citations count them.
 *
 * @throws RagError with the code `invalid-input` for lines that the text does not have.
 */
export function linesOf(path: string, text: string, range: LineRange = {}): NovelText {
  const source = new SourceText(text);
  const totalLines = text === '' ? 0 : source.lines;
  const { startLine = 1, endLine = Math.max(totalLines, startLine) } = range;
  const { maxCharacters = MAX_CHARACTERS } = range;
  checkRange(path, { startLine, endLine, totalLines });
  const last = Math.min(endLine, totalLines);
  const from = source.startOf(startLine);
  let end = last;
  while (end > startLine && source.startOf(end + 1) - from > maxCharacters) end -= 1;
  return {
    path,
    text: text.slice(from, source.startOf(end + 1)),
    startLine: totalLines === 0 ? 0 : startLine,
    endLine: end,
    totalLines,
    ...(end < last ? { nextLine: end + 1 } : {}),
  };
}

function checkRange(
  path: string,
  lines: { readonly startLine: number; readonly endLine: number; readonly totalLines: number },
): void {
  const { startLine, endLine, totalLines } = lines;
  const areWhole = Number.isInteger(startLine) && Number.isInteger(endLine) && startLine >= 1;
  const isThere = startLine <= Math.max(totalLines, 1) && endLine >= startLine;
  if (areWhole && isThere) return;
  const message = `${path} has ${totalLines} lines, and not the lines ${startLine} to ${endLine}`;
  throw new RagError('invalid-input', message, { context: { path, ...lines } });
}
