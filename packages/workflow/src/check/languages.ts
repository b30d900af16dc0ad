import type { Step } from '../definition/step.ts';
import { allSteps } from '../definition/walk-steps.ts';
import { WorkflowError } from '../errors.ts';
import { parseCondition } from '../language/condition.ts';
import { readCelError } from '../language/cel-failure.ts';
import { parsePrompt } from '../language/template.ts';
import type { Origins } from '../load/join-files.ts';
import type { Definitions } from '../definition/definitions.ts';
import type { Finding, Path } from '../problems/finding.ts';
import { at, type WorkflowCheck } from './workflow-check.ts';

/** A condition, where it stands, and whether it must give true or false. */
export interface PlacedCondition {
  readonly source: string;
  readonly path: Path;
  readonly isBoolean: boolean;
}

/** The conditions of a step. */
export function conditionsOf(step: Step): readonly PlacedCondition[] {
  const all: PlacedCondition[] = [];
  const add = (source: string | undefined, path: Path, isBoolean = true): void => {
    if (source !== undefined) all.push({ source, path, isBoolean });
  };
  add(step.when, ['when']);
  if (step.type === 'branch') {
    for (const [index, { when }] of step.branches.entries()) add(when, ['branches', index, 'when']);
  }
  if (step.type === 'loop') add(step.until, ['until']);
  if (step.type === 'foreach') add(step.in, ['in'], false);
  return all;
}

/** Conditions that cannot be parsed. */
export function* checkConditions(check: WorkflowCheck): Generator<Finding> {
  for (const { step, path } of allSteps(check.workflow.steps)) {
    for (const { source, path: place } of conditionsOf(step)) {
      try {
        parseCondition(source);
      } catch (error) {
        if (!WorkflowError.isInstance(error)) throw error;
        const { problem, offset } = readCelError(error.cause);
        const words = { problem };
        yield at(check, [...path, ...place], { code: 'condition-syntax', within: offset, words });
      }
    }
  }
}

/** Prompts that cannot be parsed. */
export function* checkPrompts(definitions: Definitions, origins: Origins): Generator<Finding> {
  for (const [set, { prompts }] of Object.entries(definitions.promptSets)) {
    for (const [name, template] of Object.entries(prompts)) {
      const origin = origins.prompts.get(set)?.get(name);
      if (!origin) continue;
      try {
        parsePrompt(template);
      } catch (error) {
        if (!WorkflowError.isInstance(error)) throw error;
        const { offset, problem } = error.context;
        const words = { problem: String(problem) };
        yield { ...origin, code: 'template-syntax', within: Number(offset), words };
      }
    }
  }
}
