import { realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import {
  AMOUNT,
  FLAG,
  type Kinds,
  optional,
  TEXT,
  TEXTS,
} from '@vizprompt/providers/config/internal';
import { checkArgument, checkOptions } from '../check-options.ts';
import { RagError } from '../errors.ts';
import { MAX_FILE_BYTES } from './file-area.ts';
import { withReservedName } from './reserve-file-name.ts';
import { BOOK_ENDINGS } from '../books/book-names.ts';
import { BookTexts } from '../books/book-text.ts';
import { hasCode } from '@vizprompt/providers/internal';
import { fileFailure, isLinkError, notFound } from './file-failure.ts';
import { DirectoryHandle, type Likeness } from './directory-handle.ts';
import {
  linkTarget,
  checkProjectName,
  folderPath,
  readPath,
  writePath,
  type ProjectPath,
} from './project-path.ts';
import { listFolder, type ListedFile } from './list-folder.ts';
import { readHead, readTextFile, type FileHead } from './read-text-file.ts';
import { bytesOf, existsError, sweepAbandoned, writeTextFile } from './write-text-file.ts';

/** Options of {@link FileOperationsService.writeFile}. */
export interface WriteFileOptions {
  /** True if a file that is there may be replaced. Default: `false`. */
  readonly overwrite?: boolean | undefined;
}

export const WRITE_FILE_OPTIONS: Kinds<WriteFileOptions> = {
  overwrite: optional(FLAG, { en: 'Replace an existing file of this name', default: false }),
};

/** The result of {@link FileOperationsService.writeFile}. */
export interface WrittenFile {
  /** Relative to the root, as it is called on the disk. */
  readonly path: string;
  readonly bytes: number;
  /** True if there was none before. */
  readonly created: boolean;
}

/** Options of {@link FileOperationsService.open}. */
export interface FileOperationsOptions {
  /** The folder that holds a folder for each project. It may itself be a link. */
  readonly root: string;
  /** Bytes of the largest file that is read or written. Default: 10,485,760 (10 MB). */
  readonly maxFileBytes?: number | undefined;
}

const OPEN_OPTIONS: Kinds<FileOperationsOptions> = { root: TEXT, maxFileBytes: optional(AMOUNT) };

type FileTask<T> = (folder: DirectoryHandle, name: string) => Promise<T>;

/**
 * The one place where files of projects are read and written, on paths that come from outside:
 * `灯台/settings/人物.md`. Nothing outside of the root is reached, whatever the path and whatever links
 * are there, and only `.md` and `.txt` files in `settings/` and `contents/` are written.
 */
export class FileOperationsService {
  /** The root, links resolved. */
  readonly root: string;
  /** Bytes of the largest file that is read or written. */
  readonly maxFileBytes: number;
  readonly #books = new BookTexts();

  private constructor(root: string, maxFileBytes: number) {
    this.root = root;
    this.maxFileBytes = maxFileBytes;
  }

  /**
   * @throws RagError with the code `file-not-found` if there is no such folder, or `path-invalid` if it is
   * something else. It is not made: a mistyped path would look like a root without projects.
   */
  static async open(options: FileOperationsOptions): Promise<FileOperationsService> {
    checkOptions('FileOperationsService.open', options, OPEN_OPTIONS);
    const { root, maxFileBytes = MAX_FILE_BYTES } = options;
    const way = 'make the folder, or name another one as projectRoot (--project-root)';
    try {
      const real = await realpath(root);
      if ((await stat(real)).isDirectory()) {
        return new FileOperationsService(real, maxFileBytes);
      }
    } catch (cause) {
      if (!hasCode(cause, 'ENOENT', 'ENOTDIR')) throw fileFailure(cause, root);
      const message = `there is no folder ${root} for the projects: ${way}`;
      throw new RagError('file-not-found', message, { cause, context: { path: root } });
    }
    const message = `${root} is not a folder of projects: ${way}`;
    throw new RagError('path-invalid', message, { context: { path: root } });
  }

  /**
   * Returns the text of a file, without a byte order mark; of a book (EPUB, DOCX), its paragraphs as lines. Existing files can be read, also by a name that
   * {@link writeFile} makes no file with, such as `a:b.md`.
   *
   * @throws RagError with the code `path-invalid`, `file-not-found` or `file-invalid`.
   */
  async readFile(path: string): Promise<string> {
    return this.#atFile(path, (folder, name) =>
      readTextFile(folder, name, this.maxFileBytes, this.#books),
    );
  }

  /** Returns the first bytes of a file, its size and when it was changed. */
  async readHead(path: string, limit: number): Promise<FileHead> {
    return this.#atFile(path, (folder, name) => readHead(folder, name, limit));
  }

  /**
   * Writes a file, atomically and durably; folders that are missing are made. A name in another
   * normal form means the file that is there, and one in another case is refused. If several write at
   * the same time, one has created the file.
   *
   * @throws RagError with the code `path-invalid`, `file-exists`, `file-invalid` or `file-failed`.
   */
  async writeFile(
    path: string,
    content: string,
    options: WriteFileOptions = {},
  ): Promise<WrittenFile> {
    checkArgument('the content', content, TEXT);
    checkOptions('writeFile', options, WRITE_FILE_OPTIONS);
    const { overwrite = false } = options;
    const parts = writePath(path);
    const bytes = bytesOf(content, parts.path, this.maxFileBytes);
    const wanted = parts.name ?? '';
    return this.#inFolder(parts, 'make', async (folder) => {
      const written = await withReservedName(folder, wanted, async () => {
        const known = findName(folder, wanted);
        const name = known?.name ?? wanted.normalize('NFC');
        if (known && !overwrite) throw existsError(folder.titleOf(name));
        await writeTextFile(folder, name, bytes, overwrite);
        return { path: folder.titleOf(name), bytes: bytes.length, created: known === undefined };
      });
      await sweepAbandoned(folder);
      return written;
    });
  }

  /**
   * Returns the files below a folder of a project, in the order of their paths as people count. Hidden names
   * are left out, and so are links; a folder that is not there has none.
   *
   * @param extensions - Such as `['.md']`. Default: `.md`, `.txt`, `.epub` and `.docx`.
   */
  async listFiles(
    folder: string,
    extensions: readonly string[] = ['.md', '.txt', ...BOOK_ENDINGS],
  ): Promise<readonly ListedFile[]> {
    checkArgument('the folder', folder, TEXT);
    checkArgument('the extensions', extensions, TEXTS);
    try {
      return await this.#inFolder(folderPath(folder), 'find', (held) => {
        return listFolder(held, extensions);
      });
    } catch (error) {
      if (RagError.isInstance(error) && error.code === 'file-not-found') return [];
      throw error;
    }
  }

  /**
   * Returns the folder of a project, to read it by other means.
   *
   * @throws RagError with the code `file-not-found`, or `path-invalid` for a name that is not allowed
   * or a link.
   */
  async projectFolder(project: string): Promise<string> {
    checkProjectName(project);
    using root = DirectoryHandle.open(this.root, '');
    const known = findName(root, project);
    if (!known) throw notFound(project);
    root.descend(known.name).close();
    return join(this.root, known.name);
  }

  /** Returns the names of folders in the root that can be projects, in the order of the system. */
  async listProjects(): Promise<readonly string[]> {
    using root = DirectoryHandle.open(this.root, this.root);
    return root
      .entries()
      .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
      .map(({ name }) => name);
  }

  /** Does something with a file; if it lies behind a link within the project, with the real one. */
  async #atFile<T>(path: string, task: FileTask<T>): Promise<T> {
    const parts = readPath(path);
    try {
      return await this.#inFolderOf(parts, task);
    } catch (error) {
      if (!isLinkError(error) || parts.problem) throw error;
      const target = await linkTarget(this.root, parts);
      if (target === undefined) throw error;
      return this.#inFolderOf(target, task);
    }
  }

  #inFolderOf<T>(parts: ProjectPath, task: FileTask<T>): Promise<T> {
    const { name: wanted = '' } = parts;
    return this.#inFolder(parts, 'find', async (folder) => {
      const known = findIn(folder, wanted, parts);
      if (!known) throw notFound(folder.titleOf(wanted));
      return task(folder, known.name);
    });
  }

  /** Goes down to a folder, step by step, and does something there. */
  async #inFolder<T>(
    parts: ProjectPath,
    missing: 'find' | 'make',
    task: (folder: DirectoryHandle) => Promise<T>,
  ): Promise<T> {
    const { project, folders } = parts;
    const held: DirectoryHandle[] = [];
    try {
      let folder = DirectoryHandle.open(this.root, '');
      held.push(folder);
      for (const [depth, name] of [project, ...folders].entries()) {
        const known = depth === 0 ? findName(folder, name) : findIn(folder, name, parts);
        if (!known && (missing === 'find' || depth === 0)) throw notFound(folder.titleOf(name));
        folder = folder.descend(known?.name ?? (await makeFolder(folder, name)));
        held.push(folder);
      }
      return await task(folder);
    } finally {
      for (const folder of held) folder.close();
    }
  }
}

