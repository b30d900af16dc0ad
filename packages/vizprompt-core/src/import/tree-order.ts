import type { JsonValue } from '@vizprompt/providers';

/** Messages by their ids, as an export that lists children has them. */
export interface ListedTree {
  readonly ids: readonly string[];
  parentOf(id: string): string | undefined;
  /** The children as the message itself lists them; those that name another parent do not count. */
  childrenOf(id: string): readonly JsonValue[];
}

/**
 * The messages as the tree has them: roots first, children in the order of their parent's list, and
 * behind them those that the list forgot. Messages that only go round in circles come last.
 *
 * @param warnings - Takes what was odd.
 */
export function treeOrder({ ids, parentOf, childrenOf }: ListedTree, warnings: string[]): string[] {
  const children = new Map<string, Set<string>>();
  const roots: string[] = [];
  const known = new Set(ids);
  for (const id of ids) {
    const listed = childrenOf(id).filter((child): child is string => {
      return typeof child === 'string' && known.has(child) && parentOf(child) === id;
    });
    children.set(id, new Set(listed));
  }
  for (const id of ids) {
    const parent = parentOf(id);
    const siblings = parent === undefined ? undefined : children.get(parent);
    if (siblings) siblings.add(id);
    else roots.push(id);
    if (parent !== undefined && !siblings) warnings.push(missingParent(id));
  }
  const order = walk(roots, children);
  const reached = new Set(order);
  const circle = ids.filter((id) => !reached.has(id));
  if (circle.length > 0) warnings.push(`${circle.length} messages go round in a circle`);
  return [...order, ...circle];
}

/** What is said of a message whose parent is not there. */
export function missingParent(id: string): string {
  return `the parent of message ${id} is missing: it begins a tree of its own`;
}

function walk(roots: readonly string[], children: ReadonlyMap<string, Set<string>>): string[] {
  const order: string[] = [];
  const open = roots.toReversed();
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    order.push(id);
    open.push(...[...(children.get(id) ?? [])].toReversed());
  }
  return order;
}
