import type { MessageTree } from './thread-tree.ts';
import { childrenOf, inPreOrder } from './thread-tree.ts';

/** The messages that one node holds: a question, its answer, or both. */
export interface MessagePair {
  readonly prompt: string | null;
  readonly answer: string | null;
}

/** Returns the key of a pair. */
export function keyOf({ prompt, answer }: MessagePair): string {
  return JSON.stringify([prompt, answer]);
}

/** The nodes that a tree of messages needs. */
export interface Placement {
  /** Each pair by its key, so that messages come after their parents and siblings in their order. */
  readonly pairs: ReadonlyMap<string, MessagePair>;
  /** Returns the pair that ends with a message; its replies follow this pair. */
  pairEndingWith(message: string): MessagePair;
  /** The pair that a pair follows; `null`: none. */
  parentOf(pair: MessagePair): MessagePair | null;
}

/**
 * Says which nodes hold the messages of a tree. Each answer to a question makes a node of both. A question is in a node of
 * its own where it has no answer, where another question follows it, and where it is the head.
 */
export function placeMessages(tree: MessageTree): Placement {
  const { items, headId } = tree;
  const children = childrenOf(tree);
  const isAnswer = (id: string): boolean => items.get(id)?.side.role === 'assistant';
  const parentIn = (id: string): string | null => items.get(id)?.parentId ?? null;
  const questionOf = (answer: string): string | null => {
    const parent = parentIn(answer);
    return parent === null || isAnswer(parent) ? null : parent;
  };
  const pairEndingWith = (id: string): MessagePair =>
    isAnswer(id) ? { prompt: questionOf(id), answer: id } : { prompt: id, answer: null };
  const pairs = new Map<string, MessagePair>();
  for (const id of inPreOrder(tree)) {
    const below = children.get(id) ?? [];
    const isBare = id === headId || below.length === 0 || below.some((child) => !isAnswer(child));
    if (!isAnswer(id) && !isBare) continue;
    const pair = pairEndingWith(id);
    pairs.set(keyOf(pair), pair);
  }
  return {
    pairs,
    pairEndingWith,
    parentOf({ prompt, answer }) {
      const before = parentIn(prompt ?? answer ?? '');
      return before === null ? null : pairEndingWith(before);
    },
  };
}
