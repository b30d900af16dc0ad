import { messageOf } from '@vizprompt/providers';
import { at, type WorkflowCheck } from '../check/workflow-check.ts';
import { agentCalls, allSteps } from '../definition/walk-steps.ts';
import { wantedOf } from '../definition/wanted.ts';
import type { Origins } from '../load/join-files.ts';
import type { Definitions } from '../definition/definitions.ts';
import { unknownName, type Finding, type Path } from '../problems/finding.ts';
import type { LintOptions } from './lint-options.ts';

/** Functions, tools, retrievers and activities that the engine does not have, where its names are given. */
export function* checkEngineNames(check: WorkflowCheck, options: LintOptions): Generator<Finding> {
  for (const { step, path } of allSteps(check.workflow.steps)) {
    const wanted = wantedOf(step);
    const known = wanted && options[wanted.list];
    if (!wanted || !known || known.includes(wanted.name)) continue;
    const words = unknownName(wanted.name, known);
    yield at(check, [...path, wanted.key], { code: `unknown-${wanted.key}`, ...words });
  }
}

/** What a model that does not exist is called, and why it does not. */
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
    // What is no text is told of already.
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
