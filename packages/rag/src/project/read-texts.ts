import { RagError } from '../errors.ts';
import type { Place } from './file-in-area.ts';
import { MAX_CHARACTERS } from './line-range.ts';
import type { LineRange, NovelFileList, NovelText, Page } from './novel-project.ts';
import type { NovelRepository } from './novel-repository.ts';
import { pageOf } from './page-of.ts';

/** What of an area is read: lines of one file, or one file after the other. */
export interface TextRequest extends Page, LineRange {
  /** With or without the area in front. Default: all files of the area. */
  readonly file?: string;
}

/** Texts of an area. */
export interface NovelTexts {
  readonly files: readonly NovelText[];
  /** How many files were asked for in all. */
  readonly total: number;
  /** The first file that did not come, where all were asked for. */
  readonly nextOffset?: number;
}

/** What a file takes beside its text: its path, and the words around it. */
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
  const { startLine, endLine, startColumn, ...page } = rest;
  if (file !== undefined) {
    return { files: [await repository.readText(projectId, place, file, request)], total: 1 };
  }
  if ([startLine, endLine, startColumn].some((one) => one !== undefined)) {
    const message = 'startLine, endLine and startColumn are about one file: name it as file';
    throw new RagError('invalid-input', message);
  }
  const list = await listPlace(repository, projectId, place, page);
  const files: NovelText[] = [];
  let left = maxCharacters;
  for (const { path } of list.files) {
    left -= path.length + HEAD_CHARACTERS;
    if (left <= 0 && files.length > 0) break;
    const range = { maxCharacters: Math.max(left, 1) };
    const text = await readOrTell(path, () => repository.readText(projectId, place, path, range));
    if (text.nextColumn !== undefined && files.length > 0) break;
    files.push(text);
    left = text.nextLine === undefined ? left - text.text.length : 0;
  }
  const next = (page.offset ?? 0) + files.length;
  return { files, total: list.total, ...(next < list.total ? { nextOffset: next } : {}) };
}

/** Of all files, one that cannot be read says why, and keeps nobody from the others. */
async function readOrTell(path: string, read: () => Promise<NovelText>): Promise<NovelText> {
  try {
    return await read();
  } catch (error) {
    if (!RagError.isInstance(error) || error.code === 'project-not-found') throw error;
    return { path, text: '', startLine: 0, endLine: 0, totalLines: 0, problem: error.message };
  }
}

/** The files of a place, a page of them. */
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
