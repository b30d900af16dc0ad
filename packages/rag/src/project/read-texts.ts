import { type Kinds, optional, TEXT } from '@vizprompt/providers/config/internal';
import { RagError } from '../errors.ts';
import type { Place } from './file-in-area.ts';
import {
  LINE_RANGE,
  type LineRange,
  type NovelFileList,
  type NovelRepository,
  type NovelText,
  PAGE,
  type Page,
} from './novel-repository.ts';
import { pageOf } from './list-cursor.ts';
import { SourceText } from '../chunk/source-text.ts';

/** The part of an area to read: lines of one file, or one file after the other. */
export interface TextRequest extends Page, LineRange {
  /** With or without the area in front. Default: all files of the area. */
  readonly file?: string | undefined;
}

export const TEXT_REQUEST: Kinds<TextRequest> = {
  ...PAGE,
  ...LINE_RANGE,
  file: optional(TEXT, {
    en: 'The path of a file, as lists and searches give it. Without it: all files, in pages',
  }),
};

/** Texts of an area. */
export interface NovelTexts {
  readonly files: readonly NovelText[];
  /** How many files were asked for in all. */
  readonly total: number;
  /** The first file that did not come, where all were asked for. */
  readonly nextOffset?: number;
}

/** The characters of a file besides its text: its path, and the words around it. */
const HEAD_CHARACTERS = 100;

/**
 * Reads one file, or as many as `limit` and `maxCharacters` let through; the last one perhaps in part.
 * No line is cut but the first of all.
 */
export async function readTexts(
  repository: NovelRepository,
  projectId: string,
  place: Place,
  request: TextRequest,
): Promise<NovelTexts> {
  const { file, maxCharacters = MAX_CHARACTERS, ...rest } = request;
  const { startLine, endLine, startColumn, endColumn, ...page } = rest;
  if (file !== undefined) {
    return { files: [await repository.readText(projectId, place, file, request)], total: 1 };
  }
  if ([startLine, endLine, startColumn, endColumn].some((one) => one !== undefined)) {
    const message =
      'startLine, endLine, startColumn and endColumn are about one file: name it as file';
    throw new RagError('invalid-input', message);
  }
  const list = await listPlace(repository, projectId, place, page);
  const files: NovelText[] = [];
  let left = maxCharacters;
  for (const { path, problem } of list.files) {
    left -= path.length + HEAD_CHARACTERS;
    if (left <= 0 && files.length > 0) break;
    const range = { maxCharacters: Math.max(left, 1) };
    // A folder has nothing that could be read.
    const text =
      problem !== undefined && path.endsWith('/')
        ? unread(path, problem)
        : await readOrTell(path, () => repository.readText(projectId, place, path, range));
    if (text.nextColumn !== undefined && files.length > 0) break;
    files.push(text);
    left = text.nextLine === undefined ? left - text.text.length : 0;
  }
  const next = (page.offset ?? 0) + files.length;
  return { files, total: list.total, ...(next < list.total ? { nextOffset: next } : {}) };
}

/** In a list of files, one that cannot be read says why, and does not keep the caller from the others. */
async function readOrTell(path: string, read: () => Promise<NovelText>): Promise<NovelText> {
  try {
    return await read();
  } catch (error) {
    if (!RagError.isInstance(error) || error.code === 'project-not-found') throw error;
    return unread(path, error.message);
  }
}

function unread(path: string, problem: string): NovelText {
  return { path, text: '', startLine: 0, endLine: 0, totalLines: 0, problem };
}

/** Returns the files of a place, a page of them. */
export async function listPlace(
  repository: NovelRepository,
  projectId: string,
  place: Place,
  page: Page,
): Promise<NovelFileList> {
  if (place === 'settings') return repository.getSettings(projectId, page);
  if (place === 'contents') return repository.getContent(projectId, page);
  const { items, ...part } = pageOf((await repository.getInstructions(projectId)).files, page);
  return { files: items, ...part };
}

/** The longest answer by default. */
const MAX_CHARACTERS = 60_000;

/**
 * Returns the lines of a text, counted as citations count them. A line that is longer than what is asked for
 * is cut between two characters, and continues at `nextColumn`.
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
  const until = endOfRange(path, source, last, range);
  if (until < from || (until === from && range.endColumn !== undefined && totalLines > 0)) {
    const message = `${path}: expected endColumn to be at least startColumn ${startColumn}, got ${range.endColumn}`;
    throw new RagError('invalid-input', message, { context: { path, ...range } });
  }
  /** Where the text of a line ends, as far as it is asked for. */
  const endOf = (line: number): number => Math.min(source.startOf(line + 1), until);
  let end = last;
  while (end > startLine && endOf(end) - from > maxCharacters) end -= 1;
  const isCut = totalLines > 0 && endOf(end) - from > maxCharacters;
  const to = isCut ? cutAt(text, from, maxCharacters) : endOf(end);
  const isShort = !isCut && to < source.startOf(end + 1);
  return {
    path,
    text: text.slice(from, to),
    startLine: totalLines === 0 ? 0 : startLine,
    ...(startColumn > 1 ? { startColumn: from - lineStart + 1 } : {}),
    endLine: end,
    ...(isShort ? { endColumn: to - source.startOf(end) } : {}),
    totalLines,
    ...(isCut ? { nextLine: startLine, nextColumn: to - lineStart + 1 } : {}),
    ...(!isCut && end < last ? { nextLine: end + 1 } : {}),
  };
}

/** Returns the offset after the last character that is asked for. */
function endOfRange(
  path: string,
  source: SourceText,
  last: number,
  { endLine, endColumn }: LineRange,
): number {
  const lineEnd = source.startOf(last + 1);
  if (endColumn === undefined) return lineEnd;
  if (endLine === undefined) {
    throw new RagError('invalid-input', 'endColumn is a place in endLine: give both', {
      context: { path, endColumn },
    });
  }
  const at = Math.min(source.startOf(last) + endColumn, lineEnd);
  // The column was that of the first code unit of a character that has two.
  return characterAt(source.text, at) < at ? at + 1 : at;
}

/** Returns the beginning of the character that an offset is in. */
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
