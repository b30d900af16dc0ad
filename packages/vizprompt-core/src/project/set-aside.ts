import type { SetAsideBatch } from '@vizprompt/providers/internal';
import { type ProjectProblem, VizPromptError } from '../errors.ts';
import { isProjectPlace } from '../format/layout.ts';
import { refresh } from '../index/refresh.ts';
import type { Project } from './project.ts';

/** Most files that a message names. */
const MOST_NAMED = 3;

/** Holds what a store sets aside until there is a project that reports it. */
export class SetAside {
  readonly #waiting: ProjectProblem[] = [];
  #project: Project | undefined;

  /** Takes what a store sets aside. */
  add(batch: SetAsideBatch): void {
    const problem = problemOfBatch(batch);
    if (this.#project) this.#project.noteSetAside(problem);
    else this.#waiting.push(problem);
  }

  /** Reports what was set aside so far, and from now on at once. */
  report(project: Project): void {
    this.#project = project;
    for (const problem of this.#waiting.splice(0)) project.noteSetAside(problem);
  }
}

function problemOfBatch({ path, keys }: SetAsideBatch): ProjectProblem {
  const named = keys.slice(0, MOST_NAMED).map((key) => JSON.stringify(key));
  const rest = keys.length - named.length;
  const files = [...named, ...(rest > 0 ? [`${rest} more`] : [])].join(', ');
  const changes =
    keys.length === 0 ? 'a batch that cannot be read' : `an unfinished batch (${files})`;
  return {
    severity: 'warning',
    file: path,
    message:
      `${changes} was not applied: it is not proved that you wrote it in this folder on this machine. ` +
      'It came with the folder, or an earlier version, another user or a move of the folder left it. ' +
      `If it is yours, apply it by 'vizprompt repair --batch ${path}'; otherwise delete that file`,
  };
}

/**
 * Applies a batch that was set aside, whole or not at all.
 *
 * @param folder - The folder of the project; absent on a storage of the caller.
 * @param file - As a problem names it.
 * @returns The files that were written or deleted.
 * @throws VizPromptError with the code `invalid-input` if it changes what is no place of a project.
 */
export async function restoreBatch(
  project: Project,
  folder: string | undefined,
  file: string,
): Promise<readonly string[]> {
  project.assertWritable();
  if (folder === undefined) {
    const message = 'restoreBatch: expected a project that was opened by its folder';
    throw new VizPromptError('invalid-input', message);
  }
  const { readSetAside } = await import('@vizprompt/providers/node');
  const changes = await readSetAside(folder, file);
  const strange = changes.find(({ key }) => !isProjectPlace(key));
  if (strange) {
    const message = `cannot apply the batch: it changes ${JSON.stringify(strange.key)}, which is none of the places of a project`;
    throw new VizPromptError('invalid-input', message, { context: { file: strange.key } });
  }
  await project.write(() => project.files.writeMany(changes));
  await refresh(project);
  return changes.map(({ key }) => key);
}
