import {
  nearestName,
  JsonSyntaxError,
  parseJsonText,
  type JsonText,
} from '@vizprompt/providers/config';
import { messageOf, type JsonObject, type JsonValue } from '@vizprompt/providers';
import { isJsonObject } from '@vizprompt/providers/internal';
import { isBookName } from '../books/book-names.ts';
import { ProjectNotFoundError, RagError } from '../errors.ts';
import { comparePaths, type ListedFile, unreadFolder } from '../files/list-folder.ts';
import { INSTRUCTIONS_FILE, PROJECT_FILE, type FileArea } from '../files/file-area.ts';
import type {
  FileOperationsService,
  WriteFileOptions,
  WrittenFile,
} from '../files/file-operations-service.ts';
import { checkProjectName } from '../files/project-path.ts';
import { fileInArea, type Place } from './file-in-area.ts';
import { linesOf } from './read-texts.ts';
import type {
  LineRange,
  NovelFile,
  NovelFileList,
  NovelProject,
  NovelText,
  Page,
  NovelRepository,
} from './novel-repository.ts';
import { pageOf } from './list-cursor.ts';
import { readFrontMatter } from '../chunk/front-matter.ts';
import { decodeText } from '../encoding/decode-text.ts';
import { largestSize, noUtf8, tooLarge, type FileHead } from '../files/read-text-file.ts';

/** Names that messages list, at most. */
const MANY_NAMES = 10;

/** Projects as folders: `novels/NAME/{novel.json, DIALOGOI.md, settings/, contents/}`. */
export class FileSystemNovelRepository implements NovelRepository {
  readonly #files: FileOperationsService;

  /** @param files - On the folder that holds a folder for each project. */
  constructor(files: FileOperationsService) {
    this.#files = files;
  }