/** Makes a folder, unless another process has just done so. */
function makeFolder(folder: DirectoryHandle, name: string): Promise<string> {
  return withReservedName(folder, name, async () => {
    const actual = findName(folder, name)?.name ?? name.normalize('NFC');
    await folder.makeFolder(actual);
    return actual;
  });
}

/**
 * Returns the entry that a name of a path means. Names that no file is made with are looked for in the list of
 * the folder: on some systems they mean something else.
 *
 * @throws RagError with the code `path-invalid`.
 */
function findIn(
  folder: DirectoryHandle,
  name: string,
  { problem }: ProjectPath,
): { readonly name: string } | undefined {
  if (!problem) return findName(folder, name);
  const listed = folder.findListed(name);
  if (listed === undefined) throw problem;
  return { name: listed };
}

/**
 * Returns the entry that a name means.
 *
 * @throws RagError with the code `path-invalid` if one is there that differs in case alone: on some
 * disks it is the same file, on others not.
 */
function findName(
  folder: DirectoryHandle,
  name: string,
): { readonly name: string; readonly likeness: Likeness } | undefined {
  const known = folder.find(name);
  if (known?.likeness !== 'other-case') return known;
  const actual = folder.titleOf(known.name);
  const message = `there is no ${folder.titleOf(name)}, but ${actual}: use that name`;
  throw new RagError('path-invalid', message, { context: { path: actual } });
}
