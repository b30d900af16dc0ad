import type { JsonValue } from '@vizprompt/providers';
import type { Step } from '../definition/step.ts';
import { WorkflowError } from '../errors.ts';
import { reasonOf } from './failure.ts';
import { runStep } from './run-step.ts';
import { pathIn } from '../runtime/durable-scope.ts';
import { forkAt, type Thread } from './thread.ts';

const places = new WeakMap<readonly Step[], ReadonlyMap<string, number>>();

/**
 * Runs the steps of a list from one to the next until the end.
 *
 * @param initial - The id of the first one. Default: the first of the list.
 * @returns The output of the step that ran last.
 */
export async function runSteps(
  thread: Thread,
  steps: readonly Step[],
  initial: string | undefined = steps[0]?.id,
): Promise<JsonValue> {
  const { scope, services, prefix } = thread;
  const at = placesOf(steps);
  const visits = new Map<string, number>();
  let output: JsonValue = null;
  let id = initial ?? 'end';
  while (id !== 'end') {
    const place = at.get(id);
    const step = place === undefined ? undefined : steps[place];
    if (place === undefined || !step) throw unknownStep(thread, id, at);
    const visit = (visits.get(id) ?? 0) + 1;
    visits.set(id, visit);
    const name = `${prefix}${id}#${visit}`;
    const path = pathIn(scope, name);
    if (scope.signal.aborted) throw reasonOf(scope.signal);
    const turn = services.counter.begin(path);
    if (turn) await turn;
    Object.assign(thread.variables, forkAt(thread, path)?.variables);
    const done = await runStep(thread, step, name);
    if (done.output !== undefined) output = done.output;
    id = done.next ?? step.next_step ?? steps[place + 1]?.id ?? 'end';
  }
  return output;
}

function placesOf(steps: readonly Step[]): ReadonlyMap<string, number> {
  const known = places.get(steps);
  if (known) return known;
  const made = new Map(steps.map(({ id }, at) => [id, at]));
  places.set(steps, made);
  return made;
}

function unknownStep(
  { workflow, services: { runId } }: Thread,
  id: string,
  at: ReadonlyMap<string, number>,
): WorkflowError {
  const known = [...at.keys()].slice(0, 20).join(', ');
  return new WorkflowError(
    'not-found',
    `there is no step '${id}' in this list of '${workflow}'; there is: ${known}`,
    { context: { runId, workflow, step: id } },
  );
}
