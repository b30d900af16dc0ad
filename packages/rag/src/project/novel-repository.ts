import { SEARCH_OPTIONS } from '../contract/search-backend.ts';
import type { JsonObject } from '@vizprompt/providers';
import { type Kinds, optional, POSITIVE } from '@vizprompt/providers/config/internal';
import type { WriteFileOptions, WrittenFile } from '../files/file-operations-service.ts';
import type { FileArea } from '../files/file-area.ts';

/** A project: a folder below the project root. */
export interface NovelProject {
  /** The name of the folder, in NFC; `novelId` elsewhere. */
  readonly id: string;
  /** From `novel.json`. Default: the id. */
  readonly title: string;
  readonly author?: string;
  readonly description?: string;
  readonly tags: readonly string[];
  /** All of `novel.json`. */
  readonly metadata: JsonObject;
  /** Why `novel.json` cannot be used, with line and column. The project can be used without it. */
  readonly problem?: string;
}

/** Which part of a list. */
export interface Page {
  /** How many are passed over. Default: 0. */
  readonly offset?: number | undefined;
  /** How many at most, from 1. Default: 50. */
  readonly limit?: number | undefined;
}

export const PAGE: Kinds<Page> = {
  offset: SEARCH_OPTIONS.offset,
  limit: optional(POSITIVE, { en: 'How many entries at most' }),
};

/** A file of a project, as lists show it; or a folder that cannot be read. */
export interface NovelFile {
  /** Relative to the project: `settings/人物.md`; that of a folder ends in `/`. */
  readonly path: string;
  readonly bytes: number;
  /** When it was changed, ISO 8601. */
  readonly modified: string;
  /** Its beginning, on one line, at most 160 characters; empty if it cannot be read. */
  readonly preview: string;
  /** Why it cannot be read: its name is not allowed, it is too large, or its beginning is not UTF-8. */
  readonly problem?: string;
}

/** A page of the files of an area. */
export interface NovelFileList {
  /** In the order of their paths as people count: `第2章` before `第10章`. */
  readonly files: readonly NovelFile[];
  /** How many there are in all. */
  readonly total: number;
  /** Where the next page begins; absent on the last one. */
  readonly nextOffset?: number;
}

/** Which lines of a file. */
export interface LineRange {
  /** From 1. Default: 1. */
  readonly startLine?: number | undefined;
  /** With this line. Default: the last one. */
  readonly endLine?: number | undefined;
  /**
   * Where to begin in `startLine`, from 1, in UTF-16 code units: the `nextColumn` of a line that was
   * cut, or the `startColumn` of a hit. Default: 1.
   */
  readonly startColumn?: number | undefined;
  /**
   * Where to end in `endLine`, with this column, from 1: the `endColumn` of a hit. A character whose first half it is
   * comes whole; columns after the end of the line count as its end. Default: all of the line.
   */
  readonly endColumn?: number | undefined;
  /**
   * How much text at most, in UTF-16 code units: whole lines, or a part of the first one if that is
   * longer; at least one character. Default: 60,000.
   */
  readonly maxCharacters?: number | undefined;
}

export const LINE_RANGE: Kinds<LineRange> = {
  startLine: optional(POSITIVE, {
    en: 'The first line, from 1; needs file. Searches say on which lines their hits are',
  }),
  endLine: optional(POSITIVE, { en: 'The last line; needs file' }),
  startColumn: optional(POSITIVE, {
    en: 'Where to begin in startLine, from 1: the startColumn of a hit, or the nextColumn of a line that was cut; needs file',
  }),
  endColumn: optional(POSITIVE, {
    en: 'Where to end in endLine, with this column: the endColumn of a hit; needs file and endLine',
  }),
  maxCharacters: optional(POSITIVE, { isCodeOnly: true }),
};

/** Lines of a file. */
export interface NovelText {
  /** Relative to the project. */
  readonly path: string;
  /** The lines with their ends. */
  readonly text: string;
  readonly startLine: number;
  /** Where `text` begins in its first line, if that is not at its beginning. */
  readonly startColumn?: number;
  /** The last line of `text`; 0 for an empty file. */
  readonly endLine: number;
  /** Where `text` ends in its last line, with this column, if `endColumn` ended it. */
  readonly endColumn?: number;
  readonly totalLines: number;
  /** The first line that `maxCharacters` left out, in whole or in part. */
  readonly nextLine?: number;
  /** Where `nextLine` continues, if it was cut. */
  readonly nextColumn?: number;
  /** Why there is no text, where all files were asked for and this one cannot be read. */
  readonly problem?: string;
}

/**
 * Where projects and their files lie. Paths of files are relative to their project, with or without
 * the area in front: `人物.md` in `settings` is `settings/人物.md`.
 *
 * All methods throw `ProjectNotFoundError` for a project that is not there, and `RagError` with the
 * code `path-invalid` for names that are not allowed.
 */
export interface NovelRepository {
  /** In the order of their ids. */
  listProjects(): Promise<readonly NovelProject[]>;
  getProject(projectId: string): Promise<NovelProject>;
  /** Returns the files of `settings/`. */
  getSettings(projectId: string, page?: Page): Promise<NovelFileList>;
  /** Returns the files of `contents/`. */
  getContent(projectId: string, page?: Page): Promise<NovelFileList>;
  /** `DIALOGOI.md`, if it is there. */
  getInstructions(projectId: string): Promise<NovelFileList>;
  /** @throws RagError with the code `file-not-found`, with what is there in its place. */
  readText(
    projectId: string,
    area: FileArea | 'instructions',
    file: string,
    range?: LineRange,
  ): Promise<NovelText>;
  /** @throws RagError with the code `file-exists` without `overwrite`. */
  writeText(
    projectId: string,
    area: FileArea,
    file: string,
    content: string,
    options?: WriteFileOptions,
  ): Promise<WrittenFile>;
}
