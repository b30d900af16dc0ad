import type { Step } from '../definition/step.ts';
import { agentCalls, allSteps } from '../definition/walk-steps.ts';
import type { Finding, Path } from '../problems/finding.ts';
import { at, type WorkflowCheck } from './workflow-check.ts';

/** Variables that are the run's own. */
export const RESERVED: ReadonlySet<string> = new Set(['user_input', 'errors']);

/** What only shows when the keys of a step are seen together. */
export function* checkStepRules(check: WorkflowCheck): Generator<Finding> {
  for (const { step, path } of allSteps(check.workflow.steps)) {
    for (const { name, path: place } of variablesSet(step)) {
      if (!RESERVED.has(name)) continue;
      yield at(check, [...path, ...place], { code: 'reserved-name', words: { name } });
    }
    if (step.type === 'sleep' && (step.duration === undefined) === (step.until === undefined)) {
      yield at(check, path, { code: 'sleep-time' });
    }
    if (step.type !== 'multi_agent_interaction' || typeof step.failureMode !== 'object') continue;
    const { quorum } = step.failureMode;
    const agents = step.agents_to_run.length;
    if (quorum <= agents) continue;
    const words = { quorum: String(quorum), agents: String(agents) };
    yield at(check, [...path, 'failureMode', 'quorum'], { code: 'quorum-too-large', words });
  }
}

/** The variables that a step sets, and where it says so. */
export function variablesSet(
  step: Step,
): readonly { readonly name: string; readonly path: Path }[] {
  const all: { name: string; path: Path }[] = [];
  const add = (name: string | undefined, ...path: Path): void => {
    if (name !== undefined) all.push({ name, path });
  };
  for (const { call, path } of agentCalls(step)) {
    if (path.length > 0) add(call.output_variable, ...path, 'output_variable');
  }
  if ('output_variable' in step) add(step.output_variable, 'output_variable');
  if (step.type === 'loop' || step.type === 'foreach') add(step.as, 'as');
  if (step.type === 'foreach') add(step.indexAs, 'indexAs');
  return all;
}
