import type { ChatModel } from '@vizprompt/providers';
import type { NewNode } from '../node/edit-node.ts';
import type { EditOptions } from './edit-structure.ts';
import type { MergedNode } from './options.ts';

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
  /** What it has and the other has not, each node behind its parents. */
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

/** What a merge of two branches would write. */
export interface MergeProposal {
  /** All nearest common ancestors. */
  readonly base: readonly MergeTurn[];
  readonly left: MergeSide;
  readonly right: MergeSide;
  readonly conflicts: readonly MergeConflict[];
  /** The node that is proposed. */
  readonly node: NewNode;
  /** Who proposes it: the model, or the text alone. */
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
  readonly model?: ChatModel | null;
  /** Ends it; nothing is written then. */
  readonly signal?: AbortSignal;
}

/** What became of a merge. */
export interface ContentMerge {
  readonly proposal: MergeProposal;
  /** What was written; absent: it was not accepted. */
  readonly merged?: MergedNode;
}
