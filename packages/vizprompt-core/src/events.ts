import type { ListenerCheck } from '@vizprompt/providers/config/internal';
import { listenerCheck } from './input-kinds.ts';
import type { ProjectProblem } from './errors.ts';
import type { StoredFlow } from './flow/flow.ts';
import type { StoredNode } from './node/node.ts';

/** How far a long task has come. */
export interface Progress {
  readonly done: number;
  /** The total. Absent while it is not known. */
  readonly total?: number;
}

/** All events of a project. Changes of other processes are among them only while it is watched. */
export interface VizPromptEvents {
  'node:created': { readonly node: StoredNode };
  'node:updated': { readonly node: StoredNode };
  'node:deleted': { readonly id: string };
  /** Several files carry one id; the first of them is the node. */
  'node:collided': { readonly id: string; readonly files: readonly string[] };
  'flow:created': { readonly flow: StoredFlow };
  'flow:updated': { readonly flow: StoredFlow };
  'flow:deleted': { readonly id: string };
  /** Something is wrong with a file. */
  'problem:found': ProjectProblem;
  /** Files are read into the index. */
  'index:progress': Progress;
  /** A map was written again from the files. */
  'map:repaired': { readonly file: string };
  'import:progress': Progress & { readonly nodes: number };
  /** An entry of an import was left out. */
  'import:skipped': { readonly entry: string; readonly reason: string };
  'build:progress': Progress;
  /** Files are read by `check`. */
  'check:progress': Progress;
  /** A node got no summary; it stays outdated. */
  'build:failed': { readonly id: string; readonly error: unknown };
}

/** Refuses listeners of events that are not among these. */
export const checkListener: ListenerCheck = listenerCheck<VizPromptEvents>({
  'node:created': true,
  'node:updated': true,
  'node:deleted': true,
  'node:collided': true,
  'flow:created': true,
  'flow:updated': true,
  'flow:deleted': true,
  'problem:found': true,
  'index:progress': true,
  'map:repaired': true,
  'import:progress': true,
  'import:skipped': true,
  'build:progress': true,
  'check:progress': true,
  'build:failed': true,
});
