import type { JsonObject } from '@vizprompt/providers';
import { omitUndefined as defined } from '@vizprompt/providers/internal';
import { VizPromptError } from '../errors.ts';
import { formatTime } from '../format/ids-and-times.ts';
import { FlowGraph } from './flow-graph.ts';
import { type Flow, type FlowConnection, MAIN_FLOW } from './flow.ts';

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
