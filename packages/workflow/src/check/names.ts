import { DURATION_PATTERN } from '../definition/duration.ts';
import type { Step } from '../definition/step.ts';
import { agentCalls, allSteps } from '../definition/walk-steps.ts';
import { unknownName, type Finding, type Path } from '../problems/finding.ts';
import { at, type WorkflowCheck } from './workflow-check.ts';

/** Names of `use` and of workflows that are not there. */
export function* checkNames(check: WorkflowCheck): Generator<Finding> {
  const { use, workflows } = check.definitions;
  const retries = Object.keys(use.retries ?? {});
  const timeouts = Object.keys(use.timeouts ?? {});
  for (const { step, path } of allSteps(check.workflow.steps)) {
    for (const { user, path: place } of usersOf(step)) {
      if (typeof user.retry === 'string' && !retries.includes(user.retry)) {
        const words = unknownName(user.retry, retries);
        yield at(check, [...path, ...place, 'retry'], { code: 'unknown-retry', ...words });
      }
      if (typeof user.timeout === 'string' && !timeouts.includes(user.timeout)) {
        const words = unknownName(user.timeout, timeouts);
        // A text names one of `use.timeouts`; a length of time is written into an object.
        const meant = DURATION_PATTERN.test(user.timeout)
          ? `{ total: ${user.timeout} }`
          : undefined;
        const nearest = meant ?? words.nearest;
        yield at(check, [...path, ...place, 'timeout'], {
          code: 'unknown-timeout',
          ...words,
          nearest,
        });
      }
    }
    if (step.type === 'subflow' && !Object.hasOwn(workflows, step.workflow)) {
      const words = unknownName(step.workflow, Object.keys(workflows));
      yield at(check, [...path, 'workflow'], { code: 'unknown-workflow', ...words });
    }
  }
}

interface User {
  readonly retry?: unknown;
  readonly timeout?: unknown;
}

function usersOf(step: Step): readonly { readonly user: User; readonly path: Path }[] {
  const calls = agentCalls(step).map(({ call, path }) => ({ user: call, path }));
  if (step.type === 'agent_interaction') return calls;
  return [{ user: Object(step), path: [] }, ...calls];
}
