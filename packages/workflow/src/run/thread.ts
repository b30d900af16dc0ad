import type { JsonObject, JsonValue } from '@vizprompt/providers';
import type { PinnedDefinition } from '../definition/pinned-definition.ts';
import type { Step } from '../definition/step.ts';
import type { WorkflowDefinition } from '../definition/workflow-file.ts';
import { WorkflowError } from '../errors.ts';
import { pathIn, type DurableScope } from '../runtime/durable-scope.ts';
import type { RunServices } from './services.ts';
import type { ForkPoint } from './tasks.ts';

/** Variables that steps set. */
export type OwnVariables = { [name: string]: JsonValue };

/** Runs the steps of a list in a thread, and gives the output of the one that ran last. */
type RunSteps = (thread: Thread, steps: readonly Step[], initial?: string) => Promise<JsonValue>;

/** A sequence of steps under way: one after the other, in a scope of its own or a part of one. */
export interface Thread {
  readonly services: RunServices;
  readonly scope: DurableScope;
  /** For steps that have steps of their own. */
  readonly runSteps: RunSteps;
  /** The name of the workflow whose steps they are. */
  readonly workflow: string;
  readonly variables: OwnVariables;
  /** What names in the scope begin with. */
  readonly prefix: string;
  /** Whether somebody deals with failures: they must be the same after a resume, so the journal keeps them. */
  readonly keepsFailures: boolean;
  /** What forks change at some paths. */
  readonly forks: readonly ForkPoint[];
  /** The paths of what was done last; what comes next follows them. */
  follows: readonly string[];
}

/** Where a thread is. */
export interface Place {
  readonly stepId: string;
  readonly type: string;
  /** In the scope. */
  readonly name: string;
  readonly path: string;
}

/** How a step ended. */
export interface StepDone {
  /** `undefined` for steps that give nothing, such as a branch. */
  readonly output: JsonValue | undefined;
  /** The step that comes next, where it is not the one that the list says. */
  readonly next?: string | undefined;
}

export function placeOf(thread: Thread, step: Step, name: string): Place {
  return { stepId: step.id, type: step.type, name, path: pathIn(thread.scope, name) };
}

/** The workflow of a name. */
export function workflowNamed(
  { workflows }: Pick<PinnedDefinition, 'workflows'>,
  name: unknown,
): WorkflowDefinition {
  const isThere = typeof name === 'string' && Object.hasOwn(workflows, name);
  const workflow = isThere ? workflows[name] : undefined;
  if (workflow) return workflow;
  throw new WorkflowError('not-found', `there is no workflow '${String(name)}'`, {
    context: { name },
  });
}

/** Variables without a prototype: a name such as `__proto__` is like any other. */
export function ownVariables(given: JsonObject): OwnVariables {
  return Object.assign<OwnVariables, JsonObject>(Object.create(null), given);
}

/** What a fork changes at a path. */
export function forkAt({ forks }: Thread, path: string): ForkPoint | undefined {
  return forks.length === 0 ? undefined : forks.find((fork) => fork.path === path);
}
