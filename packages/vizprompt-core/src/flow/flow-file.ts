import type { JsonObject } from '@vizprompt/providers';
import { omitUndefined as defined, isJsonObject } from '@vizprompt/providers/internal';
import { type FilePlace, formatPlace, invalidFile } from '../errors.ts';
import { isUuid } from '../format/ids-and-times.ts';
import { yamlJson, yamlScalar } from '../format/yaml.ts';
import { FlowGraph } from './flow-graph.ts';
import type { Flow, FlowConnection, FlowNode } from './flow.ts';
import {
  FLOW_FIELDS,
  type RawConnection,
  type RawFlow,
  type RawFlowFile,
} from './scan-flow-yaml.ts';

/** A flow together with what must survive when its file is written again. */
export interface FlowFile extends Omit<RawFlowFile, 'raw'> {
  readonly flow: Flow;
  readonly warnings: readonly FlowWarning[];
}

/**
 * Returns the flow of what a file says.
 *
 * @throws VizPromptError with the code `flow-invalid`.
 */
export function checkedFlowFile(file: string, { raw, ...rest }: RawFlowFile): FlowFile {
  return { ...checkFlow(file, raw), ...rest };
}

/** Something in a file that was understood, and should be looked at. */
interface FlowWarning {
  readonly place: FilePlace;
  readonly message: string;
}

/** A flow that makes sense, and what should be looked at. */
interface CheckedFlow {
  readonly flow: Flow;
  readonly warnings: readonly FlowWarning[];
}

/**
 * Makes a flow of what a file says.
 *
 * @throws VizPromptError with the code `flow-invalid` and the line and column of the problem: a
 * missing id, an index or a node that comes twice, an edge to nowhere, a circle.
 */
