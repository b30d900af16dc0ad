import { formatPlace, invalidFile, type FilePlace } from '../errors.ts';
import { isUuid } from '../project/ids.ts';
import { completeFlow } from './complete-flow.ts';
import type { Flow, FlowConnection, FlowNode } from './flow.ts';
import { FlowGraph } from './flow-graph.ts';
import type { RawConnection, RawFlow } from './raw-flow.ts';

/** Something in a file that was understood, and should be looked at. */
export interface FlowWarning {
  readonly place: FilePlace;
  readonly message: string;
}

/** A flow that makes sense, and what should be looked at. */
export interface CheckedFlow {
  readonly flow: Flow;
  readonly warnings: readonly FlowWarning[];
}

/**
 * Makes a flow of what a file says.
 *
 * @throws VizPromptError with the code `flow-invalid` and the line and column of the problem: a
 * missing id, an index or a node that comes twice, an edge to nowhere, a circle.
 */
export function checkFlow(file: string, { fields, nodes, connections }: RawFlow): CheckedFlow {
  const warnings: FlowWarning[] = [];
  const id = fields['id'] ?? '';
  if (!isUuid(id)) {
    const problem = id === '' ? "there is no 'id'" : `the id '${id}' is no UUID`;
    throw invalidFile('flow-invalid', { file }, problem);
  }
  const checkedNodes = checkNodes(nodes);
  const byIndex = new Map(checkedNodes.map((node) => [node.index, node.id]));
  const ids = new Set(checkedNodes.map((node) => node.id));
  const placed = checkConnections(connections, byIndex, ids, warnings);
  refuseCycle(checkedNodes, placed);

  const flow = completeFlow(file, fields, {
    id,
    nodes: checkedNodes,
    connections: placed.map(({ connection }) => connection),
  });
  const { head } = fields;
  if (head !== undefined && head !== flow.head) {
    warnings.push({ place: { file }, message: `the head '${head}' is no node of this flow` });
  }
  return { flow, warnings };
}

function checkNodes(nodes: RawFlow['nodes']): FlowNode[] {
  const indices = new Map<number, FilePlace>();
  const ids = new Map<string, FilePlace>();
  return nodes.map(({ index, id, place }) => {
    if (index === undefined) throw invalidFile('flow-invalid', place, 'a node without an index');
    if (id === undefined || !isUuid(id)) {
      throw invalidFile('flow-invalid', place, `the node id '${id ?? ''}' is no UUID`);
    }
    const sameIndex = indices.get(index);
    if (sameIndex) throw twice(place, `index ${index}`, sameIndex);
    const sameId = ids.get(id);
    if (sameId) throw twice(place, `node ${id}`, sameId);
    indices.set(index, place);
    ids.set(id, place);
    return { index, id };
  });
}

function twice(place: FilePlace, what: string, first: FilePlace): Error {
  return invalidFile('flow-invalid', place, `${what} stands already at ${formatPlace(first)}`);
}

interface PlacedConnection {
  readonly connection: FlowConnection;
  readonly place: FilePlace;
}

function checkConnections(
  connections: readonly RawConnection[],
  byIndex: ReadonlyMap<number, string>,
  ids: ReadonlySet<string>,
  warnings: FlowWarning[],
): PlacedConnection[] {
  const known = new Map<string, string[]>();
  const resolve = (place: FilePlace, key: string, index?: number, id?: string): string => {
    const named = index === undefined ? undefined : byIndex.get(index);
    if (id === undefined) {
      if (named !== undefined) return named;
      const problem = index === undefined ? `no '${key}'` : `'${key}: ${index}', and no such node`;
      throw invalidFile('flow-invalid', place, `a connection has ${problem}`);
    }
    if (!ids.has(id)) {
      throw invalidFile('flow-invalid', place, `'${key}_id: ${id}' is no node of this flow`);
    }
    if (index !== undefined && named !== id) {
      const message = `'${key}: ${index}' is not the node of '${key}_id: ${id}', which rules`;
      warnings.push({ place, message });
    }
    return id;
  };
  const placed: PlacedConnection[] = [];
  for (const { from, to, fromId, toId, branch, place } of connections) {
    const start = resolve(place, 'from', from, fromId);
    const end = resolve(place, 'to', to, toId);
    const ends = known.get(start) ?? [];
    if (ends.length === 0) known.set(start, ends);
    if (ends.includes(end)) {
      warnings.push({ place, message: 'this connection stands already above' });
      continue;
    }
    ends.push(end);
    const connection = { from: start, to: end, ...(branch === undefined ? {} : { branch }) };
    placed.push({ connection, place });
  }
  return placed;
}

function refuseCycle(nodes: readonly FlowNode[], placed: readonly PlacedConnection[]): void {
  const connections = placed.map(({ connection }) => connection);
  const cycle = new FlowGraph({ nodes, connections }).findCycle();
  if (!cycle) return;
  const indices = new Map(nodes.map(({ id, index }) => [id, index]));
  const way = cycle.map((id) => indices.get(id)).join(' → ');
  const edges = new Set(cycle.map((id, at) => `${id} ${cycle[at + 1] ?? ''}`));
  const last = placed.findLast(({ connection: { from, to } }) => edges.has(`${from} ${to}`));
  if (last)
    throw invalidFile('flow-invalid', last.place, `this connection closes a circle: ${way}`);
}
