import type { JsonValue } from '@vizprompt/providers';
import type { WorkflowDefinition } from '../definition/workflow-file.ts';
import { valueAt } from '../language/variable-path.ts';
import { assertFits } from './assert-fits.ts';
import { ownVariables, type OwnVariables, type Thread } from './thread.ts';

/**
 * Runs a workflow with variables of its own.
 *
 * @throws WorkflowError with the code `invalid-input` if the input does not fit the workflow's `inputs`.
 */
export async function runWorkflow(
  thread: Omit<Thread, 'variables'>,
  workflow: WorkflowDefinition,
  input: JsonValue,
  onVariables?: (variables: OwnVariables) => void,
): Promise<{ readonly output: JsonValue; readonly follows: readonly string[] }> {
  if (workflow.inputs)
    await assertFits(workflow.inputs, input, `user_input of '${thread.workflow}'`);
  const variables = ownVariables({ user_input: input, errors: {} });
  onVariables?.(variables);
  const inner: Thread = { ...thread, variables };
  const last = await inner.runSteps(inner, workflow.steps, workflow.initial_step);
  const output = workflow.output === undefined ? last : valueAt(workflow.output, variables);
  return { output, follows: inner.follows };
}
