import { nearestName } from '@vizprompt/providers/config';
import { isStorable } from '@vizprompt/providers/internal';
import { type Kind, TEXT } from '@vizprompt/providers/config/internal';
import { checkArgument } from '../check-options.ts';
import type { DefinitionSnapshot } from '../definition/definition-snapshot.ts';
import { type StepDependency, dependencyOf } from '../definition/step-dependency.ts';
import { allSteps } from '../definition/walk-steps.ts';
import { WorkflowError } from '../errors.ts';
import type { EngineServices } from '../run/execution-context.ts';

const MAX_ID = 200;
const WORKFLOW: Kind = { ...TEXT, expected: 'its name, or what defineWorkflow() made' };

/** @throws WorkflowError with the code `invalid-input` for an id that a database cannot hold. */
export function assertRunId(id: string): void {
  const isGood = typeof id === 'string' && id !== '' && id.length <= MAX_ID && isStorable(id);
  if (isGood) return;
  const message = `${JSON.stringify(id)} is no id of a run: use 1 to ${MAX_ID} characters without NUL`;
  throw new WorkflowError('invalid-input', message, { context: { runId: id } });
}

/**
 * The name of a workflow that is started.
 *
 * @throws WorkflowError with the code `invalid-input` for what is no name.
 */
export function nameOf(workflow: string | { readonly name: string }): string {
  const name: unknown = typeof workflow === 'object' && workflow ? workflow.name : workflow;
  checkArgument('the workflow', name, WORKFLOW);
  return String(name);
}

/**
 * Refuses a workflow with steps that the engine has nothing for, before anything is paid for.
 *
 * @throws WorkflowError with the code `not-found`.
 */
export function assertEquipped(definition: DefinitionSnapshot, services: EngineServices): void {
  const names: Readonly<Record<StepDependency['list'], readonly string[]>> = {
    functions: Object.keys(services.functions),
    tools: [...services.tools.keys()],
    retrievers: Object.keys(services.retrievers),
    activities: [...services.activities.keys()],
  };
  for (const [workflow, { steps }] of Object.entries(definition.workflows)) {
    for (const { step } of allSteps(steps)) {
      const wanted = dependencyOf(step);
      if (!wanted || names[wanted.list].includes(wanted.name)) continue;
      const { name, key, list } = wanted;
      const nearest = nearestName(name, names[list]);
      const hint = nearest === undefined ? '' : `is '${nearest}' meant? `;
      const has = names[list].join(', ') || 'none';
      throw new WorkflowError(
        'not-found',
        `the step '${step.id}' of '${workflow}' needs the ${key} '${name}', which the engine does not have: ${hint}its ${list} are ${has}`,
        { context: { workflow, stepId: step.id, [key]: name } },
      );
    }
  }
}
