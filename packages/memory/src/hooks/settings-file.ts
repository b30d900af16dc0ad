import { readFile, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { messageOf } from '@vizprompt/providers';
import { isMissing, replaceFile } from '@vizprompt/providers/internal';
import { isInGit, isWithin, linkBetween } from '@vizprompt/providers/trust/internal';
import { MemoryError } from '../errors.ts';
import { realPlace } from '../files/resolve-file.ts';

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Returns the text of a file; `undefined` if there is none.
 *
 * @throws MemoryError `invalid-input` if it cannot be read, or is not UTF-8, which would not come back as it was.
 */
export async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return decoder.decode(await readFile(path));
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw new MemoryError('invalid-input', `${path} cannot be read: ${messageOf(error)}`, {
      cause: error,
      context: { file: path },
    });
  }
}

/**
 * Checks that a file is where its path says. The links of a project may come with it, from a person who wants another
 * file to be written; those of this user in their home folder are followed. Nothing is written into a folder of git,
 * which would obey it.
 *
 * @param project - The folder of the project; absent for settings of this user.
 * @throws MemoryError `path-outside`.
 */
export function assertPlace(path: string, project: string | undefined): void {
  const isOfProject = project !== undefined && isWithin(resolve(project), resolve(path));
  const link = isOfProject ? linkBetween(project, path) : undefined;
  if (link !== undefined) {
    throw new MemoryError(
      'path-outside',
      `${path} cannot be changed: ${link} is a link, so that another file would be written. Replace the link ` +
        'with a plain folder or file, or name the settings by their own path',
      { context: { file: path, link } },
    );
  }
  if (!isInGit(path, isOfProject ? project : undefined)) return;
  throw new MemoryError(
    'path-outside',
    `${path} cannot be changed: it is in a folder of git. Name settings outside of it`,
    { context: { file: path } },
  );
}

/** Replaces the text of a file as a whole; a link stays a link, and the mode stays. */
export async function replaceSettings(path: string, text: string): Promise<void> {
  await replaceFile(await realPlace(path), text, { mode: 0o600 });
}

/** Deletes a file; a link that leads to it stays. */
export async function deleteFile(path: string): Promise<void> {
  await rm(await realPlace(path), { force: true });
}
