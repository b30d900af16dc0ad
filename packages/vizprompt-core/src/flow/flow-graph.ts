import type { JsonObject } from '@vizprompt/providers';
import { shownValue } from '@vizprompt/providers/config/internal';
import { omitUndefined as defined } from '@vizprompt/providers/internal';
import { VizPromptError } from '../errors.ts';
import { formatTime } from '../format/ids-and-times.ts';
import { type Flow, type FlowConnection, MAIN_FLOW } from './flow.ts';

const NONE: readonly string[] = [];

/** Two branches side by side. */
export interface BranchDiff {
  /** Where they part: all their nearest common ancestors; several only where branches were merged. */
  readonly base: readonly string[];
  /** The common nodes, each after its parents. */
  readonly common: readonly string[];
  /** The nodes of the first alone, each after its parents. */
  readonly left: readonly string[];
  /** The nodes of the second alone, each after its parents. */
  readonly right: readonly string[];
}

/**
 * The graph of a flow, for questions about it. It is made in linear time, and nothing in it is
 * recursive, so that very long conversations are not a problem. A node that is not in the flow
 * (see {@link FlowGraph.has}) has nothing before it and nothing after it.
 *
 * @throws VizPromptError with the code `invalid-input` for what is no flow, such as its name.
 *
 * @example
 * ```ts
 * const graph = new FlowGraph(await vizprompt.getFlow('main'));
 * graph.leaves(); // the ids of the newest nodes of all branches
 * ```
 */
export class FlowGraph {
  readonly #parents = new Map<string, string[]>();
  readonly #children = new Map<string, string[]>();

  constructor(flow: Pick<Flow, 'nodes' | 'connections'>) {
    // Plain JavaScript may pass anything, such as the name of a flow.
    const nodes: unknown = flow?.nodes;
    if (!Array.isArray(nodes)) {
      const message = `new FlowGraph: expected a flow, such as await vizprompt.getFlow('main'), got ${shownValue(flow)}`;
      throw new VizPromptError('invalid-input', message);
    }
    for (const { id } of flow.nodes) {
      this.#parents.set(id, []);
      this.#children.set(id, []);
    }
    for (const { from, to } of flow.connections) {
      this.#children.get(from)?.push(to);
      this.#parents.get(to)?.push(from);
    }
  }

  has(id: string): boolean {
    return this.#parents.has(id);
  }

  /** Returns the nodes that a node continues from; the first is the main one. */
  parents(id: string): readonly string[] {
    return this.#parents.get(id) ?? NONE;
  }

  /** Returns the nodes that continue from a node, the oldest connection first. */
  children(id: string): readonly string[] {
    return this.#children.get(id) ?? NONE;
  }

