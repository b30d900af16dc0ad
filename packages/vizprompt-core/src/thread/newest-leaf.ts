import type { ThreadPlace } from './thread.ts';

/**
 * Returns the end of the newest branch that begins at a message.
 *
 * @param messages - Siblings in their order.
 * @param start - Where the branch begins; `null`: with any first message.
 */
export function newestLeaf(messages: readonly ThreadPlace[], start: string | null): string | null {
  const newest = new Map(messages.map(({ id, parentId }) => [parentId, id]));
  let leaf = start;
  for (let next = newest.get(leaf); next !== undefined; next = newest.get(leaf)) leaf = next;
  return leaf;
}
