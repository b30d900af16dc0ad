import type { ChatModel } from '@vizprompt/providers';
import {
  type Kinds,
  FLAG,
  FUNCTION,
  optional,
  orNull,
  SIGNAL,
  TEXT,
} from '@vizprompt/providers/config/internal';
import type { StoredFlow } from '../flow/flow.ts';
import { FLOW_CHOICE, type FlowChoice } from '../graph/flow-service.ts';
import { FLOW_EDIT_OPTIONS, type FlowEditOptions } from '../graph/preconditions.ts';
import { MODEL_OR_NONE, PARENTS } from '../input-kinds.ts';
import type { NewNode } from '../node/edit-node.ts';
import type { StoredNode } from '../node/node.ts';
import type { EditStep } from '../write/undo-history.ts';

/** The flow that is edited, and the condition for the edit. Default for `flow`: `'main'`. */
export interface EditOptions extends FlowChoice, FlowEditOptions {}

export const EDIT_OPTIONS: Kinds<EditOptions> = { ...FLOW_CHOICE, ...FLOW_EDIT_OPTIONS };

/** Options of `relink`. */
export interface RelinkOptions extends EditOptions {
  /** The parent that is replaced. It may be left out where the node has one at most. */
  readonly from?: string | undefined;
  /** The new parent, a node of the flow; `null`: none, so that the node begins again. */
  readonly to: string | null;
}

export const RELINK_OPTIONS: Kinds<RelinkOptions> = {
  ...EDIT_OPTIONS,
  from: optional(TEXT),
  to: orNull(TEXT),
};

/** Options of `deleteNodes`. */
export interface DeleteNodesOptions extends EditOptions {
  /**
   * True if what continues from the nodes goes too, unless something else leads to it as well. `false`:
   * it stays, connected to the parents of what went. Default: `true`.
   */
  readonly descendants?: boolean | undefined;
  /**
   * True if the node files are deleted too, those of nodes that are in no other flow. Default:
   * `false`: the nodes stay in the project, and only leave the flow.
   */
  readonly files?: boolean | undefined;
}

export const DELETE_NODES_OPTIONS: Kinds<DeleteNodesOptions> = {
  ...EDIT_OPTIONS,
  descendants: optional(FLAG),
  files: optional(FLAG),
};

/** Options of `prune`. */
export interface PruneOptions extends EditOptions {
  /** True if nothing is done, and only said what would go. Default: `false`. */
  readonly dryRun?: boolean | undefined;
  /** True if the node files are deleted too, those of nodes that are in no other flow. */
  readonly files?: boolean | undefined;
}

export const PRUNE_OPTIONS: Kinds<PruneOptions> = {
  ...EDIT_OPTIONS,
  dryRun: optional(FLAG),
  files: optional(FLAG),
};

/** The nodes that were removed from a flow, or would be. */
export interface PruneReport {
  /** The flow as it is now. */
  readonly flow: StoredFlow;
  /** The ids of the nodes that went, each after its parents. */
  readonly removed: readonly string[];
  /** The nodes after them that stayed, because something else leads to them too. */
  readonly kept: readonly string[];
  /** The removed nodes whose files were deleted. */
  readonly deleted: readonly string[];
}

/** Which way to a node is meant. */
interface PathOptions {
  /**
   * True if only the line of main parents is the path. Default: `false`: all nodes that the node
   * continues from, so that merges keep what was merged in them.
   */
  readonly mainLine?: boolean | undefined;
}

/** Options of `keepPath`. */
export interface KeepPathOptions extends EditOptions, PathOptions {}

export const KEEP_PATH_OPTIONS: Kinds<KeepPathOptions> = {
  ...EDIT_OPTIONS,
  mainLine: optional(FLAG),
};

/** The name and description of a new flow. */
export interface PartOptions extends EditOptions {
  /** The name of the new flow. Default: the title of the node. */
  readonly name?: string | undefined;
  /** A short name that no other flow has. */
  readonly alias?: string | undefined;
  /** The description of the new flow. */
  readonly description?: string | undefined;
}

export const PART_OPTIONS: Kinds<PartOptions> = {
  ...EDIT_OPTIONS,
  name: optional(TEXT),
  alias: optional(TEXT),
  description: optional(TEXT),
};

/** Options of `tailFork`. */
export interface TailForkOptions extends PartOptions, PathOptions {}

