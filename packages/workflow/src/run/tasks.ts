import type { JsonObject, JsonValue } from '@vizprompt/providers';

/** What a fork changes where it leaves its run. */
export interface ForkPoint {
  readonly path: string;
  readonly variables: JsonObject;
  /** What the step there gives, instead of being done. */
  readonly output?: JsonValue;
}

/** A run from its beginning. */
interface RunTask {
  readonly kind: 'run';
  readonly input: JsonValue;
  /** Where it leaves the runs that it is a fork of. */
  readonly forks: readonly ForkPoint[];
}

/** An agent of a parallel step. */
export interface AgentTask {
  readonly kind: 'agent';
  readonly workflow: string;
  readonly stepId: string;
  /** Its place among the agents of the step. */
  readonly at: number;
  readonly forks: readonly ForkPoint[];
  readonly inputs: JsonObject;
  readonly keepsFailures: boolean;
  readonly follows: readonly string[];
}

/** The steps of a `foreach` for one item. */
export interface ItemTask {
  readonly kind: 'item';
  readonly workflow: string;
  readonly stepId: string;
  /** Those of the thread that it leaves, with the item. */
  readonly variables: JsonObject;
  readonly keepsFailures: boolean;
  readonly follows: readonly string[];
  readonly forks: readonly ForkPoint[];
}

/** What a scope can be given to do, as plain JSON. */
export type Task = RunTask | AgentTask | ItemTask;

/** What a part of a parallel step gives. */
export interface PartResult {
  readonly output: JsonValue;
  /** The paths of what it did last. */
  readonly follows: readonly string[];
}

/** A task as a runtime passes it on. */
export function toJson(task: Task | PartResult): JsonObject {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- tasks are plain
  return task as unknown as JsonObject;
}

/** A task that a runtime passed on. */
export function readTask(json: JsonObject): Task {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by toJson
  return json as unknown as Task;
}

/** What a child gave. */
export function readPart(json: JsonValue): PartResult {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by toJson
  return json as unknown as PartResult;
}
