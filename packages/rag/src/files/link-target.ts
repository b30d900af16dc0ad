import { realpath } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { RagError } from '../errors.ts';
import { PROJECT_FILE } from './file-area.ts';
import { readPath, type ProjectPath } from './project-path.ts';

/**
 * The real path of a file behind links, if it is one that can be read in the same project. It is but
 * a name: whoever goes there meets no link, or is refused again.
 *
 * @param root - Of all projects, without links in it.
 */
export async function linkTarget(
  root: string,
  { project, path }: ProjectPath,
): Promise<ProjectPath | undefined> {
  try {
    const real = await realpath(join(root, path));
    const target = readPath(relative(root, real).split(sep).join('/'));
    const isSame = target.project.normalize('NFC') === project.normalize('NFC');
    return isSame && target.name !== PROJECT_FILE ? target : undefined;
  } catch (error) {
    // It leads to nothing, or to where nobody may read.
    if (error instanceof Error && ('code' in error || RagError.isInstance(error))) return undefined;
    throw error;
  }
}
