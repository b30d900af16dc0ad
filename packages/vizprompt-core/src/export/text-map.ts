import type { TextMapOptions } from './export-options.ts';
import {
  branchNames,
  columnsOf,
  fitColumns,
  type FlowView,
  indicesOf,
  labelOf,
} from './flow-view.ts';

/** A node that waits to be drawn. */
interface Waiting {
  readonly id: string;
  /** The drawing before the node. */
  readonly prefix: string;
  /** The drawing before the nodes below it. */
  readonly below: string;
}

/**
 * Returns a flow as a map of its branches, for terminals. A node that continues straight on is below its
 * parent; where several continue, each begins a branch. A merge is in the branch of its first
 * parent and names the others; `*` marks the head.
 */
export function toTextMap(view: FlowView, { width = 80 }: TextMapOptions = {}): string {
  const { flow, graph } = view;
  const indices = indicesOf(flow);
  const branchOf = branchNames(flow.connections);
  const digits = String(Math.max(0, ...flow.nodes.slice(-1).map(({ index }) => index))).length;
  const mainChildren = (id: string): readonly string[] =>
    graph.children(id).filter((child) => graph.parents(child)[0] === id);

  const lines: string[] = [];
  const open: Waiting[] = graph
    .roots()
    .map((id) => ({ id, prefix: '', below: '' }))
    .toReversed();
  for (let next = open.pop(); next; next = open.pop()) {
    const { id, prefix, below } = next;
    const [main, ...others] = graph.parents(id);
    const branch = main === undefined ? undefined : branchOf(main, id);
    const mark = flow.head === id ? '*' : '●';
    const joined =
      others.length > 0 ? ` ⇠ ${others.map((other) => indices.get(other)).join(', ')}` : '';
    const named = branch === undefined ? '' : `[${branch}] `;
    const start = `${prefix}${mark} ${String(indices.get(id)).padStart(digits)} ${named}`;
    const room = width - columnsOf(start) - columnsOf(joined);
    lines.push(start + fitColumns(labelOf(view, id).title, room) + joined);
    open.push(...branches(mainChildren(id), below).toReversed());
  }
  return `${lines.join('\n')}\n`;
}

function branches(children: readonly string[], below: string): Waiting[] {
  const [only] = children;
  if (children.length === 1 && only !== undefined) return [{ id: only, prefix: below, below }];
  return children.map((id, at) => {
    const isLast = at === children.length - 1;
    return {
      id,
      prefix: `${below}${isLast ? '└─' : '├─'}`,
      below: `${below}${isLast ? '  ' : '│ '}`,
    };
  });
}
