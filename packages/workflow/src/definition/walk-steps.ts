import type { AgentCall } from './agent-call.ts';
import type { Step } from './step.ts';

/** A step, and its place below the workflow. */
interface PlacedStep {
  readonly step: Step;
  readonly path: readonly (string | number)[];
}

/** All steps of a list, those of loops included, in the order of the file. */
export function* allSteps(
  steps: readonly Step[],
  path: readonly (string | number)[] = ['steps'],
): Generator<PlacedStep> {
  for (const [at, step] of steps.entries()) {
    const place = [...path, at];
    yield { step, path: place };
    if (step.type === 'loop' || step.type === 'foreach') {
      yield* allSteps(step.steps, [...place, 'steps']);
    }
  }
}

/** A call of an agent, and its place below the step. */
interface PlacedCall {
  readonly call: AgentCall;
  readonly path: readonly (string | number)[];
}

/** The calls of agents that a step makes itself, the one that brings answers together last. */
export function agentCalls(step: Step): readonly PlacedCall[] {
  if (step.type === 'agent_interaction') return [{ call: step, path: [] }];
  if (step.type !== 'multi_agent_interaction') return [];
  const calls = step.agents_to_run.map((call, at) => ({ call, path: ['agents_to_run', at] }));
  const { aggregate } = step;
  if (typeof aggregate !== 'object') return calls;
  if (aggregate.strategy !== 'judge' && aggregate.strategy !== 'bestOf') return calls;
  return [...calls, { call: aggregate, path: ['aggregate'] }];
}