function checkFlow(file: string, { fields, nodes, connections }: RawFlow): CheckedFlow {
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
  if (head !== undefined && head !== NO_HEAD && head !== flow.head) {
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
  return invalidFile('flow-invalid', place, `${what} is already at ${formatPlace(first)}`);
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
      warnings.push({ place, message: 'this connection is already above' });
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

/**
 * Returns a flow of the texts at the top of its file, with what replaces those that are absent. A head that is not a node
 * of it gives way to the last node.
 */
export function completeFlow(
  file: string,
  { name, created, updated, description, alias, head, source, owner, meta }: RawFlow['fields'],
  { id, nodes, connections }: Pick<Flow, 'id' | 'nodes' | 'connections'>,
): Flow {
  const isHead = nodes.some((node) => node.id === head);
  const realHead = head === NO_HEAD ? undefined : isHead ? head : nodes.at(-1)?.id;
  return orderedFlow({
    id,
    name: name ?? file.replace(/^.*\/|\.ya?ml$/g, ''),
    alias,
    created: created ?? '',
    updated: updated ?? created ?? '',
    description: description ?? '',
    head: realHead,
    source,
    owner,
    meta: meta === undefined ? undefined : parseMeta(meta),
    nodes,
    connections,
  });
}

/** Says in a file that the next node begins a conversation of its own; without it that is the last node. */
export const NO_HEAD = '';

function parseMeta(json: string): JsonObject | undefined {
  const value: unknown = JSON.parse(json);
  return isJsonObject(value) ? value : undefined;
}

type Optional = 'alias' | 'head' | 'source' | 'owner' | 'meta';

/** Returns a flow with its fields in the order in which a file is read, so that its JSON is the same however it came. */
export function orderedFlow(
  flow: Omit<Flow, Optional> & { readonly [Name in Optional]?: Flow[Name] | undefined },
): Flow {
  const { id, name, alias, created, updated, description, head, source } = flow;
  const { owner, meta, nodes, connections } = flow;
  return {
    id,
    name,
    ...defined({ alias }),
    created,
    updated,
    description,
    ...defined({ head, source, owner, meta }),
    nodes,
    connections,
  };
}

/** How a flow file is written. */
export interface WriteFlowOptions {
  /** True if connections also name their nodes by id; see `docs/formats/flow-yaml.md`. */
  readonly withIds: boolean;
}

/** Returns the text of a flow file; the format is `docs/formats/flow-yaml.md`. */
export function writeFlowYaml(flow: Flow, { withIds }: WriteFlowOptions): string {
  return flowYamlBytes(flow, { withIds }).toString();
}

/**
 * Returns the same in UTF-8.
 *
 * @param before - The flow that it was made of, if it was written before: only what is new is put into words.
 */
export function flowYamlBytes(flow: Flow, { withIds }: WriteFlowOptions, before?: Flow): Buffer {
  const fields = fieldsOf(flow);
  const lines: string[] = [];
  for (const name of FLOW_FIELDS) {
    const value = fields[name];
    if (value === undefined) continue;
    lines.push(`${name}: ${name === 'meta' ? value : yamlScalar(value)}\n`);
  }
  lines.push(flow.nodes.length > 0 ? 'nodes:\n' : 'nodes: []\n');
  return Buffer.concat([
    Buffer.from(lines.join('')),
    nodeLines(flow, before),
    Buffer.from(flow.connections.length > 0 ? 'connections:\n' : 'connections: []\n'),
    connectionLines(flow, withIds, before),
  ]);
}

/**
 * Returns the texts at the top of the file. The head is left out where it is the last node of the list, as
 * it is in every conversation that goes straight on.
 */
export function fieldsOf(flow: Flow): Readonly<Record<string, string | undefined>> {
  const { id, name, created, updated, description, alias, head, source, owner, meta } = flow;
  const isImplied = head === flow.nodes.at(-1)?.id;
  return {
    id,
    name,
    created,
    updated,
    description,
    alias,
    head: isImplied ? undefined : (head ?? NO_HEAD),
    source,
    owner,
    meta: meta === undefined ? undefined : yamlJson(meta),
  };
}

type Nodes = readonly FlowNode[];
type Connections = readonly FlowConnection[];

/** The lists of flows that were written, as lines: the next version of a flow mostly begins with them. */
const writtenNodes = new WeakMap<Nodes, Lines>();
const writtenConnections = new WeakMap<Connections, WrittenConnections>();

interface WrittenConnections {
  readonly lines: Lines;
  /** Their indices are in the lines. */
  readonly nodes: Nodes;
  readonly withIds: boolean;
}

/**
 * Returns the lines of the nodes of a flow, in UTF-8.
 *
 * @param before - The flow as it was written last, if that is known: what both begin with is not written again.
 */
function nodeLines({ nodes }: Flow, before?: Flow): Uint8Array {
  const known = writtenNodes.get(nodes);
  if (known) return known.bytes;
  const start =
    before && beginsWith(nodes, before.nodes) ? writtenNodes.get(before.nodes) : undefined;
  const rest = start && before ? nodes.slice(before.nodes.length) : nodes;
  const text = rest.map(({ index, id }) => `  - index: ${index}\n    id: ${id}\n`).join('');
  const lines = (start ?? NO_LINES).with(text);
  writtenNodes.set(nodes, lines);
  return lines.bytes;
}

/** Returns the lines of the connections of a flow; see {@link nodeLines}. */
function connectionLines(flow: Flow, withIds: boolean, before?: Flow): Uint8Array {
  const { nodes, connections } = flow;
  const written = (list: Connections): Lines | undefined => {
    const known = writtenConnections.get(list);
    const isSame = known?.withIds === withIds && beginsWith(nodes, known.nodes);
    return isSame ? known.lines : undefined;
  };
  const known = written(connections);
  if (known) return known.bytes;
  const isLonger = before && beginsWith(connections, before.connections);
  const start = isLonger ? written(before.connections) : undefined;
  const rest = start && before ? connections.slice(before.connections.length) : connections;
  const indexOf = indicesOf(nodes, rest.length);
  const texts = rest.map(({ from, to, branch }) => {
    const ends = `  - from: ${indexOf(from)}\n    to: ${indexOf(to)}\n`;
    const name = branch === undefined ? '' : `    branch: ${yamlScalar(branch)}\n`;
    return `${ends}${name}${withIds ? `    from_id: ${from}\n    to_id: ${to}\n` : ''}`;
  });
  const lines = (start ?? NO_LINES).with(texts.join(''));
  writtenConnections.set(connections, { lines, nodes, withIds });
  return lines.bytes;
}

/** Checks whether a list begins with the very items of another. */
function beginsWith<T>(list: readonly T[], start: readonly T[]): boolean {
  if (list === start) return true;
  return start.length <= list.length && start.every((item, at) => item === list[at]);
}

/** Up to this many connections, nodes are looked for one by one. */
const FEW = 8;

function indicesOf(nodes: Nodes, connections: number): (id: string) => number | undefined {
  if (connections <= FEW) return (id) => nodes.findLast((node) => node.id === id)?.index;
  const indices = new Map(nodes.map(({ id, index }) => [id, index]));
  return (id) => indices.get(id);
}

/** Memory that rows of lines share: each uses its beginning, and the longest may be continued. */
interface SharedBytes {
  readonly memory: Buffer;
  used: number;
}

/** Lines in UTF-8, which never change. Those that continue them share their memory. */
class Lines {
  readonly #shared: SharedBytes;
  readonly #length: number;

  constructor(shared: SharedBytes, length: number) {
    this.#shared = shared;
    this.#length = length;
  }

  get bytes(): Uint8Array {
    return this.#shared.memory.subarray(0, this.#length);
  }

  /** Returns these lines, and more after them. */
  with(text: string): Lines {
    const added = Buffer.byteLength(text);
    const length = this.#length + added;
    const { memory, used } = this.#shared;
    const isLongest = used === this.#length && length <= memory.length;
    const shared = isLongest ? this.#shared : this.#copy(length);
    shared.memory.write(text, this.#length);
    shared.used = length;
    return new Lines(shared, length);
  }

  /** With room for as much again as a quarter of them. */
  #copy(length: number): SharedBytes {
    const memory = Buffer.allocUnsafeSlow(length + (length >> 2));
    memory.set(this.bytes);
    return { memory, used: this.#length };
  }
}

const NO_LINES = new Lines({ memory: Buffer.alloc(0), used: 0 }, 0);
