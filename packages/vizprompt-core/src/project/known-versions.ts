import { crc32 } from 'node:zlib';
import type { Flow, StoredFlow } from '../flow/flow.ts';
import type { StoredNode } from '../node/node.ts';

/** Nodes and connections of the flows that are remembered, together. */
const MAX_FLOW_PARTS = 200_000;
const MAX_FLOWS = 64;
const MAX_NODES = 2000;

/** What a node looked like: the checksum of each of its fields. */
type NodeDigest = ReadonlyMap<string, number>;

/**
 * Flows and nodes as this process last saw them, by the version of their file: so that whoever comes
 * with an old version can be told what has changed since.
 */
export class KnownVersions {
  readonly #flows = new Map<string, Flow>();
  readonly #nodes = new Map<string, NodeDigest>();
  #flowParts = 0;

  rememberFlow(version: string, flow: Flow): void {
    if (this.#flows.has(version)) return;
    this.#flows.set(version, flow);
    this.#flowParts += sizeOf(flow);
    for (const [oldest, old] of this.#flows) {
      if (this.#flows.size <= MAX_FLOWS && this.#flowParts <= MAX_FLOW_PARTS) break;
      this.#flows.delete(oldest);
      this.#flowParts -= sizeOf(old);
    }
  }

  flow(version: string): Flow | undefined {
    return this.#flows.get(version);
  }

  rememberNode(node: StoredNode): void {
    if (this.#nodes.has(node.version)) return;
    this.#nodes.set(node.version, digestOf(node));
    const [oldest] = this.#nodes.keys();
    if (this.#nodes.size > MAX_NODES && oldest !== undefined) this.#nodes.delete(oldest);
  }

  /** The names of the fields in which a node differs from what it was; `undefined`: not known. */
  changedFields(before: string | StoredNode, now: StoredNode): readonly string[] | undefined {
    const known = typeof before === 'string' ? this.#nodes.get(before) : digestOf(before);
    if (!known) return undefined;
    const current = digestOf(now);
    const names = new Set([...known.keys(), ...current.keys()]);
    return [...names].filter((name) => known.get(name) !== current.get(name));
  }
}

function sizeOf({ nodes, connections }: Pick<StoredFlow, 'nodes' | 'connections'>): number {
  return nodes.length + connections.length;
}

function digestOf({ file: _file, version: _version, ...fields }: StoredNode): NodeDigest {
  const defined = Object.entries(fields).filter(([, value]) => value !== undefined);
  return new Map(defined.map(([name, value]) => [name, crc32(JSON.stringify(value))]));
}
