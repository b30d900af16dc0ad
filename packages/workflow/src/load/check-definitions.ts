import { DURATION_PATTERN } from '../definition/policies.ts';
import type { Step, TeamStep } from '../definition/step.ts';
import { agentCalls, allSteps, bodiesOf, toolsOf } from '../definition/walk-steps.ts';
import type { Definitions, WorkflowDefinition } from '../definition/workflow-file.ts';
import { WorkflowError } from '../errors.ts';
import { readCelError } from '../language/cel.ts';
import { parseCondition } from '../language/condition.ts';
import { parsePrompt } from '../language/template.ts';
import { checkTriggers } from './check-triggers.ts';
import {
  type Finding,
  type Origin,
  type Origins,
  type Path,
  unknownName,
} from '../problems/finding.ts';

/** Finds mistakes that make a run fail with any input and any prompt set. */
export function* checkDefinitions(definitions: Definitions, origins: Origins): Generator<Finding> {
  for (const check of workflowChecks(definitions, origins)) {
    if (!check.isPartial) yield* checkStepIds(check);
    yield* checkNames(check);
    yield* checkStepRules(check);
    yield* checkConditions(check);
  }
  yield* checkPrompts(definitions, origins);
  yield* checkTriggers(definitions, origins);
}

/** All workflows, with where they come from. */
export function workflowChecks(
  definitions: Definitions,
  origins: Origins,
): readonly WorkflowCheck[] {
  return Object.entries(definitions.workflows).flatMap(([name, workflow]) => {
    const origin = origins.workflows.get(name);
    const isPartial = origins.partial.has(name);
    return origin ? [{ name, workflow, origin, definitions, isPartial }] : [];
  });
}

/** A workflow that is looked at, with all that is around it. */
export interface WorkflowCheck {
  readonly name: string;
  readonly workflow: WorkflowDefinition;
  readonly origin: Origin;
  readonly definitions: Definitions;
  /** True if only some of its steps are intact, so that nothing can be said of how they follow each other. */
  readonly isPartial: boolean;
}

/** Returns a finding at a place of the workflow. */
export function at(
  { origin }: WorkflowCheck,
  path: Path,
  finding: Omit<Finding, 'source' | 'path'>,
): Finding {
  return { ...finding, source: origin.source, path: [...origin.path, ...path] };
}

/** All the steps that a step can continue with, and where it says so. */
function targets(step: Step): readonly { readonly name: string; readonly path: Path }[] {
  const all: { name: string; path: Path }[] = [];
  const add = (name: string | undefined, ...path: Path): void => {
    if (name !== undefined) all.push({ name, path });
  };
  add(step.next_step, 'next_step');
  if (step.type === 'branch') {
    for (const [index, branch] of step.branches.entries()) {
      add(branch.next_step, 'branches', index, 'next_step');
    }
    add(step.else, 'else');
  }
  if (typeof step.onError === 'object' && 'goto' in step.onError) {
    add(step.onError.goto, 'onError', 'goto');
  }
  return all;
}

