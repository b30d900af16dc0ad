import { nearestName } from '@vizprompt/providers/config';
import type { Template, VariableLocation } from 'liquidjs';
import type { InputVariables } from '../definition/agent-call.ts';
import type { TeamStep } from '../definition/step.ts';
import { teamRules } from '../definition/team.ts';
import { agentCalls, allSteps } from '../definition/walk-steps.ts';
import type { Definitions, PromptSet } from '../definition/workflow-file.ts';
import { WorkflowError } from '../errors.ts';
import { liquidEngine, parsePrompt } from '../language/template.ts';
import { at, type WorkflowCheck } from '../load/check-definitions.ts';
import { type Finding, type Origins, type Path, unknownName } from '../problems/finding.ts';
import { type Missing, ValueCheck } from './value-types.ts';

/** A prompt that a step uses, and with whom. */
interface PromptUse {
  readonly role?: string;
  readonly prompt: string;
  readonly inputs: InputVariables;
  /** Names that are there besides. */
  readonly given: readonly string[];
  /** The one of these without which the agent sees nothing of what others said. */
  readonly mustSee: string | undefined;
  readonly path: Path;
}

/** Roles and prompts that are not there, and inputs that prompts lack or do not use. */
export function* checkPromptUses(check: WorkflowCheck): Generator<Finding> {
  const uses = promptUses(check);
  const sets = Object.entries(check.definitions.promptSets);
  yield* missingNames(check, uses, sets);
  for (const use of uses) yield* checkInputs(check, use, sets);
}

/** Returns the prompts that the steps of a workflow use. */
function promptUses({ workflow }: WorkflowCheck): readonly PromptUse[] {
  return [...allSteps(workflow.steps)].flatMap(({ step, path }): PromptUse[] => {
    if (step.type === 'human') {
      const { prompt_id: prompt, input_variables: inputs = {} } = step;
      return [{ prompt, inputs, given: [], mustSee: undefined, path }];
    }
    return agentCalls(step).map(({ call, path: below }) => ({
      role: call.agent_id,
      prompt: call.prompt_id,
      inputs: call.input_variables ?? {},
      given: below[0] === 'aggregate' ? ['answers'] : step.type === 'team' ? ['team'] : [],
      mustSee: step.type === 'team' && isHandedOver(step, String(below[1])) ? 'team' : undefined,
      path: [...path, ...below],
    }));
  });
}

/** Checks whether a member of a team has turns after those of others. */
function isHandedOver(step: TeamStep, name: string): boolean {
  const routes = [...teamRules(step).routes.values()];
  return name === step.supervisor || routes.some((others) => others.includes(name));
}

/** Reports names that no set of prompts has. Any set may fit; where none does, the nearest one is reported. */
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
  { prompt, inputs, given, mustSee, path }: PromptUse,
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
  const isSeen = Object.values(inputs).some((dotted) => dotted.split('.')[0] === mustSee);
  if (mustSee !== undefined && !needed.has(mustSee) && !isSeen) {
    yield at(check, [...path, 'prompt_id'], { code: 'team-unseen', words: { prompt } });
  }
  for (const name of Object.keys(inputs)) {
    if (needed.has(name)) continue;
    const words = { prompt, name };
    const place = [...path, 'input_variables', name];
    yield at(check, place, { code: 'unused-input', isKey: true, words });
  }
}

/** A variable that a prompt asks for. */
interface PromptVariable {
  readonly name: string;
  /** The fields that are read, as far as that is certain: `['scores', '0']` of `{{ review.scores[0][key] }}`. */
  readonly fields: readonly string[];
  /** Its offset, in UTF-16 code units. */
  readonly within: number;
  /** True if it is asked for in any case, and not only where a tag such as `if` leads. */
  readonly isAlways: boolean;
}

/** The properties of lists and texts in Liquid. */
const OF_LIQUID: ReadonlySet<string> = new Set(['size', 'first', 'last', 'length']);

const analyzedTemplates = new WeakMap<readonly Template[], readonly PromptVariable[]>();

/** Returns the variables that a prompt needs, but for those that it makes itself; `undefined` where it cannot be parsed. */
function promptVariables(template: string): readonly PromptVariable[] | undefined {
  let parsed: Template[];
  try {
    parsed = parsePrompt(template);
  } catch (error) {
    if (WorkflowError.isInstance(error)) return undefined;
    throw error;
  }
  const variables = analyzedTemplates.get(parsed) ?? analyzed(template, parsed);
  analyzedTemplates.set(parsed, variables);
  return variables;
}

function analyzed(template: string, parsed: Template[]): readonly PromptVariable[] {
  const liquid = liquidEngine();
  const { globals } = liquid.analyzeSync(parsed, { partials: false });
  const offsetOf = offsetsIn(template);
  // A token without children is within no tag, and is none that leads anywhere.
  const outside = liquid.analyzeSync(parsed.filter(({ children }) => !children));
  const always = new Set(
    Object.values(outside.variables).flatMap((uses) =>
      uses.map(({ location }) => offsetOf(location)),
    ),
  );
  return Object.entries(globals).flatMap(([name, uses]) =>
    uses.map(({ segments, location }) => {
      const within = offsetOf(location);
      const fields = plainFields(segments.slice(1));
      return { name, fields, within, isAlways: always.has(within) };
    }),
  );
}

function offsetsIn(template: string): (location: VariableLocation) => number {
  const starts: number[] = [];
  let start = 0;
  for (const line of template.split('\n')) {
    starts.push(start);
    start += line.length + 1;
  }
  return ({ row, col }) => (starts[row - 1] ?? 0) + col - 1;
}

function plainFields(segments: readonly unknown[]): readonly string[] {
  const fields: string[] = [];
  for (const segment of segments) {
    const field = typeof segment === 'number' || typeof segment === 'string' ? `${segment}` : '';
    if (field === '' || OF_LIQUID.has(field) || /\.|^-/.test(field)) break;
    fields.push(field);
  }
  return fields;
}

/** A prompt that a step of a workflow uses. */
interface UseOf extends PromptUse {
  /** Absent where it is not sure what the steps give. */
  readonly values: ValueCheck | undefined;
}

/**
 * Finds variables that prompts read and that do not have the field. A field that is read in some case only counts if no step
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
  // The answers of a judge are not a variable, and a missing part of the path is reported at its place.
  const [root = ''] = path.split('.');
  if (given.includes(root) || values.missing(path)) return undefined;
  const missing = values.missing([path, ...fields].join('.'));
  // Liquid knows the characters of texts by their places.
  if (!missing || /^\d+$/.test(missing.words?.['name'] ?? '')) return undefined;
  return { ...missing, behind: missing.within - path.length };
}

/** Finds the place of a field, if it is written with dots; else that of its variable. */
function placeIn(
  template: string,
  { name, fields, within }: PromptVariable,
  behind: number,
): number {
  const isDotted = template.startsWith([name, ...fields].join('.'), within);
  return isDotted ? within + name.length + behind : within;
}
