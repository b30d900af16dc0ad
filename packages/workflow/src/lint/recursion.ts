import { at, type WorkflowCheck } from '../check/workflow-check.ts';
import { allSteps } from '../definition/walk-steps.ts';
import type { Finding } from '../problems/finding.ts';

/** Workflows that run themselves, directly or by way of others. */
export function* checkRecursion(check: WorkflowCheck): Generator<Finding> {
  const { workflows } = check.definitions;
  for (const { step, path } of allSteps(check.workflow.steps)) {
    if (step.type !== 'subflow') continue;
    const way = wayBetween(step.workflow, check.name, workflows);
    if (!way) continue;
    const words = { cycle: [check.name, ...way].join(' → ') };
    yield at(check, [...path, 'workflow'], { code: 'subflow-recursion', words });
  }
}

function wayBetween(
  from: string,
  to: string,
  workflows: WorkflowCheck['definitions']['workflows'],
): readonly string[] | undefined {
  const ways = new Map([[from, [from]]]);
  for (const [name, way] of ways) {
    if (name === to) return way;
    const steps = Object.hasOwn(workflows, name) ? (workflows[name]?.steps ?? []) : [];
    for (const { step } of allSteps(steps)) {
      if (step.type !== 'subflow' || ways.has(step.workflow)) continue;
      ways.set(step.workflow, [...way, step.workflow]);
    }
  }
  return undefined;
}