  /** Returns the nodes without parents, in the order of the flow. */
  roots(): readonly string[] {
    return [...this.#parents].flatMap(([id, parents]) => (parents.length === 0 ? [id] : []));
  }

  /** Returns the nodes without children, in the order of the flow. */
  leaves(): readonly string[] {
    return [...this.#children].flatMap(([id, children]) => (children.length === 0 ? [id] : []));
  }

  /** All nodes, each after its parents; otherwise branch after branch. */
  topologicalOrder(): readonly string[] {
    /** The number of parents still to come, for nodes with several. */
    const missing = new Map<string, number>();
    for (const [id, parents] of this.#parents)
      if (parents.length > 1) missing.set(id, parents.length);
    const ready = this.roots().toReversed();
    const order: string[] = [];
    for (let id = ready.pop(); id !== undefined; id = ready.pop()) {
      order.push(id);
      const children = this.children(id);
      for (let at = children.length - 1; at >= 0; at--) {
        const child = children[at] ?? '';
        const left = (missing.get(child) ?? 0) - 1;
        if (left > 0) missing.set(child, left);
        else ready.push(child);
      }
    }
    return order;
  }

  /** All nodes that a node continues from, near or far, each after its parents. */
  ancestors(id: string): readonly string[] {
    const found = this.#reach([...this.parents(id)], (other) => this.parents(other));
    return this.topologicalOrder().filter((other) => found.has(other));
  }

  /** All nodes that continue from a node, near or far, each after its parents. */
  descendants(id: string): readonly string[] {
    const found = this.#reach([...this.children(id)], (other) => this.children(other));
    return this.topologicalOrder().filter((other) => found.has(other));
  }

  /**
   * Returns the nearest common ancestors of two nodes, a node counting as its own: those common ancestors that
   * no other common one continues from. On a tree it is one; where branches were merged there may be
   * several, of which none is nearer than the others. Empty if the nodes have none in common.
   */
  mergeBase(a: string, b: string): readonly string[] {
    return this.diff(a, b).base;
  }

  /**
   * Returns the common part of two branches, and the nodes of each that the other has not. A branch is a node
   * with all nodes that it continues from, near or far.
   *
   * @param a - The last node of the first branch.
   * @param b - The last node of the second branch.
   *
   * @example
   * ```ts
   * const { base, left, right } = graph.diff(first, second);
   * console.log(`they part after ${base.join(', ')}: ${left.length} and ${right.length} turns`);
   * ```
   */
  diff(a: string, b: string): BranchDiff {
    const ofA = this.#branch(a);
    const ofB = this.#branch(b);
    const isCommon = (id: string): boolean => ofA.has(id) && ofB.has(id);
    const common: string[] = [];
    const left: string[] = [];
    const right: string[] = [];
    for (const id of this.topologicalOrder()) {
      if (isCommon(id)) common.push(id);
      else if (ofA.has(id)) left.push(id);
      else if (ofB.has(id)) right.push(id);
    }
    const base = common.filter((id) => !this.children(id).some(isCommon));
    return { base, common, left, right };
  }

  /** Returns a node and all that it continues from. */
  #branch(id: string): ReadonlySet<string> {
    return this.#reach(this.has(id) ? [id] : [], (other) => this.parents(other));
  }

  /** Returns the line of a node: from a root to it along the main parents; empty if it is not in the flow. */
  lineTo(id: string): readonly string[] {
    if (!this.has(id)) return NONE;
    const line: string[] = [];
    const seen = new Set<string>();
    for (let at: string | undefined = id; at !== undefined; at = this.parents(at)[0]) {
      if (seen.has(at)) break;
      seen.add(at);
      line.push(at);
    }
    return line.toReversed();
  }

  /** Returns the shortest way from one node to another along the connections, both ends included. */
  findPath(from: string, to: string): readonly string[] | undefined {
    const cameFrom = new Map<string, string | undefined>([[from, undefined]]);
    for (const id of cameFrom.keys()) {
      if (id === to) return trace(cameFrom, to);
      for (const child of this.children(id)) if (!cameFrom.has(child)) cameFrom.set(child, id);
    }
    return undefined;
  }

  /** Returns a circle, as a path that ends where it begins; `undefined` if there is none. */
  findCycle(): readonly string[] | undefined {
    const order = this.topologicalOrder();
    if (order.length === this.#parents.size) return undefined;
    // A node without a place in the order has a parent without one: the way upwards returns to a passed node.
    const done = new Set(order);
    const passed = new Map<string, number>();
    const way: string[] = [];
    let at = [...this.#parents.keys()].find((id) => !done.has(id));
    while (at !== undefined && !passed.has(at)) {
      passed.set(at, way.length);
      way.push(at);
      at = this.parents(at).find((id) => !done.has(id));
    }
    const circle = way.slice(passed.get(at ?? '') ?? 0).toReversed();
    const members = new Set(circle);
    const first = [...this.#parents.keys()].find((id) => members.has(id)) ?? '';
    const start = circle.indexOf(first);
    return [...circle.slice(start), ...circle.slice(0, start), first];
  }

  #reach(start: string[], next: (id: string) => readonly string[]): ReadonlySet<string> {
    const found = new Set<string>();
    for (let id = start.pop(); id !== undefined; id = start.pop()) {
      if (found.has(id)) continue;
      found.add(id);
      start.push(...next(id));
    }
    return found;
  }
}

function trace(cameFrom: ReadonlyMap<string, string | undefined>, to: string): string[] {
  const path: string[] = [];
  for (let at: string | undefined = to; at !== undefined; at = cameFrom.get(at)) path.push(at);
  return path.toReversed();
}

/** Returns a flow with a node more; nothing happens if it is in the flow already. */
export function addNode(flow: Flow, id: string, parents: readonly string[]): Flow {
  if (hasNode(flow, id)) return flow;
  for (const parent of parents) assertNode(flow, parent);
  const index = highestIndex(flow) + 1;
  return {
    ...flow,
    head: id,
    nodes: [...flow.nodes, { index, id }],
    connections: [...flow.connections, ...[...new Set(parents)].map((from) => ({ from, to: id }))],
  };
}

/**
 * Returns a flow with a connection more, or with another branch name on the one that is there.
 *
 * @throws VizPromptError with the code `cycle` and the circle that would be closed.
 */
export function connect(flow: Flow, from: string, to: string, branch?: string): Flow {
  assertNode(flow, from);
  assertNode(flow, to);
  const connection = { from, to, ...(branch === undefined ? {} : { branch }) };
  const at = flow.connections.findIndex((other) => other.from === from && other.to === to);
  if (at >= 0) {
    const connections =
      branch === undefined ? flow.connections : flow.connections.with(at, connection);
    return { ...flow, connections };
  }
  assertNoCycle(flow, from, to);
  return { ...flow, connections: [...flow.connections, connection] };
}

/** @throws VizPromptError with the code `cycle` and the circle that a connection would close. */
export function assertNoCycle(
  flow: Pick<Flow, 'nodes' | 'connections'>,
  from: string,
  to: string,
): void {
  const back = new FlowGraph(flow).findPath(to, from);
  if (!back) return;
  const way = [...back, to].join(' → ');
  throw new VizPromptError('cycle', `connecting ${from} to ${to} closes a circle: ${way}`, {
    context: { from, to, path: back },
  });
}

/** Returns a flow without a connection; without it already, it stays as it is. */
export function disconnect(flow: Flow, from: string, to: string): Flow {
  const connections = flow.connections.filter((other) => other.from !== from || other.to !== to);
  return connections.length === flow.connections.length ? flow : { ...flow, connections };
}

/**
 * Returns a flow without a node.
 *
 * @param isJoined - True if the parents of the node are connected to its children.
 */
export function removeNode(flow: Flow, id: string, isJoined: boolean): Flow {
  if (!hasNode(flow, id)) return flow;
  const graph = new FlowGraph(flow);
  const parents = graph.parents(id);
  const kept = flow.connections.filter(({ from, to }) => from !== id && to !== id);
  const known = new Set(kept.map(({ from, to }) => `${from} ${to}`));
  const joints: FlowConnection[] = [];
  if (isJoined) {
    for (const connection of flow.connections.filter(({ from }) => from === id)) {
      for (const parent of parents) {
        if (known.has(`${parent} ${connection.to}`)) continue;
        joints.push({ ...connection, from: parent });
      }
    }
  }
  const nodes = flow.nodes.filter((node) => node.id !== id);
  const head = flow.head === id ? (parents[0] ?? nodes.at(-1)?.id) : flow.head;
  const { head: _, ...rest } = flow;
  return {
    ...rest,
    ...(head === undefined ? {} : { head }),
    nodes,
    connections: [...kept, ...joints],
  };
}

/** Returns a flow that is one straight line of these nodes. Nodes that stay keep their index. */
export function straightLine(flow: Flow, ids: readonly string[]): Flow {
  const twice = ids.find((id, at) => ids.indexOf(id) !== at);
  if (twice !== undefined) {
    throw new VizPromptError('invalid-input', `the node ${twice} comes twice in the line`);
  }
  const indices = new Map(flow.nodes.map(({ id, index }) => [id, index]));
  let next = highestIndex(flow);
  const { head: _, ...rest } = flow;
  const head = ids.at(-1);
  return {
    ...rest,
    ...(head === undefined ? {} : { head }),
    nodes: ids.map((id) => ({ index: indices.get(id) ?? ++next, id })),
    connections: ids.slice(1).map((to, at) => ({ from: ids[at] ?? to, to })),
  };
}

function highestIndex({ nodes }: Flow): number {
  return nodes.reduce((highest, { index }) => Math.max(highest, index), 0);
}

/** Checks whether a node is in a flow. */
export function hasNode(flow: Flow, id: string): boolean {
  return flow.nodes.some((node) => node.id === id);
}

/** @throws VizPromptError with the code `node-not-found`. */
export function assertNode(flow: Flow, id: string): void {
  if (hasNode(flow, id)) return;
  throw new VizPromptError('node-not-found', `the node ${id} is not in the flow '${flow.name}'`, {
    context: { node: id, flow: flow.id },
  });
}

/** The fields of a new flow. */
export interface NewFlow {
  readonly id: string;
  readonly name: string;
  readonly alias?: string;
  readonly description?: string;
  readonly source?: string;
  readonly owner?: string;
  readonly meta?: JsonObject;
}

/** A flow without nodes. */
export function emptyFlow(given: NewFlow, now: Date): Flow {
  const { id, name, alias, description = '', source, owner, meta } = given;
  const time = formatTime(now);
  return {
    id,
    name,
    ...(alias === undefined ? {} : { alias }),
    created: time,
    updated: time,
    description,
    ...defined({ source, owner, meta }),
    nodes: [],
    connections: [],
  };
}

/** The main flow before its first node. */
export function emptyMainFlow(id: string, now: Date): Flow {
  return emptyFlow({ id, name: MAIN_FLOW, alias: MAIN_FLOW }, now);
}

/** Returns the highest of some numbers from 0 on, however many there are. */
export function highestOf(numbers: Iterable<number>): number {
  let highest = 0;
  for (const number of numbers) if (number > highest) highest = number;
  return highest;
}
