import type { AgentCall } from './agent-call.ts';
import type { Step } from './step.ts';

/** A step, and its place below the workflow. */
interface PlacedStep {
  readonly step: Step;
  readonly path: readonly (string | number)[];
}

/** Steps that a step runs itself, and their place below it. */
interface Body {
  readonly steps: readonly Step[];
  readonly path: readonly (string | number)[];
}

/** Returns the steps within a step: the body of a loop, the branches of a parallel step. */
export function bodiesOf(step: Step): readonly Body[] {
  if (step.type === 'loop' || step.type === 'foreach')
    return [{ steps: step.steps, path: ['steps'] }];
  if (step.type !== 'parallel') return [];
  return Object.entries(step.branches).map(([name, { steps }]) => {
    return { steps, path: ['branches', name, 'steps'] };
  });
}

/** All steps of a list, those of bodies included, in the order of the file. */
export function* allSteps(
  steps: readonly Step[],
  path: readonly (string | number)[] = ['steps'],
): Generator<PlacedStep> {
  for (const [at, step] of steps.entries()) {
    const place = [...path, at];
    yield { step, path: place };
    for (const body of bodiesOf(step)) yield* allSteps(body.steps, [...place, ...body.path]);
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
  if (step.type === 'team') {
    return Object.entries(step.members).map(([name, call]) => ({ call, path: ['members', name] }));
  }
  if (step.type !== 'multi_agent_interaction') return [];
  const calls = step.agents_to_run.map((call, at) => ({ call, path: ['agents_to_run', at] }));
  const { aggregate } = step;
  if (typeof aggregate !== 'object') return calls;
  if (aggregate.strategy !== 'judge' && aggregate.strategy !== 'bestOf') return calls;
  return [...calls, { call: aggregate, path: ['aggregate'] }];
}

/** A tool of an agent, and its place below the step. */
interface PlacedTool {
  readonly reference: ToolReference;
  readonly path: readonly (string | number)[];
}

/** Returns the tools of the agents of a step. */
export function toolsOf(step: Step): readonly PlacedTool[] {
  return agentCalls(step).flatMap(({ call, path }) =>
    (call.tools ?? []).map((given, at) => {
      const place = [...path, 'tools', at];
      return typeof given === 'string'
        ? { reference: readToolReference(given), path: place }
        : { reference: readToolReference(given.tool), path: [...place, 'tool'] };
    }),
  );
}

/** Returns the workflows that a step runs, or lets its agents run. */
export function workflowsOf(step: Step): readonly string[] {
  const own = step.type === 'subflow' ? [step.workflow] : [];
  const flows = toolsOf(step).filter(({ reference }) => reference.kind === 'flow');
  return [...own, ...flows.map(({ reference }) => reference.name)];
}

/** A tool of an agent, by the form of its name in a file. */
type ToolReference =
  | { readonly kind: 'engine'; readonly name: string }
  | { readonly kind: 'retriever'; readonly name: string }
  | { readonly kind: 'flow'; readonly name: string }
  /** Without `tool`: all tools of the server. */
  | { readonly kind: 'mcp'; readonly name: string; readonly tool?: string };

const PREFIX = /^(mcp|flow|retrieve):(.+)$/s;

/** Reads `name`, `mcp:server`, `mcp:server/tool`, `flow:workflow` or `retrieve:retriever`. */
export function readToolReference(text: string): ToolReference {
  const [, kind, rest = ''] = PREFIX.exec(text) ?? [];
  if (kind === 'flow') return { kind, name: rest };
  if (kind === 'retrieve') return { kind: 'retriever', name: rest };
  if (kind !== 'mcp') return { kind: 'engine', name: text };
  const slash = rest.indexOf('/');
  if (slash < 0) return { kind, name: rest };
  const tool = rest.slice(slash + 1);
  return { kind, name: rest.slice(0, slash), ...(tool === '*' ? {} : { tool }) };
}

/** A dependency of a step, by its name. */
export interface StepDependency {
  readonly name: string;
  readonly key: 'function' | 'tool' | 'retriever' | 'activity';
  readonly list: 'functions' | 'tools' | 'retrievers' | 'activities';
}

/** A dependency, and its place below the step. */
interface PlacedDependency extends StepDependency {
  readonly path: readonly (string | number)[];
}

/** Returns what a step and the tools of its agents need besides models and people. */
export function dependenciesOf(step: Step): readonly PlacedDependency[] {
  const own = dependencyOf(step);
  const tools = toolsOf(step).flatMap(({ reference, path }): PlacedDependency[] => {
    const { kind, name } = reference;
    if (kind === 'engine') return [{ name, key: 'tool', list: 'tools', path }];
    return kind === 'retriever' ? [{ name, key: 'retriever', list: 'retrievers', path }] : [];
  });
  return [...(own ? [{ ...own, path: [own.key] }] : []), ...tools];
}

/** Returns what a step itself needs besides models and people. */
function dependencyOf(step: Step): StepDependency | undefined {
  switch (step.type) {
    case 'function':
      return { name: step.function, key: 'function', list: 'functions' };
    case 'tool':
      return { name: step.tool, key: 'tool', list: 'tools' };
    case 'activity':
      return { name: step.activity, key: 'activity', list: 'activities' };
    case 'retrieve':
      return { name: step.retriever, key: 'retriever', list: 'retrievers' };
    default:
      return undefined;
  }
}
