import type { JsonValue } from '@vizprompt/providers';
import type { SubflowStep } from '../../definition/step.ts';
import { namedInputs } from '../named-inputs.ts';
import { runWorkflow } from '../run-workflow.ts';
import { workflowNamed, type Place, type Thread } from '../thread.ts';

/** Runs another workflow, with variables of its own. */
export async function runSubflow(
  thread: Thread,
  step: SubflowStep,
  place: Place,
): Promise<JsonValue> {
  const workflow = workflowNamed(thread.services.definition, step.workflow);
  const given = namedInputs(step.input_variables, thread.variables);
  const names = Object.keys(given);
  const isWhole = names.length === 1 && names[0] === 'user_input';
  const input = isWhole ? (given['user_input'] ?? null) : { ...given };
  // A workflow that runs itself would otherwise fill the stack before the limit of steps ends it.
  await Promise.resolve();
  const inner = { ...thread, workflow: step.workflow, prefix: `${place.name}/` };
  const { output, follows } = await runWorkflow(inner, workflow, input);
  thread.follows = follows;
  return output;
}
