import { createHash } from 'node:crypto';
import type { JsonObject } from '@vizprompt/providers';
import { canonicalJson } from '@vizprompt/providers';
import type { Pinned, PinnedDefinition } from '../definition/pinned-definition.ts';
import { WorkflowError } from '../errors.ts';
import type { RunHistory, StepRecord, StoredRun } from '../journal/journal.ts';
import type { ForkChanges } from '../options.ts';
import { readTask, toJson, type ForkPoint } from '../run/tasks.ts';
import { undecidedFailures } from './undecided.ts';

/** What a fork begins with. */
export interface ForkedRun extends Pinned {
  readonly task: JsonObject;
  readonly steps: readonly StepRecord[];
}

/**
 * A run as it was before a step.
 *
 * @throws WorkflowError with the code `not-found` if the run has not come to such a path.
 */
export function forkRun(
  run: StoredRun,
  definition: PinnedDefinition,
  history: RunHistory,
  path: string,
  changes: ForkChanges,
): ForkedRun {
  const steps = stepsBefore(run, history, path);
  const changed = changedDefinition(definition, changes);
  const task = readTask(run.task);
  if (task.kind !== 'run') throw new TypeError(`'${run.id}' is no run`);
  const before = task.forks.filter((fork) =>
    steps.some((step) => isAtOrBelow(step.path, fork.path)),
  );
  const same = task.forks.find((fork) => fork.path === path);
  const point: ForkPoint = {
    path,
    variables: { ...same?.variables, ...changes.variables },
    ...(changes.output === undefined ? {} : { output: changes.output }),
  };
  return { ...changed, task: toJson({ ...task, forks: [...before, point] }), steps };
}

/** The steps that cannot depend on the one at a path: they had begun before it ended. */
function stepsBefore(run: StoredRun, { steps, waits }: RunHistory, path: string): StepRecord[] {
  const own = steps.filter((step) => isAtOrBelow(step.path, path));
  if (own.length === 0) {
    const failed = run.error?.context['path'];
    const isOpen =
      waits.some((wait) => isAtOrBelow(wait.path, path)) ||
      (typeof failed === 'string' && isAtOrBelow(failed, path));
    if (isOpen) return [...steps];
    const known = [...new Set(steps.map((step) => step.path))];
    const shown =
      known.length > 20 ? `${known.slice(-20).join(', ')} (the last 20)` : known.join(', ');
    throw new WorkflowError(
      'not-found',
      `the run '${run.id}' has not come to '${path}'; it has come to: ${shown || 'nothing'}`,
      { context: { runId: run.id, path } },
    );
  }
  const ended = own.reduce((most, { seq }) => Math.max(most, seq), 0);
  const again = new Set(undecidedFailures(steps));
  return steps.filter(
    ({ path: other, begun }) => begun < ended && !isAtOrBelow(other, path) && !again.has(other),
  );
}

function isAtOrBelow(path: string, above: string): boolean {
  if (!path.startsWith(above)) return false;
  const next = path[above.length];
  return next === undefined || next === '/' || next === ':';
}

function changedDefinition(definition: PinnedDefinition, changes: ForkChanges): Pinned {
  const changed: PinnedDefinition = {
    ...definition,
    prompts: { ...definition.prompts, ...changes.prompts },
    use: {
      ...definition.use,
      models: { ...definition.use.models, ...changes.models },
    },
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a definition is plain JSON
  const canonical = canonicalJson(changed) as unknown as PinnedDefinition;
  const hash = createHash('sha256').update(JSON.stringify(canonical)).digest('hex');
  return { definition: canonical, hash };
}
