import type { JsonValue } from '@vizprompt/providers';
import type { ForeachStep } from '../../definition/step.ts';
import { WorkflowError } from '../../errors.ts';
import { evaluate } from '../../language/condition.ts';
import { runParallel, type ParallelPart } from '../parallel.ts';
import { setPartErrors } from '../part-errors.ts';
import { readPart, toJson } from '../tasks.ts';
import type { Place, Thread } from '../thread.ts';

const DEFAULT_CONCURRENCY = 8;

/** Does its steps for each item of a list, each in a thread and with variables of its own. */
export async function runForeach(
  thread: Thread,
  step: ForeachStep,
  place: Place,
): Promise<JsonValue> {
  const { scope, variables, services, forks } = thread;
  const items = evaluate(step.in, variables);
  if (!Array.isArray(items)) {
    const given = items === null ? 'null' : typeof items;
    const message = `'in' of the step '${step.id}' must give a list, and gave ${given}: ${step.in}`;
    throw new WorkflowError('condition-failed', message, { context: { condition: step.in } });
  }
  const { failureMode = 'failFast', maxConcurrency = DEFAULT_CONCURRENCY } = step;
  const followed: (readonly string[])[] = [];
  const parts = items.map((item: JsonValue, at): ParallelPart => ({
    name: String(at),
    async run(signal) {
      const name = `${place.name}/${at}`;
      await services.counter.begin(`${place.path}/${at}`);
      const own = { ...variables, [step.as]: item };
      if (step.indexAs !== undefined) own[step.indexAs] = at;
      const task = toJson({
        kind: 'item',
        workflow: thread.workflow,
        stepId: step.id,
        variables: own,
        keepsFailures: thread.keepsFailures || failureMode !== 'failFast',
        follows: thread.follows,
        forks,
      });
      const result = readPart(await scope.child(name, task, { signal }));
      followed[at] = result.follows;
      return result.output;
    },
  }));
  const ends = await runParallel(thread, place, parts, { mode: failureMode, maxConcurrency });
  setPartErrors(variables, step.id, parts, ends);
  const follows = followed.flat();
  if (follows.length > 0) thread.follows = follows;
  return ends.map((end) => (end.status === 'done' ? end.value : null));
}
