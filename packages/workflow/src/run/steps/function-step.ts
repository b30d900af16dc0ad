import type { JsonValue } from '@vizprompt/providers';
import type { FunctionStep } from '../../definition/step.ts';
import { callFunction, given } from '../call-function.ts';
import { namedInputs } from '../named-inputs.ts';
import type { Place, Thread } from '../thread.ts';

/** Calls a function of the engine. */
export function runFunction(thread: Thread, step: FunctionStep, place: Place): Promise<JsonValue> {
  const { runId, engine } = thread.services;
  const input = namedInputs(step.input_variables, thread.variables);
  const call = given('function', engine.functions, step.function);
  return callFunction(thread, place, {
    speaker: step.function,
    policies: step,
    input: () => ({ ...input }),
    // A copy: what a function does to its input must not change the variables.
    call: ({ signal }) =>
      call(structuredClone({ ...input }), { runId, key: `${runId}/${place.path}`, signal }),
  });
}
