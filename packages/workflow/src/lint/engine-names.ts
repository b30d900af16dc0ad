import { messageOf } from '@vizprompt/providers';
import { LLM_ERROR_CODES } from '@vizprompt/providers/internal';
import type { Retry } from '../definition/policies.ts';
import { agentCalls, allSteps, dependenciesOf } from '../definition/walk-steps.ts';
import type { Definitions } from '../definition/workflow-file.ts';
import { at, type WorkflowCheck } from '../load/check-definitions.ts';
import { type Finding, type Origins, type Path, unknownName } from '../problems/finding.ts';
import type { LintOptions } from './lint-options.ts';

/** Functions, tools, retrievers and activities that the engine does not have, where its names are given. */
export function* checkEngineNames(check: WorkflowCheck, options: LintOptions): Generator<Finding> {
  for (const { step, path } of allSteps(check.workflow.steps)) {
    for (const { name, key, list, path: below } of dependenciesOf(step)) {
      const known = options[list];
      if (!known || known.includes(name)) continue;
      yield at(check, [...path, ...below], { code: `unknown-${key}`, ...unknownName(name, known) });
    }
  }
}

/** Names a model that does not exist, and says why. */
type ModelProblem = (name: string) => Pick<Finding, 'words' | 'known' | 'nearest'> | undefined;

/** Models that the registry does not know. */
export function* checkModels(
  checks: readonly WorkflowCheck[],
  definitions: Definitions,
  origins: Origins,
  { models }: LintOptions,
): Generator<Finding> {
  if (!models) return;
  const names = definitions.use.models ?? {};
  const problemOf = modelProblem(models);
  const wrong = (name: string | undefined): ReturnType<ModelProblem> =>
    name === undefined || Object.hasOwn(names, name) ? undefined : problemOf(name);
  for (const check of checks) {
    for (const { step, path } of allSteps(check.workflow.steps)) {
      for (const { call, path: below } of agentCalls(step)) {
        const all: [string | undefined, Path][] = [
          [call.model, ['model']],
          ...(call.fallback ?? []).map((name, index): [string, Path] => [
            name,
            ['fallback', index],
          ]),
        ];
        for (const [name, place] of all) {
          const problem = wrong(name);
          if (!problem) continue;
          yield at(check, [...path, ...below, ...place], { code: 'unknown-model', ...problem });
        }
      }
    }
  }
  for (const [set, { agent_roles: roles }] of Object.entries(definitions.promptSets)) {
    for (const [name, { model }] of Object.entries(roles)) {
      const origin = origins.roles.get(set)?.get(name);
      const problem = wrong(model);
      if (!origin || !problem) continue;
      yield { code: 'unknown-model', ...origin, path: [...origin.path, 'model'], ...problem };
    }
  }
  for (const [key, name] of Object.entries(names)) {
    const origin = origins.models.get(key);
    // A value that is not a string is reported already.
    const problem = name === '' ? undefined : problemOf(name);
    if (origin && problem) yield { code: 'unknown-model', ...origin, ...problem };
  }
}

function modelProblem(models: NonNullable<LintOptions['models']>): ModelProblem {
  if ('specVersion' in models && typeof models.model === 'function') {
    const { model } = models;
    return (name) => {
      try {
        model.call(models, name);
        return undefined;
      } catch (error) {
        return { words: { name, problem: messageOf(error) } };
      }
    };
  }
  const known = Object.keys(models);
  return (name) => {
    if (known.includes(name)) return undefined;
    const { words, ...rest } = unknownName(name, known);
    return { ...rest, words: { ...words, problem: '' } };
  };
}

/** Codes that an attempt of an agent fails with. */
const CODES: readonly string[] = [...LLM_ERROR_CODES, 'unusable-answer'];

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
    if (CODES.includes(code)) return [];
    return [{ index, finding: { code: 'unknown-error-code', ...unknownName(code, CODES) } }];
  });
}
