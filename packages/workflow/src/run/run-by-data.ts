import type { JsonObject, JsonValue } from '@vizprompt/providers';
import { linkSignal } from '../calls/time-limit.ts';
import type { Step } from '../definition/step.ts';
import { allSteps } from '../definition/walk-steps.ts';
import { reasonOf, WorkflowError } from '../errors.ts';
import { dataOf, dataOrder } from '../load/data-order.ts';
import {
  errorsIn,
  type ExecutionContext,
  forkAt,
  type OwnVariables,
  pathIn,
  readStep,
  toJson,
} from './execution-context.ts';

/**
 * Runs the steps of a list side by side, each as soon as the steps whose variables it takes have ended. Each is a thread
 * of its own, which is given the variables that it takes: what it does never depends on the order in which others end.
 *
 * @returns The output of the last step of the list that was not left out.
 */
export async function runByData(
  context: ExecutionContext,
  steps: readonly Step[],
): Promise<JsonValue> {
  const { scope } = context;
  const order = dataOrder(steps);
  const control = linkSignal(scope.signal);
  const outputs: (JsonValue | undefined)[] = [];
  const follows: (readonly string[])[] = [];
  const ended = new Set<number>();
  const runs: Promise<void>[] = [];
  let failure: { readonly error: unknown } | undefined;
  const runOne = async (step: Step, at: number, needs: readonly number[]): Promise<void> => {
    await Promise.all(needs.map((need) => runs[need] ?? Promise.resolve()));
    if (control.signal.aborted || !needs.every((need) => ended.has(need))) return;
    const before = needs.flatMap((need) => follows[need] ?? []);
    try {
      const done = await runThread(context, step, {
        signal: control.signal,
        follows: needs.length === 0 ? context.follows : before,
      });
      outputs[at] = done.output;
      follows[at] = done.follows;
      ended.add(at);
    } catch (error) {
      failure ??= { error };
      // Where the whole run is cancelled, each step ends on its own; so does a view of the journal.
      const isOver = WorkflowError.isInstance(error) && error.code === 'cancelled';
      if (!isOver) {
        control.abort(new WorkflowError('cancelled', `the parallel step '${step.id}' failed`));
      }
    }
  };
  try {
    for (const [at, step] of steps.entries()) runs.push(runOne(step, at, order[at] ?? []));
    await Promise.all(runs);
  } finally {
    control.unlink();
  }
  if (failure) throw failure.error;
  if (scope.signal.aborted) throw reasonOf(scope.signal);
  const inner = new Set(order.flat());
  context.follows = [...new Set(follows.flatMap((paths, at) => (inner.has(at) ? [] : paths)))];
  return outputs.findLast((output) => output !== undefined) ?? null;
}

async function runThread(
  context: ExecutionContext,
  step: Step,
  { signal, follows }: { readonly signal: AbortSignal; readonly follows: readonly string[] },
): Promise<{ readonly output: JsonValue | undefined; readonly follows: readonly string[] }> {
  const { scope, services, prefix, variables } = context;
  const name = `${prefix}${step.id}#1`;
  const path = pathIn(scope, name);
  const turn = services.counter.begin(path);
  if (turn) await turn;
  Object.assign(variables, forkAt(context, path)?.variables);
  const { reads, writes } = dataOf(step);
  const own = new Set([...allSteps([step])].map((one) => one.step.id));
  const task = toJson({
    kind: 'step',
    workflow: context.workflow,
    stepId: step.id,
    variables: {
      ...picked(variables, ['user_input', ...reads, ...writes]),
      // Errors of steps that run alongside it depend on timing.
      errors: reads.has('errors') ? errorsIn(variables) : picked(errorsIn(variables), own),
    },
    keepsFailures: context.keepsFailures,
    follows,
    forks: context.forks,
  });
  const done = readStep(await scope.child(name, task, { signal }));
  Object.assign(variables, picked(done.variables, writes));
  const others = Object.entries(errorsIn(variables)).filter(([id]) => !own.has(id));
  variables['errors'] = { ...Object.fromEntries(others), ...picked(errorsIn(done.variables), own) };
  return { output: done.output, follows: done.follows };
}

function picked(variables: JsonObject | OwnVariables, names: Iterable<string>): JsonObject {
  const own = new Map<string, JsonValue>();
  for (const name of names) {
    const value = Object.hasOwn(variables, name) ? variables[name] : undefined;
    if (value !== undefined) own.set(name, value);
  }
  return Object.fromEntries(own);
}
