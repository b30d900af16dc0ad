import type { WriteFileOptions, WrittenFile } from '../files/file-operations-service.ts';
import type { FileArea } from '../files/file-area.ts';
import type {
  LineRange,
  NovelContent,
  NovelFileList,
  NovelProject,
  NovelSettings,
  NovelText,
  Page,
} from './novel-project.ts';

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
  /** The files of `settings/`. */
  getSettings(projectId: string, page?: Page): Promise<NovelSettings>;
  /** The files of `contents/`. */
  getContent(projectId: string, page?: Page): Promise<NovelContent>;
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
