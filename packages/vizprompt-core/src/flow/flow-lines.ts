import { yamlScalar } from '../format/yaml.ts';
import type { Flow, FlowConnection, FlowNode } from './flow.ts';

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
export function nodeLines({ nodes }: Flow, before?: Flow): Uint8Array {
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
export function connectionLines(flow: Flow, withIds: boolean, before?: Flow): Uint8Array {
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
