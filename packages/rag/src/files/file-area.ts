/** The folders of a project whose files can be listed, read, searched and written. */
export type FileArea = 'settings' | 'contents';

/** Both, in the order in which they are listed. */
export const FILE_AREAS: readonly FileArea[] = ['settings', 'contents'];

/** Instructions for people and models that work on the project, next to the areas. It is read, not written. */
export const INSTRUCTIONS_FILE = 'DIALOGOI.md';

/** The facts of a project, next to the areas. */
export const PROJECT_FILE = 'novel.json';

/** The default of `maxFileBytes`: 10 MB. */
export const MAX_FILE_BYTES: number = 10 * 1024 * 1024;

/** Checks whether a name ends as the files of an area do that can be written. */
export function isTextName(name: string): boolean {
  return /[^.]\.(?:md|txt)$/i.test(name);
}
