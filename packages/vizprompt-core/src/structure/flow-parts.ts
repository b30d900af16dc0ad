import { emptyFlow, type NewFlow } from '../flow/edit-flow.ts';
import { FlowGraph } from '../flow/flow-graph.ts';
import type { Flow } from '../flow/flow.ts';

/** A branch that can be cut off. */
export interface Branch {
  /** The nodes it begins with, and all that nothing else leads to; each behind its parents. */
  readonly cut: readonly string[];
  /** The nodes behind it that something else leads to as well. */
  readonly shared: readonly string[];
}

/** What goes when nodes are taken out of a flow together with what only they lead to. */
export function branchAt(graph: FlowGraph, starts: readonly string[]): Branch {
  const cut = new Set(starts);
  const reached = new Set(starts);
  const shared: string[] = [];
  for (const id of graph.topologicalOrder()) {
    const parents = graph.parents(id);
    if (!cut.has(id)) {
      if (!parents.some((parent) => reached.has(parent))) continue;
      reached.add(id);
      if (parents.every((parent) => cut.has(parent))) cut.add(id);
      else shared.push(id);
    }
  }
  const order = graph.topologicalOrder().filter((id) => cut.has(id));
  return { cut: order, shared };
}

/** A node and all that goes on from it, near or far. */
export function subtreeAt(graph: FlowGraph, node: string): readonly string[] {
  return [node, ...graph.descendants(node)];
}

/** The way to a node: all that it goes on from, and itself; or only the line of main parents. */
export function pathTo(graph: FlowGraph, node: string, isMainLine: boolean): readonly string[] {
  return isMainLine ? graph.lineTo(node) : [...graph.ancestors(node), node];
}

/** A flow with only these of its nodes. A head that goes gives way to the nearest one before it. */
export function keepNodes(flow: Flow, ids: Iterable<string>): Flow {
  const kept = new Set(ids);
  const nodes = flow.nodes.filter(({ id }) => kept.has(id));
  const { head: _, ...rest } = flow;
  const head = nearestHead(flow, kept) ?? nodes.at(-1)?.id;
  return {
    ...rest,
    ...(head === undefined ? {} : { head }),
    nodes,
    connections: flow.connections.filter(({ from, to }) => kept.has(from) && kept.has(to)),
  };
}

/** A flow without these of its nodes. */
export function dropNodes(flow: Flow, ids: Iterable<string>): Flow {
  const dropped = new Set(ids);
  return keepNodes(
    flow,
    flow.nodes.map(({ id }) => id).filter((id) => !dropped.has(id)),
  );
}

function nearestHead(flow: Flow, kept: ReadonlySet<string>): string | undefined {
  const { head } = flow;
  if (head === undefined || kept.has(head)) return head;
  const graph = new FlowGraph(flow);
  const isKept = (id: string): boolean => kept.has(id);
  return graph.lineTo(head).findLast(isKept) ?? graph.ancestors(head).findLast(isKept);
}

/** A new flow of some nodes of another, connected as there, in the order of that one. */
export function partOf(flow: Flow, ids: Iterable<string>, given: NewFlow, now: Date): Flow {
  const { nodes, connections, head } = keepNodes(flow, ids);
  return {
    ...emptyFlow(given, now),
    ...(head === undefined ? {} : { head }),
    nodes: nodes.map(({ id }, at) => ({ index: at + 1, id })),
    connections,
  };
}
