import type { ContextReason } from './context-report.ts';
import type { Segment } from './history.ts';
import type { ContextNode } from './scene.ts';

/** A node that is given in full, or cut. */
export interface Turn {
  readonly node: ContextNode;
  readonly prompt: string;
  readonly response: string;
  readonly tags: readonly string[];
  readonly isCut: boolean;
  readonly reason: ContextReason;
}

/** A passage that a retriever found, and that is no ancestor. */
export interface Quote {
  readonly id: string;
  readonly label: string;
  readonly text: string;
}

/** What a context will hold. */
export interface Draft {
  readonly lines: readonly Segment[];
  /** Ancestors, in the order of the context. */
  readonly turns: readonly Turn[];
  /** Nodes that are no ancestors. */
  readonly references: readonly Turn[];
  readonly quotes: readonly Quote[];
}
