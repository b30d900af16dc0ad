import { RagError } from '../errors.ts';
import type { Place } from './file-in-area.ts';
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

const MAX_CHARACTERS = 60_000;

/** Reads one file, or as many as `limit` and `maxCharacters` let through; the last one perhaps in part. */
export async function readTexts(
  repository: NovelRepository,
  projectId: string,
  place: Place,
  request: TextRequest,
): Promise<NovelTexts> {
  const { file, maxCharacters = MAX_CHARACTERS, startLine, endLine, ...page } = request;
  if (file !== undefined) {
    return { files: [await repository.readText(projectId, place, file, request)], total: 1 };
  }
  if (startLine !== undefined || endLine !== undefined) {
    throw new RagError('invalid-input', 'startLine and endLine are about one file: name it');
  }
  const list = await listPlace(repository, projectId, place, page);
  const files: NovelText[] = [];
  let left = maxCharacters;
  for (const { path } of list.files) {
    if (left <= 0) break;
    const text = await repository.readText(projectId, place, path, { maxCharacters: left });
    files.push(text);
    left = text.nextLine === undefined ? left - text.text.length : 0;
  }
  const next = (page.offset ?? 0) + files.length;
  return { files, total: list.total, ...(next < list.total ? { nextOffset: next } : {}) };
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
