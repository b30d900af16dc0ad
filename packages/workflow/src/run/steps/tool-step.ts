import type { JsonValue } from '@vizprompt/providers';
import type { ToolStep } from '../../definition/step.ts';
import { callFunction, given } from '../call-function.ts';
import { namedInputs } from '../named-inputs.ts';
import type { Place, Thread } from '../thread.ts';

/** Runs a tool of the engine. */
export function runTool(thread: Thread, step: ToolStep, place: Place): Promise<JsonValue> {
  const { runId, engine } = thread.services;
  const input = namedInputs(step.input_variables, thread.variables);
  const tool = given('tool', engine.tools, step.tool);
  return callFunction(thread, place, {
    speaker: step.tool,
    policies: step,
    input: () => ({ ...input }),
    call: ({ signal }) =>
      tool.run(structuredClone({ ...input }), { id: `${runId}/${place.path}`, signal }),
  });
}
