import { VizPromptError } from '../errors.ts';
import {
  addNode,
  assertNoCycle,
  assertNode,
  emptyFlow,
  FlowGraph,
  type NewFlow,
} from '../flow/flow-graph.ts';
import type { Flow, FlowConnection } from '../flow/flow.ts';

/** A branch that can be cut off. */
export interface Branch {
  /** The nodes it begins with, and all that nothing else leads to; each after its parents. */
  readonly cut: readonly string[];
  /** The nodes after it that something else leads to as well. */
  readonly shared: readonly string[];
}

/** Returns what is removed with nodes of a flow: all that nothing else leads to. */
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

/** Returns a node and all that continues from it, near or far. */
export function subtreeAt(graph: FlowGraph, node: string): readonly string[] {
  return [node, ...graph.descendants(node)];
}

/** Returns the way to a node: all that it continues from, and itself; or only the line of main parents. */
export function pathTo(graph: FlowGraph, node: string, isMainLine: boolean): readonly string[] {
  return isMainLine ? graph.lineTo(node) : [...graph.ancestors(node), node];
}

/** Returns a flow with only these of its nodes. A head that goes gives way to the nearest one before it. */
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

/** Returns a flow without these of its nodes. */
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

/** Returns a new flow of some nodes of another, connected as there, in the order of that one. */
export function partOf(flow: Flow, ids: Iterable<string>, given: NewFlow, now: Date): Flow {
  const { nodes, connections, head } = keepNodes(flow, ids);
  return {
    ...emptyFlow(given, now),
    ...(head === undefined ? {} : { head }),
    nodes: nodes.map(({ id }, at) => ({ index: at + 1, id })),
    connections,
  };
}

/**
 * Returns a flow in which a node continues from another parent. The new parent takes the place of the old one,
 * also as the main one, and the name of the branch stays.
 *
 * @param from - The parent that is replaced; may be left out where there is only one.
 * @param to - The new parent; `null`: none.
 * @throws VizPromptError with the code `cycle`, `node-not-found` or `invalid-input`.
 */
export function relinkNode(
  flow: Flow,
  node: string,
  from: string | undefined,
  to: string | null,
): Flow {
  assertNode(flow, node);
  const parents = flow.connections.filter((other) => other.to === node).map((other) => other.from);
  const old = from ?? only(node, parents);
  if (old !== undefined && !parents.includes(old)) {
    assertNode(flow, old);
    throw new VizPromptError('invalid-input', `the node ${node} does not continue from ${old}`, {
      context: { node, from: old, parents },
    });
  }
  if (to === old) return flow;
  const isOld = (other: Flow['connections'][number]): boolean =>
    other.from === old && other.to === node;
  const rest = flow.connections.filter((other) => !isOld(other));
  if (to === null) return { ...flow, connections: rest };
  assertNode(flow, to);
  assertNoCycle({ nodes: flow.nodes, connections: rest }, to, node);
  if (parents.includes(to)) return { ...flow, connections: rest };
  if (old === undefined) {
    return { ...flow, connections: [...flow.connections, { from: to, to: node }] };
  }
  const connections = flow.connections.map((other) =>
    isOld(other) ? { ...other, from: to } : other,
  );
  return { ...flow, connections };
}

function only(node: string, parents: readonly string[]): string | undefined {
  if (parents.length <= 1) return parents[0];
  throw new VizPromptError(
    'invalid-input',
    `the node ${node} continues from several: give 'from' to say which is replaced: ${parents.join(', ')}`,
    { context: { node, parents } },
  );
}

/**
 * Returns a flow in which a node is between two others that were connected. It takes the place of the
 * connection, so the main parents and the order of branches stay as they are. A node that is not in
 * the flow joins it, and the head stays where it is.
 *
 * @throws VizPromptError with the code `cycle`, `node-not-found` or `invalid-input`.
 */
export function insertNodeBetween(flow: Flow, parent: string, child: string, node: string): Flow {
  assertNode(flow, parent);
  assertNode(flow, child);
  const at = flow.connections.findIndex(({ from, to }) => from === parent && to === child);
  const between = flow.connections[at];
  if (!between) {
    throw new VizPromptError('invalid-input', `${child} does not continue from ${parent}`, {
      context: { parent, child },
    });
  }
  if (node === parent || node === child) {
    throw new VizPromptError('cycle', `a node cannot be between itself and another: ${node}`, {
      context: { from: parent, to: child, path: [node] },
    });
  }
  const joined = addNode(flow, node, []);
  const rest = flow.connections.toSpliced(at, 1);
  const known = new Set(rest.map(({ from, to }) => `${from} ${to}`));
  const added: FlowConnection[] = [];
  if (!known.has(`${parent} ${node}`)) added.push({ ...between, to: node });
  if (!known.has(`${node} ${child}`)) added.push({ from: node, to: child });
  assertNoCycle({ nodes: joined.nodes, connections: rest }, parent, node);
  assertNoCycle({ nodes: joined.nodes, connections: rest }, node, child);
  const connections = rest.toSpliced(at, 0, ...added);
  const { head } = flow;
  return { ...joined, ...(head === undefined ? {} : { head }), connections };
}