/** Names of `use` and of workflows that are not there. */
function* checkNames(check: WorkflowCheck): Generator<Finding> {
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
    for (const { reference, path: below } of toolsOf(step)) {
      const { kind, name } = reference;
      if (kind !== 'flow' && kind !== 'mcp') continue;
      const known = Object.keys(kind === 'flow' ? workflows : (use.mcpServers ?? {}));
      if (known.includes(name)) continue;
      const code = kind === 'flow' ? 'unknown-workflow' : 'unknown-server';
      yield at(check, [...path, ...below], { code, ...unknownName(name, known) });
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

/** Ids that are there twice, and steps that are named and not there. */
function* checkStepIds(check: WorkflowCheck): Generator<Finding> {
  const { workflow, origin } = check;
  const seen = new Map<string, Path>();
  for (const { step, path } of allSteps(workflow.steps)) {
    const other = seen.get(step.id);
    if (other) {
      const words = { name: step.id };
      const place = { source: origin.source, path: [...origin.path, ...other, 'id'] };
      yield at(check, [...path, 'id'], { code: 'duplicate-id', words, other: place });
    }
    seen.set(step.id, path);
  }
  const { initial_step: initial } = workflow;
  const ids = workflow.steps.map(({ id }) => id);
  if (initial !== undefined && workflow.steps.length > 0 && !ids.includes(initial)) {
    yield at(check, ['initial_step'], { code: 'unknown-step', ...unknownName(initial, ids) });
  }
  yield* checkTargets(check, workflow.steps, ['steps']);
  if (workflow.order === 'by-data') yield* checkNoJumps(check);
}

/** Jumps, where steps follow each other by the variables that they take. */
function* checkNoJumps(check: WorkflowCheck): Generator<Finding> {
  if (check.workflow.initial_step !== undefined) {
    yield at(check, ['initial_step'], { code: 'jump-by-data', isKey: true });
  }
  for (const { step, path } of allSteps(check.workflow.steps)) {
    for (const { path: below } of targets(step)) {
      yield at(check, [...path, ...below], { code: 'jump-by-data', isKey: true });
    }
  }
}

function* checkTargets(
  check: WorkflowCheck,
  steps: readonly Step[],
  path: Path,
): Generator<Finding> {
  const known = new Set([...steps.map(({ id }) => id), 'end']);
  for (const [index, step] of steps.entries()) {
    for (const { name, path: place } of targets(step)) {
      if (known.has(name)) continue;
      const words = unknownName(name, [...known]);
      yield at(check, [...path, index, ...place], { code: 'unknown-step', ...words });
    }
    for (const body of bodiesOf(step)) {
      yield* checkTargets(check, body.steps, [...path, index, ...body.path]);
    }
  }
}

/** A condition, its place, and whether it must give true or false. */
interface PlacedCondition {
  readonly source: string;
  readonly path: Path;
  readonly isBoolean: boolean;
}

/** Returns the conditions of a step. */
export function conditionsOf(step: Step): readonly PlacedCondition[] {
  const all: PlacedCondition[] = [];
  const add = (source: string | undefined, path: Path, isBoolean = true): void => {
    if (source !== undefined) all.push({ source, path, isBoolean });
  };
  add(step.when, ['when']);
  if (step.type === 'branch') {
    for (const [index, { when }] of step.branches.entries()) add(when, ['branches', index, 'when']);
  }
  for (const { call, path } of agentCalls(step)) {
    for (const [index, given] of (call.tools ?? []).entries()) {
      if (typeof given === 'string' || typeof given.approve !== 'object') continue;
      add(given.approve.when, [...path, 'tools', index, 'approve', 'when']);
    }
  }
  if (step.type === 'loop') add(step.until, ['until']);
  if (step.type === 'foreach') add(step.in, ['in'], false);
  return all;
}

/** Conditions that cannot be parsed. */
function* checkConditions(check: WorkflowCheck): Generator<Finding> {
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
function* checkPrompts(definitions: Definitions, origins: Origins): Generator<Finding> {
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

/** Variables that are the run's own. */
export const RESERVED: ReadonlySet<string> = new Set(['user_input', 'errors']);

/** Finds mistakes that only show when the keys of a step are seen together. */
function* checkStepRules(check: WorkflowCheck): Generator<Finding> {
  for (const { step, path } of allSteps(check.workflow.steps)) {
    for (const { name, path: place } of variablesSet(step)) {
      if (!RESERVED.has(name)) continue;
      yield at(check, [...path, ...place], { code: 'reserved-name', words: { name } });
    }
    if (step.type === 'sleep' && (step.duration === undefined) === (step.until === undefined)) {
      yield at(check, path, { code: 'sleep-time' });
    }
    if (step.type === 'team') yield* checkTeam(check, step, path);
    if (step.type === 'parallel' && typeof step.join === 'number') {
      const agents = Object.keys(step.branches).length;
      if (step.join > agents) {
        const words = { quorum: String(step.join), agents: String(agents) };
        yield at(check, [...path, 'join'], { code: 'quorum-too-large', words });
      }
    }
    if (step.type !== 'multi_agent_interaction' || typeof step.failureMode !== 'object') continue;
    const { quorum } = step.failureMode;
    const agents = step.agents_to_run.length;
    if (quorum <= agents) continue;
    const words = { quorum: String(quorum), agents: String(agents) };
    yield at(check, [...path, 'failureMode', 'quorum'], { code: 'quorum-too-large', words });
  }
}

/** Names of members that a team does not have. */
function* checkTeam(check: WorkflowCheck, step: TeamStep, path: Path): Generator<Finding> {
  const names = Object.keys(step.members);
  const given: { name: string | undefined; path: Path }[] = [
    { name: step.supervisor, path: ['supervisor'] },
    { name: step.start, path: ['start'] },
    ...Object.entries(step.members).flatMap(([member, { hands_over_to: others = [] }]) =>
      others.map((name, index) => ({ name, path: ['members', member, 'hands_over_to', index] })),
    ),
  ];
  for (const { name, path: below } of given) {
    if (name === undefined || names.includes(name)) continue;
    yield at(check, [...path, ...below], { code: 'unknown-member', ...unknownName(name, names) });
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
  if (step.type === 'team') add(step.notes_variable, 'notes_variable');
  if (step.type === 'loop' || step.type === 'foreach') add(step.as, 'as');
  if (step.type === 'foreach') add(step.indexAs, 'indexAs');
  return all;
}
