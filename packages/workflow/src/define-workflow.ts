import type { JsonValue } from '@vizprompt/providers';
import { OBJECT, TEXT } from '@vizprompt/providers/config/internal';
import { checkArgument } from './check-options.ts';
import type { WorkflowDefinition, WorkflowFile } from './definition/workflow-file.ts';

/** A workflow that is written in TypeScript, and what goes next to it in a file. */
export interface WorkflowInCode
  extends WorkflowDefinition, Pick<WorkflowFile, 'agent_roles' | 'prompts' | 'use'> {
  readonly name: string;
}

/**
 * A workflow with the types of its input and output: a file for `WorkflowEngine.open`, and a name with types for
 * `start`.
 */
export interface DefinedWorkflow<Input, Output> extends WorkflowFile {
  /** The name of the workflow. It is not a key of the file. */
  readonly name: string;
  /** There is no such key: it holds types only. */
  readonly '~types'?: { readonly input: Input; readonly output: Output };
}

/**
 * Makes the same data as a file, with types for its input and output. They are promises of the author of the
 * workflow: `inputs` and `output.schema` hold a run to them.
 *
 * @throws WorkflowError with the code `invalid-input` without a name. Incomplete steps are reported by
 * `WorkflowEngine.open` and `lint`, with its place.
 *
 * @example
 * ```ts
 * const story = defineWorkflow<{ topic: string }, string>({
 *   name: 'story',
 *   agent_roles: { writer: { system_prompt: 'You write short stories.' } },
 *   prompts: { draft: 'Write about {{ topic }}.' },
 *   steps: [
 *     {
 *       id: 'draft',
 *       type: 'agent_interaction',
 *       agent_id: 'writer',
 *       prompt_id: 'draft',
 *       input_variables: { topic: 'user_input.topic' },
 *     },
 *   ],
 * });
 * ```
 */
export function defineWorkflow<Input = JsonValue, Output = JsonValue>(
  workflow: WorkflowInCode,
): DefinedWorkflow<Input, Output> {
  checkArgument('the workflow', workflow, OBJECT);
  checkArgument("the option 'name' of defineWorkflow", workflow.name, TEXT);
  const { name, agent_roles: roles, prompts, use, ...definition } = workflow;
  const file: WorkflowFile = {
    ...(roles && { agent_roles: roles }),
    ...(prompts && { prompts }),
    ...(use && { use }),
    workflows: { [name]: definition },
  };
  return Object.defineProperty({ ...file, name }, 'name', { enumerable: false });
}