export const TAIL_FORK_OPTIONS: Kinds<TailForkOptions> = {
  ...PART_OPTIONS,
  mainLine: optional(FLAG),
};

/** A flow that was split. */
export interface SplitFlow {
  /** The rest. */
  readonly flow: StoredFlow;
  /** The new flow of its own. */
  readonly created: StoredFlow;
}

/** Options of `copySubtree`. */
export interface CopyOptions extends EditOptions {
  /** The flow that the copies go to. Default: the flow of the original. */
  readonly to?: string | undefined;
  /**
   * The nodes that the copy continues from; `null`: none. Default: those that the original continues from,
   * or in another flow, none.
   */
  readonly after?: string | readonly string[] | null | undefined;
}

export const COPY_OPTIONS: Kinds<CopyOptions> = {
  ...EDIT_OPTIONS,
  to: optional(TEXT),
  after: PARENTS,
};

/** The result of a copy. */
export interface CopiedSubtree {
  /** The flow that the copies are in. */
  readonly flow: StoredFlow;
  /** The copies, each after its parents; the first is that of the node itself. */
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
  readonly ifStep?: string | undefined;
}

export const REPLAY_OPTIONS: Kinds<ReplayOptions> = {
  ifStep: optional(TEXT, {
    en: 'The id of the step that is meant: if another is the next, the answer is conflict',
  }),
};

/** Options of `forget`. */
export interface ForgetOptions {
  /**
   * The id of the one step that is forgotten. Its changes stay, and the step before it becomes the next
   * to be taken back. Default: all of the history.
   */
  readonly step?: string | undefined;
}

export const FORGET_OPTIONS: Kinds<ForgetOptions> = { step: optional(TEXT) };

/** The edit that was undone, or redone. */
export interface ReplayedEdit {
  readonly step: EditStep;
  /** The flows that the edit was taken back in, or done again. */
  readonly flows: readonly StoredFlow[];
  /** The ids of flows that are gone by it. */
  readonly deletedFlows: readonly string[];
}

/** A node in a merge, in short. */
export interface MergeTurn {
  readonly id: string;
  /** Its first words. */
  readonly title: string;
  /** Its summary, or one made from its text where there is none yet. */
  readonly summary: string;
}

/** One of two branches that are merged. */
export interface MergeSide {
  /** The last node of the branch. */
  readonly tip: string;
  /** The nodes of it alone, each after its parents. */
  readonly turns: readonly MergeTurn[];
}

/** Something in which two branches may not agree. */
export interface MergeConflict {
  /**
   * `answer`: the same question was answered differently; `subject`: both speak of the same things;
   * `stated`: the model said so.
   */
  readonly kind: 'answer' | 'subject' | 'stated';
  readonly text: string;
  /** The nodes of the first branch that it is about. */
  readonly left: readonly string[];
  /** The nodes of the second branch that it is about. */
  readonly right: readonly string[];
}

/** The node that a merge of two branches would write. */
export interface MergeProposal {
  /** All nearest common ancestors. */
  readonly base: readonly MergeTurn[];
  readonly left: MergeSide;
  readonly right: MergeSide;
  readonly conflicts: readonly MergeConflict[];
  /** The node that is proposed. */
  readonly node: NewNode;
  /** The author of the proposal: the model, or the text alone. */
  readonly by: 'model' | 'text';
}

/** Options of `mergeByContent`. */
export interface MergeByContentOptions extends EditOptions {
  /**
   * Decides. `true`: the node is written as proposed; a node: that one is written instead; `false` or
   * nothing: none is written. The project is not locked meanwhile, so it may take its time.
   */
  accept(
    proposal: MergeProposal,
  ): boolean | NewNode | undefined | Promise<boolean | NewNode | undefined>;
  /**
   * Proposes the node; `null`: none does, and it is put together from the summaries. Default: the
   * model of the project, if it has one.
   */
  readonly model?: ChatModel | null | undefined;
  /** Ends it; nothing is written then. */
  readonly signal?: AbortSignal | undefined;
}

export const MERGE_BY_CONTENT_OPTIONS: Kinds<MergeByContentOptions> = {
  ...EDIT_OPTIONS,
  accept: FUNCTION,
  model: optional(MODEL_OR_NONE),
  signal: optional(SIGNAL),
};

/** The result of a merge. */
export interface ContentMerge {
  readonly proposal: MergeProposal;
  /** The node that was written; absent: it was not accepted. */
  readonly merged?: MergedNode;
}
