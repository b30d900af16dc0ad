import type { BranchStep } from '../../definition/step.ts';
import { holds } from '../../language/condition.ts';
import type { StepDone, Thread } from '../thread.ts';

/** Goes to the first branch whose condition holds. */
export function runBranch({ variables }: Thread, step: BranchStep): StepDone {
  const branch = step.branches.find(({ when }) => holds(when, variables));
  return { output: undefined, next: branch ? branch.next_step : step.else };
}
