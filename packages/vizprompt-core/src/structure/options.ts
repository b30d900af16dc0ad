import type { StoredFlow } from '../flow/flow.ts';
import type { StoredNode } from '../node/node.ts';
import type { EditStep } from '../write/undo-history.ts';
import type { EditOptions } from './edit-structure.ts';

/** Options of `relink`. */
export interface RelinkOptions extends EditOptions {
  /** The parent that is replaced. It may be left out where the node has one at most. */
  readonly from?: string;
  /** The new parent, a node of the flow; `null`: none, so that the node begins anew. */
  readonly to: string | null;
}

/** Options of `deleteNodes`. */
export interface DeleteNodesOptions extends EditOptions {
  /**
   * Whether what goes on from the nodes goes too, unless something else leads to it as well. `false`:
   * it stays, connected to the parents of what went. Default: `true`.
   */
  readonly descendants?: boolean;
  /**
   * Whether the node files are deleted too, those of nodes that are in no other flow. Default:
   * `false`: the nodes stay in the project, and only leave the flow.
   */
  readonly files?: boolean;
}

/** Options of `prune`. */
export interface PruneOptions extends EditOptions {
  /** Whether nothing is done, and only said what would go. Default: `false`. */
  readonly dryRun?: boolean;
  /** Whether the node files are deleted too, those of nodes that are in no other flow. */
  readonly files?: boolean;
}

/** What was taken out of a flow, or would be. */
export interface PruneReport {
  /** The flow as it is now. */
  readonly flow: StoredFlow;
  /** The ids of the nodes that went, each behind its parents. */
  readonly removed: readonly string[];
  /** Of those behind them, the ones that stayed, because something else leads to them too. */
  readonly kept: readonly string[];
  /** Of those that went, the ones whose files were deleted. */
  readonly deleted: readonly string[];
}

/** Which way to a node is meant. */
export interface PathOptions {
  /**
   * Whether only the line of main parents is the path. Default: `false`: all nodes that the node goes
   * on from, so that merges keep what was merged in them.
   */
  readonly mainLine?: boolean;
}

/** Options of `keepPath`. */
export interface KeepPathOptions extends EditOptions, PathOptions {}

/** What a new flow is called. */
export interface PartOptions extends EditOptions {
  /** What the new flow is called. Default: the title of the node. */
  readonly name?: string;
  /** A short name that no other flow has. */
  readonly alias?: string;
  /** What the new flow is about. */
  readonly description?: string;
}

/** Options of `tailFork`. */
export interface TailForkOptions extends PartOptions, PathOptions {}

/** A flow that was split. */
export interface SplitFlow {
  /** What remains. */
  readonly flow: StoredFlow;
  /** What became a flow of its own. */
  readonly created: StoredFlow;
}

/** Options of `copySubtree`. */
export interface CopyOptions extends EditOptions {
  /** The flow that the copies go to. Default: the flow of the original. */
  readonly to?: string;
  /**
   * The nodes that the copy goes on from; `null`: none. Default: those that the original goes on from,
   * or in another flow, none.
   */
  readonly after?: string | readonly string[] | null;
}

/** What a copy made. */
export interface CopiedSubtree {
  /** The flow that the copies are in. */
  readonly flow: StoredFlow;
  /** The copies, each behind its parents; the first is that of the node itself. */
  readonly nodes: readonly StoredNode[];
  /** The id of the copy of each node. */
  readonly ids: ReadonlyMap<string, string>;
}

/** A node in which branches were joined. */
export interface MergedNode {
  readonly flow: StoredFlow;
  readonly node: StoredNode;
}

/** Options of `undo` and `redo`. */
export interface ReplayOptions {
  /**
   * The id of the step that is meant. If another one is the next, nothing is done, and the error has
   * the code `conflict`. Default: whatever is the next, by whichever process.
   */
  readonly ifStep?: string;
}

/** Options of `forget`. */
export interface ForgetOptions {
  /**
   * The id of the one step that is forgotten. What it did stays, and the step before it becomes the next
   * to be taken back. Default: all of the history.
   */
  readonly step?: string;
}

/** What was taken back, or done again. */
export interface ReplayedEdit {
  readonly step: EditStep;
  /** The flows that the edit was taken back in, or done again. */
  readonly flows: readonly StoredFlow[];
  /** The ids of flows that are gone by it. */
  readonly deletedFlows: readonly string[];
}
