import type { Step } from '../definition/step.ts';
import { allSteps } from '../definition/walk-steps.ts';
import { unknownName, type Finding, type Path } from '../problems/finding.ts';
import { at, targets, type WorkflowCheck } from './workflow-check.ts';

/** Ids that are there twice, and steps that are named and not there. */
export function* checkStepIds(check: WorkflowCheck): Generator<Finding> {
  const { workflow, origin } = check;
  const seen = new Map<string, Path>();
  for (const { step, path } of allSteps(workflow.steps)) {
    const other = seen.get(step.id);
    if (other) {
      const words = { name: step.id };
      const place = { source: origin.source, path: [...origin.path, ...other, 'id'] };
      yield at(check, [...path, 'id'], { code: 'duplicate-id', words, other: place });
    }
    seen.set(step.id, path);
  }
  const { initial_step: initial } = workflow;
  const ids = workflow.steps.map(({ id }) => id);
  if (initial !== undefined && workflow.steps.length > 0 && !ids.includes(initial)) {
    yield at(check, ['initial_step'], { code: 'unknown-step', ...unknownName(initial, ids) });
  }
  yield* checkTargets(check, workflow.steps, ['steps']);
}

function* checkTargets(
  check: WorkflowCheck,
  steps: readonly Step[],
  path: Path,
): Generator<Finding> {
  const known = new Set([...steps.map(({ id }) => id), 'end']);
  for (const [index, step] of steps.entries()) {
    for (const { name, path: place } of targets(step)) {
      if (known.has(name)) continue;
      const words = unknownName(name, [...known]);
      yield at(check, [...path, index, ...place], { code: 'unknown-step', ...words });
    }
    if (step.type === 'loop' || step.type === 'foreach') {
      yield* checkTargets(check, step.steps, [...path, index, 'steps']);
    }
  }
}
