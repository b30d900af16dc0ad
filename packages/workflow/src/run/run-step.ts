import type { ErrorJson, JsonObject, JsonValue } from '@vizprompt/providers';
import type { OnError } from '../definition/policies.ts';
import type { Step } from '../definition/step.ts';
import { holds } from '../language/condition.ts';
import { fromErrorJson, isFatal, stepFailed, toErrorJson } from './failure.ts';
import { errorsIn } from './errors-variable.ts';
import { giveOutput } from './give-output.ts';
import { otherOutputs } from './other-outputs.ts';
import { runByType } from './run-by-type.ts';
import { forkAt, placeOf, type Place, type StepDone, type Thread } from './thread.ts';

/** Runs a step by the rules that all types have in common: `when`, `onError`, `output_variable`. */
export async function runStep(thread: Thread, step: Step, name: string): Promise<StepDone> {
  const place = placeOf(thread, step, name);
  const { variables } = thread;
  const { onError = 'fail' } = step;
  try {
    const given = forkAt(thread, place.path)?.output;
    if (given !== undefined) {
      setGiven(variables, step, given);
      return { output: await giveOutput(thread, place, given) };
    }
    const known = onError === 'fail' ? undefined : knownFailure(thread, place);
    if (known) throw known;
    if (step.when !== undefined && !holds(step.when, variables)) return skip(thread, step, place);
    const inner = onError === 'fail' ? thread : keepingFailures(thread);
    const done = await runByType(inner, step, place);
    thread.follows = inner.follows;
    if (done.output !== undefined) setOutput(variables, step, done.output);
    return done;
  } catch (error) {
    if (isFatal(error)) throw error;
    const failure = stepFailed(
      { runId: thread.services.runId, path: place.path, stepId: step.id },
      error,
    );
    if (onError === 'fail') throw failure;
    return { ...(await dealWith(thread, step, place, onError, toErrorJson(failure))) };
  }
}

async function dealWith(
  thread: Thread,
  step: Step,
  { name, stepId, type }: Place,
  onError: Exclude<OnError, 'fail'>,
  failure: ErrorJson,
): Promise<StepDone> {
  const { variables, scope } = thread;
  // Whatever a resumed run would find instead: what follows was done after this failure.
  const { output: kept } = await scope.step(failureName(name), async () => ({
    output: jsonOf(failure),
    meta: { stepId, type, isInner: true },
  }));
  variables['errors'] = { ...errorsIn(variables), [step.id]: kept };
  const output: JsonValue =
    typeof onError === 'object' && 'default' in onError
      ? // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it comes from JSON
        ((onError.default ?? null) as JsonValue)
      : null;
  setGiven(variables, step, output);
  return {
    output,
    next: typeof onError === 'object' && 'goto' in onError ? onError.goto : undefined,
  };
}

/** A failure that was dealt with before a resume is not tried again. */
function knownFailure(thread: Thread, { name }: Place): Error | undefined {
  const known = thread.scope.known?.(failureName(name));
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by dealWith
  return known && fromErrorJson(known.output as unknown as ErrorJson);
}

function failureName(name: string): string {
  return `${name}:failed`;
}

function keepingFailures(thread: Thread): Thread {
  return thread.keepsFailures ? thread : { ...thread, keepsFailures: true };
}

function skip({ services, variables }: Thread, step: Step, { path, stepId }: Place): StepDone {
  services.tell('step:skipped', { path, stepId });
  const own = 'output_variable' in step ? step.output_variable : undefined;
  if (own !== undefined) variables[own] ??= null;
  for (const [name] of otherOutputs(step, null)) variables[name] ??= null;
  return { output: undefined };
}

/** Where the output did not come from the parts of the step. */
function setGiven(variables: { [name: string]: JsonValue }, step: Step, output: JsonValue): void {
  setOutput(variables, step, output);
  for (const [name, value] of otherOutputs(step, output)) variables[name] = value;
}

function setOutput(variables: { [name: string]: JsonValue }, step: Step, output: JsonValue): void {
  if ('output_variable' in step && step.output_variable !== undefined) {
    variables[step.output_variable] = output;
  }
}

function jsonOf(error: ErrorJson): JsonObject {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an ErrorJson is plain
  return error as unknown as JsonObject;
}
