import type { VizNode } from '../node/node.ts';

/** What is found out about a node. */
export interface NodeDigest {
  /** 30 to 50 words. */
  readonly summary: string;
  /** 3 to 7, fewer where the text has no more. */
  readonly tags: readonly string[];
  /** The tags, and more words that the node can be found by. */
  readonly keywords: readonly string[];
}

/** Makes digests. */
export type Summarizer = (
  node: Pick<VizNode, 'prompt' | 'response'>,
  signal?: AbortSignal,
) => Promise<NodeDigest>;

/** How long a summary may be. */
export interface SummaryLimits {
  readonly maxWords: number;
  /** Default: no limit. */
  readonly maxTokens?: number;
}

/** At most so many words a summary; a model is asked for 30 at least. */
export const MAX_WORDS = 50;
/** At most so many tags a node. */
export const MAX_TAGS = 7;
/** At most so many keywords a node. */
export const MAX_KEYWORDS = 12;
