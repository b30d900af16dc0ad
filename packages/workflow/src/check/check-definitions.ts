import type { Definitions } from '../definition/definitions.ts';
import type { Origins } from '../load/join-files.ts';
import type { Finding } from '../problems/finding.ts';
import { checkConditions, checkPrompts } from './languages.ts';
import { checkNames } from './names.ts';
import { checkStepIds } from './step-ids.ts';
import { checkStepRules } from './step-rules.ts';
import type { WorkflowCheck } from './workflow-check.ts';

/** What would make a run fail whatever it is given, with any prompt set. */
export function* checkDefinitions(definitions: Definitions, origins: Origins): Generator<Finding> {
  for (const check of workflowChecks(definitions, origins)) {
    if (!check.isPartial) yield* checkStepIds(check);
    yield* checkNames(check);
    yield* checkStepRules(check);
    yield* checkConditions(check);
  }
  yield* checkPrompts(definitions, origins);
}

/** All workflows, with where they come from. */
export function workflowChecks(
  definitions: Definitions,
  origins: Origins,
): readonly WorkflowCheck[] {
  return Object.entries(definitions.workflows).flatMap(([name, workflow]) => {
    const origin = origins.workflows.get(name);
    const isPartial = origins.partial.has(name);
    return origin ? [{ name, workflow, origin, definitions, isPartial }] : [];
  });
}