  async listProjects(): Promise<readonly NovelProject[]> {
    const ids = await this.#ids();
    return Promise.all(ids.map((id) => this.#describe(id)));
  }

  async getProject(projectId: string): Promise<NovelProject> {
    checkProjectName(projectId);
    const wanted = projectId.normalize('NFC');
    const ids = await this.#ids();
    if (ids.includes(wanted)) return this.#describe(wanted);
    const nearest = nearestName(wanted, ids);
    const shown = ids.slice(0, MANY_NAMES).join(', ');
    const known = ids.length > MANY_NAMES ? `${shown} and ${ids.length - MANY_NAMES} more` : shown;
    const way =
      nearest === undefined
        ? `there are ${known === '' ? 'none' : known}`
        : `is '${nearest}' meant? (there are ${known})`;
    throw new ProjectNotFoundError(`there is no project '${wanted}': ${way}`, {
      context: { project: wanted, projects: ids },
    });
  }

  getSettings(projectId: string, page?: Page): Promise<NovelFileList> {
    return this.#listArea(projectId, 'settings', page);
  }

  getContent(projectId: string, page?: Page): Promise<NovelFileList> {
    return this.#listArea(projectId, 'contents', page);
  }

  async getInstructions(projectId: string): Promise<NovelFileList> {
    const { id } = await this.getProject(projectId);
    try {
      const path = `${id}/${INSTRUCTIONS_FILE}`;
      const head = await this.#files.readHead(path, PREVIEW_BYTES);
      const { size, modified } = head;
      const file = { path: INSTRUCTIONS_FILE, bytes: size, ...(await this.#previewOf(path, head)) };
      return { files: [{ ...file, modified: modified.toISOString() }], total: 1 };
    } catch (error) {
      if (isNotFound(error)) return { files: [], total: 0 };
      throw error;
    }
  }

  async readText(
    projectId: string,
    area: Place,
    file: string,
    range?: LineRange,
  ): Promise<NovelText> {
    const { id } = await this.getProject(projectId);
    const path = fileInArea(area, file);
    try {
      return linesOf(path, await this.#files.readFile(`${id}/${path}`), range);
    } catch (error) {
      if (isNotFound(error)) throw await this.#fileNotFound(id, area, path, error);
      throw error;
    }
  }

  async writeText(
    projectId: string,
    area: FileArea,
    file: string,
    content: string,
    options?: WriteFileOptions,
  ): Promise<WrittenFile> {
    const { id } = await this.getProject(projectId);
    const path = fileInArea(area, file);
    const written = await this.#files.writeFile(`${id}/${path}`, content, options);
    return { ...written, path: inProject(written.path) };
  }

  async #ids(): Promise<readonly string[]> {
    const names = await this.#files.listProjects();
    const ids = new Set(names.map((name) => name.normalize('NFC')));
    return [...ids].filter(isProjectName).toSorted(comparePaths);
  }

  async #describe(id: string): Promise<NovelProject> {
    try {
      return projectOf(id, await this.#files.readFile(`${id}/${PROJECT_FILE}`));
    } catch (error) {
      if (isNotFound(error)) return projectOf(id, undefined);
      if (!RagError.isInstance(error)) throw error;
      return { ...projectOf(id, undefined), problem: error.message };
    }
  }

  async #listArea(projectId: string, area: FileArea, page: Page = {}): Promise<NovelFileList> {
    const { id } = await this.getProject(projectId);
    const { items, ...part } = pageOf(await this.#listed(id, area), page);
    const files: NovelFile[] = [];
    for (const { path, bytes, modified, problem } of items) {
      const facts = { path: inProject(path), bytes, modified: modified.toISOString() };
      const isRead = problem === undefined;
      files.push({ ...facts, ...(isRead ? await this.#preview(path) : { preview: '', problem }) });
    }
    return { files, ...part };
  }

  /** An area that cannot be read is one entry, as a folder in it is. */
  async #listed(id: string, area: FileArea): Promise<readonly ListedFile[]> {
    const path = `${id}/${area}`;
    try {
      return await this.#files.listFiles(path);
    } catch (error) {
      if (!RagError.isInstance(error) || error.code !== 'file-failed') throw error;
      return [unreadFolder(path, new Date(0), error)];
    }
  }

  /** A file that cannot be read stays in the list, and says why. */
  async #preview(path: string): Promise<FilePreview> {
    try {
      return await this.#previewOf(path, await this.#files.readHead(path, PREVIEW_BYTES));
    } catch (error) {
      if (RagError.isInstance(error)) return { preview: '', problem: error.message };
      throw error;
    }
  }

  async #previewOf(path: string, head: FileHead): Promise<FilePreview> {
    const most = largestSize(path, this.#files.maxFileBytes);
    if (head.size > most) return { preview: '', problem: tooLarge(path, head.size, most) };
    if (isBookName(path)) return { preview: beginningOf(await this.#files.readFile(path)) };
    return previewOf(path, head);
  }

  async #fileNotFound(id: string, area: Place, path: string, cause: unknown): Promise<RagError> {
    const files = area === 'instructions' ? [] : await this.#listed(id, area);
    const known = files.map((file) => inProject(file.path));
    const nearest = nearestName(nameOf(path), known.map(nameOf));
    const meant =
      nearest === undefined ? undefined : known.find((file) => nameOf(file) === nearest);
    const way = meant === undefined ? '' : `: is '${meant}' meant?`;
    return new RagError('file-not-found', `there is no ${path} in the project '${id}'${way}`, {
      cause,
      context: { project: id, path, files: known.slice(0, MANY_NAMES), total: known.length },
    });
  }
}

function inProject(path: string): string {
  return path.slice(path.indexOf('/') + 1);
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function isProjectName(name: string): boolean {
  try {
    checkProjectName(name);
    return true;
  } catch {
    return false;
  }
}

function isNotFound(error: unknown): boolean {
  return RagError.isInstance(error) && error.code === 'file-not-found';
}

/** How much of a file is read for its preview, in bytes. */
const PREVIEW_BYTES = 4096;

const MAX_LENGTH = 160;
const FRONT_MATTER = /^---[ \t]*\r?\n(?<yaml>[^]*?\r?\n)---[ \t]*(?:\r?\n|$)/;

/** The preview of a file in a list. */
type FilePreview = Pick<NovelFile, 'preview' | 'problem'>;

/** Returns the beginning of a text on one line, without its front matter, at most 160 characters. */
async function previewOf(path: string, { bytes }: FileHead): Promise<FilePreview> {
  // The bytes may end within a character.
  const text = decodeText(bytes, true);
  if (text === undefined) return { preview: '', problem: noUtf8(path) };
  return { preview: beginningOf(await bodyOf(text)) };
}

function beginningOf(text: string): string {
  // No beginning needs more.
  const line = text.slice(0, PREVIEW_BYTES).replaceAll(/\s\s*/g, ' ').trim();
  const characters = Array.from(line);
  if (characters.length <= MAX_LENGTH) return line;
  return `${characters.slice(0, MAX_LENGTH - 1).join('')}…`;
}

async function bodyOf(text: string): Promise<string> {
  const found = FRONT_MATTER.exec(text);
  const yaml = found?.groups?.['yaml'];
  if (!found || yaml === undefined || !(await readFrontMatter(yaml))) return text;
  return text.slice(found[0].length);
}

/**
 * Returns the project that a `novel.json` describes. Mistakes in it are reported, and hinder nothing: the
 * texts of a project are worth more than its title.
 *
 * @param text - Of `novel.json`, if there is one.
 */
function projectOf(id: string, text: string | undefined): NovelProject {
  const plain: NovelProject = { id, title: id, tags: [], metadata: {} };
  if (text === undefined) return plain;
  let json: JsonText;
  try {
    json = parseJsonText(text);
  } catch (error) {
    const place =
      error instanceof JsonSyntaxError ? `:${error.place.line}:${error.place.column}` : '';
    return { ...plain, problem: `${PROJECT_FILE}${place}: ${messageOf(error)}` };
  }
  if (!isJsonObject(json.value)) return { ...plain, problem: `${PROJECT_FILE} must be an object` };
  return describe(id, json.value, json);
}

function describe(id: string, metadata: JsonObject, json: JsonText): NovelProject {
  const problems: string[] = [];
  const fail = (key: string, wanted: string): undefined => {
    const { line, column } = json.placeOf([key]);
    problems.push(`${PROJECT_FILE}:${line}:${column}: '${key}' must be ${wanted}`);
    return undefined;
  };
  const textOf = (key: string): string | undefined => {
    const value = metadata[key];
    if (value === undefined || typeof value === 'string') return value;
    return fail(key, 'a string');
  };
  const title = textOf('title');
  const author = textOf('author');
  const description = textOf('description');
  const given = metadata['tags'] ?? [];
  const tags = isTextList(given) ? given : (fail('tags', 'a list of strings') ?? []);
  return {
    id,
    title: title === undefined || title.trim() === '' ? id : title,
    ...(author === undefined ? {} : { author }),
    ...(description === undefined ? {} : { description }),
    tags,
    metadata,
    ...(problems[0] === undefined ? {} : { problem: problems.join('; ') }),
  };
}

function isTextList(value: JsonValue): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
