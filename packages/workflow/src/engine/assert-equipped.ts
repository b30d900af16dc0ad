import { nearestName } from '@vizprompt/providers/config';
import type { PinnedDefinition } from '../definition/pinned-definition.ts';
import { allSteps } from '../definition/walk-steps.ts';
import { wantedOf, type Wanted } from '../definition/wanted.ts';
import { WorkflowError } from '../errors.ts';
import type { EngineServices } from '../run/services.ts';

/**
 * Refuses a workflow with steps that the engine has nothing for, before anything is paid for.
 *
 * @throws WorkflowError with the code `not-found`.
 */
export function assertEquipped(definition: PinnedDefinition, services: EngineServices): void {
  const names: Readonly<Record<Wanted['list'], readonly string[]>> = {
    functions: Object.keys(services.functions),
    tools: [...services.tools.keys()],
    retrievers: Object.keys(services.retrievers),
    activities: [...services.activities.keys()],
  };
  for (const [workflow, { steps }] of Object.entries(definition.workflows)) {
    for (const { step } of allSteps(steps)) {
      const wanted = wantedOf(step);
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
