import type { ContextNode } from './scene.ts';

/** The share of its limit to which a full window shrinks, so that it seldom moves. */
const REST = 0.6;
/** Tokens of the roles of a turn. */
const ROLES = 8;

/**
 * Returns the newest nodes, those that are given in full. They are chosen as a conversation grows: each turn
 * is added at the end, and only where they exceed the limit, the oldest ones are left out, down to a share of it, but the newest never.
 * So the window of a turn later is nearly always the same with one more at its end.
 *
 * @param limit - Rough tokens.
 */
export function newestNodes(
  ancestors: readonly ContextNode[],
  limit: number,
): readonly ContextNode[] {
  let first = 0;
  let weight = 0;
  for (const [at, { row }] of ancestors.entries()) {
    weight += weightOf(row);
    if (weight <= limit) continue;
    while (first < at && weight > limit * REST) weight -= weightOf(ancestors[first++]?.row);
  }
  return ancestors.slice(first);
}

function weightOf(row: ContextNode['row']): number {
  return row ? row.tokens + ROLES : 0;
}
