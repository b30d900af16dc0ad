import type { SetAsideBatch } from '@vizprompt/providers/node';
import type { ProjectProblem } from '../events.ts';
import type { Project } from './project.ts';

/** Most files that a message names. */
const MOST_NAMED = 3;

/** Holds what a store sets aside until there is a project that reports it. */
export class SetAside {
  readonly #waiting: ProjectProblem[] = [];
  #project: Project | undefined;

  /** Takes what a store sets aside. */
  add(batch: SetAsideBatch): void {
    const problem = problemOf(batch);
    if (this.#project) this.#project.noteSetAside(problem);
    else this.#waiting.push(problem);
  }

  /** Reports what was set aside so far, and from now on at once. */
  report(project: Project): void {
    this.#project = project;
    for (const problem of this.#waiting.splice(0)) project.noteSetAside(problem);
  }
}

function problemOf({ path, keys }: SetAsideBatch): ProjectProblem {
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
