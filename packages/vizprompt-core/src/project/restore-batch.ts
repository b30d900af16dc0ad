import type { FileChange } from '@vizprompt/providers';
import { VizPromptError } from '../errors.ts';
import { refresh } from '../index/refresh.ts';
import { isProjectPlace } from './places.ts';
import type { Project } from './project.ts';

/**
 * Applies a batch that was set aside, whole or not at all.
 *
 * @returns The files that were written or deleted.
 * @throws VizPromptError with the code `invalid-input` if it changes what is no place of a project.
 */
export async function restoreBatch(
  project: Project,
  changes: readonly FileChange[],
): Promise<readonly string[]> {
  const strange = changes.find(({ key }) => !isProjectPlace(key));
  if (strange) {
    const message = `cannot apply the batch: it changes ${JSON.stringify(strange.key)}, which is none of the places of a project`;
    throw new VizPromptError('invalid-input', message, { context: { file: strange.key } });
  }
  await project.write(() => project.files.writeMany(changes));
  await refresh(project);
  return changes.map(({ key }) => key);
}
