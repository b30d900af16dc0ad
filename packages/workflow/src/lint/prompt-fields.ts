import type { WorkflowCheck } from '../check/workflow-check.ts';
import type { Definitions } from '../definition/definitions.ts';
import type { Origins } from '../load/join-files.ts';
import type { Finding } from '../problems/finding.ts';
import { ValueCheck, type Missing } from './missing-value.ts';
import { promptVariables, type PromptVariable } from './prompt-variables.ts';
import { promptUses, type PromptUse } from './prompts.ts';

/** A prompt that a step of a workflow uses. */
interface UseOf extends PromptUse {
  /** Absent where it is not sure what the steps give. */
  readonly values: ValueCheck | undefined;
}

/**
 * What prompts ask variables for and these do not have. What a prompt asks for in some case only counts if no step
 * that uses it has it: the case may be that of another step.
 */
export function* checkPromptFields(
  checks: readonly WorkflowCheck[],
  { promptSets }: Definitions,
  origins: Origins,
): Generator<Finding> {
  const uses = new Map<string, UseOf[]>();
  for (const check of checks) {
    const values = check.isPartial ? undefined : new ValueCheck(check.workflow);
    for (const use of promptUses(check)) {
      const known = uses.get(use.prompt) ?? [];
      uses.set(use.prompt, known);
      known.push({ ...use, values });
    }
  }
  const isWhole = !checks.some(({ isPartial }) => isPartial);
  for (const [set, { prompts }] of Object.entries(promptSets)) {
    for (const [prompt, template] of Object.entries(prompts)) {
      const origin = origins.prompts.get(set)?.get(prompt);
      const ofPrompt = uses.get(prompt) ?? [];
      if (!origin || ofPrompt.length === 0) continue;
      for (const variable of promptVariables(template) ?? []) {
        const found = ofPrompt.flatMap((use) => missingIn(use, variable) ?? []);
        const isSure = variable.isAlways || (isWhole && found.length === ofPrompt.length);
        if (!isSure) continue;
        for (const { behind, ...missing } of found) {
          yield { ...missing, ...origin, within: placeIn(template, variable, behind) };
        }
      }
    }
  }
}

function missingIn(
  { inputs, given, values }: UseOf,
  { name, fields }: PromptVariable,
): (Missing & { readonly behind: number }) | undefined {
  const path = Object.hasOwn(inputs, name) ? inputs[name] : undefined;
  if (path === undefined || !values) return undefined;
  // The answers of a judge are no variable, and what the path lacks is told where it stands.
  const [root = ''] = path.split('.');
  if (given.includes(root) || values.missing(path)) return undefined;
  const missing = values.missing([path, ...fields].join('.'));
  // Liquid knows the characters of texts by their places.
  if (!missing || /^\d+$/.test(missing.words?.['name'] ?? '')) return undefined;
  return { ...missing, behind: missing.within - path.length };
}

/** Where a field stands, if it is written with dots; else where its variable does. */
function placeIn(
  template: string,
  { name, fields, within }: PromptVariable,
  behind: number,
): number {
  const isDotted = template.startsWith([name, ...fields].join('.'), within);
  return isDotted ? within + name.length + behind : within;
}
