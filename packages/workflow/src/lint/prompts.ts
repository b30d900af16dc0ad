import { nearestName } from '@vizprompt/providers/config';
import { at, type WorkflowCheck } from '../check/workflow-check.ts';
import { agentCalls, allSteps } from '../definition/walk-steps.ts';
import type { PromptSet } from '../definition/workflow-file.ts';
import type { InputVariables } from '../definition/agent-call.ts';
import { unknownName, type Finding, type Path } from '../problems/finding.ts';
import { promptVariables } from './prompt-variables.ts';

/** A prompt that a step uses, and with whom. */
export interface PromptUse {
  readonly role?: string;
  readonly prompt: string;
  readonly inputs: InputVariables;
  /** Names that are there besides. */
  readonly given: readonly string[];
  readonly path: Path;
}

/** Roles and prompts that are not there, and inputs that prompts lack or do not use. */
export function* checkPromptUses(check: WorkflowCheck): Generator<Finding> {
  const uses = promptUses(check);
  const sets = Object.entries(check.definitions.promptSets);
  yield* missingNames(check, uses, sets);
  for (const use of uses) yield* checkInputs(check, use, sets);
}

/** The prompts that the steps of a workflow use. */
export function promptUses({ workflow }: WorkflowCheck): readonly PromptUse[] {
  return [...allSteps(workflow.steps)].flatMap(({ step, path }): PromptUse[] => {
    if (step.type === 'human') {
      const { prompt_id: prompt, input_variables: inputs = {} } = step;
      return [{ prompt, inputs, given: [], path }];
    }
    return agentCalls(step).map(({ call, path: below }) => ({
      role: call.agent_id,
      prompt: call.prompt_id,
      inputs: call.input_variables ?? {},
      given: below[0] === 'aggregate' ? ['answers'] : [],
      path: [...path, ...below],
    }));
  });
}

/** A workflow runs with any set that has all it names; where none has, the nearest one is told about. */
function* missingNames(
  check: WorkflowCheck,
  uses: readonly PromptUse[],
  sets: readonly (readonly [string, PromptSet])[],
): Generator<Finding> {
  const lacks = sets.map(([set, { agent_roles: roles, prompts }]) => ({
    set,
    roles: Object.keys(roles),
    prompts: Object.keys(prompts),
    uses: uses.filter(
      ({ role, prompt }) =>
        !Object.hasOwn(prompts, prompt) || (role !== undefined && !Object.hasOwn(roles, role)),
    ),
  }));
  const none: (typeof lacks)[number] = { set: 'default', roles: [], prompts: [], uses: [...uses] };
  const [best = none] = lacks.toSorted((a, b) => a.uses.length - b.uses.length);
  for (const { role, prompt, path } of best.uses) {
    if (role !== undefined && !best.roles.includes(role)) {
      const { words, ...names } = unknownName(role, best.roles);
      const finding = { ...names, words: { ...words, set: best.set } };
      yield at(check, [...path, 'agent_id'], { code: 'unknown-role', ...finding });
    }
    if (best.prompts.includes(prompt)) continue;
    const { words, ...names } = unknownName(prompt, best.prompts);
    const finding = { ...names, words: { ...words, set: best.set } };
    yield at(check, [...path, 'prompt_id'], { code: 'unknown-prompt', ...finding });
  }
}

function* checkInputs(
  check: WorkflowCheck,
  { prompt, inputs, given, path }: PromptUse,
  sets: readonly (readonly [string, PromptSet])[],
): Generator<Finding> {
  const templates = sets.flatMap(([, { prompts }]) =>
    Object.hasOwn(prompts, prompt) ? [prompts[prompt] ?? ''] : [],
  );
  const wanted = templates.map(promptVariables);
  if (templates.length === 0 || wanted.includes(undefined)) return;
  const there = [...Object.keys(inputs), ...given];
  const needed = new Set(wanted.flatMap((variables) => variables?.map(({ name }) => name) ?? []));
  for (const name of needed) {
    if (there.includes(name)) continue;
    const unused = there.filter((one) => !needed.has(one));
    const place = there.length > given.length ? 'input_variables' : 'prompt_id';
    const isKey = place === 'input_variables';
    const nearest = nearestName(name, unused);
    const words = { prompt, name };
    yield at(check, [...path, place], { code: 'missing-input', isKey, words, nearest });
  }
  for (const name of Object.keys(inputs)) {
    if (needed.has(name)) continue;
    const words = { prompt, name };
    const place = [...path, 'input_variables', name];
    yield at(check, place, { code: 'unused-input', isKey: true, words });
  }
}
