import { LLM_ERROR_CODES } from '@vizprompt/providers';
import { at, type WorkflowCheck } from '../check/workflow-check.ts';
import type { Retry } from '../definition/policies.ts';
import { agentCalls, allSteps } from '../definition/walk-steps.ts';
import type { Definitions } from '../definition/definitions.ts';
import type { Origins } from '../load/join-files.ts';
import { unknownName, type Finding } from '../problems/finding.ts';

/**
 * Codes in `retry.on` of agents that no error of a model has: what was mistyped is never repeated. Functions, tools and
 * activities have codes of their own, so that theirs are not looked at.
 */
export function* checkRetryCodes(
  checks: readonly WorkflowCheck[],
  { use }: Definitions,
  origins: Origins,
): Generator<Finding> {
  const ofAgents = new Set<string>();
  const ofOthers = new Set<string>();
  for (const check of checks) {
    for (const { step, path } of allSteps(check.workflow.steps)) {
      if ('retry' in step && step.type !== 'agent_interaction' && typeof step.retry === 'string') {
        ofOthers.add(step.retry);
      }
      for (const { call, path: below } of agentCalls(step)) {
        if (typeof call.retry === 'string') ofAgents.add(call.retry);
        else {
          for (const { index, finding } of unknownCodes(call.retry)) {
            yield at(check, [...path, ...below, 'retry', 'on', index], finding);
          }
        }
      }
    }
  }
  for (const [name, rules] of Object.entries(use.retries ?? {})) {
    const origin = origins.retries.get(name);
    if (!origin || !ofAgents.has(name) || ofOthers.has(name)) continue;
    for (const { index, finding } of unknownCodes(rules)) {
      yield { ...finding, ...origin, path: [...origin.path, 'on', index] };
    }
  }
}

function unknownCodes(rules: Retry | undefined): readonly {
  readonly index: number;
  readonly finding: Omit<Finding, 'source' | 'path'>;
}[] {
  return (rules?.on ?? []).flatMap((code, index) => {
    if (LLM_ERROR_CODES.includes(code)) return [];
    return [
      { index, finding: { code: 'unknown-error-code', ...unknownName(code, LLM_ERROR_CODES) } },
    ];
  });
}
