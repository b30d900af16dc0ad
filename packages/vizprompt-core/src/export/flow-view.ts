import type { Flow, FlowConnection } from '../flow/flow.ts';
import { FlowGraph } from '../flow/flow-graph.ts';

/** What is shown of a node where there is little room. */
export interface NodeLabel {
  /** The first words of the prompt; of a turn that somebody spoke, who, and the first words of what was said. */
  readonly title: string;
  /** Empty if it was never built. */
  readonly summary: string;
  readonly tags: readonly string[];
  readonly keywords?: readonly string[];
}

/** A flow and what is shown of its nodes. */
export interface FlowView {
  readonly flow: Flow;
  readonly graph: FlowGraph;
  /** By node id. A node whose file is missing has none. */
  readonly labels: ReadonlyMap<string, NodeLabel>;
}

/** What stands for a node that the project does not hold. */
const MISSING: NodeLabel = { title: '(missing)', summary: '', tags: [] };

/** What is shown of a node of the flow. */
export function labelOf({ labels }: Pick<FlowView, 'labels'>, id: string): NodeLabel {
  return labels.get(id) ?? MISSING;
}

/** A flow with its graph. */
export function flowView(flow: Flow, labels: ReadonlyMap<string, NodeLabel>): FlowView {
  return { flow, graph: new FlowGraph(flow), labels };
}

/** The numbers by which nodes are shown. */
export function indicesOf({ nodes }: Flow): ReadonlyMap<string, number> {
  return new Map(nodes.map(({ id, index }) => [id, index]));
}

/** The names of branches, by the ends of their first connections. */
export function branchNames(
  connections: readonly FlowConnection[],
): (from: string, to: string) => string | undefined {
  const names = new Map(connections.map(({ from, to, branch }) => [`${from} ${to}`, branch]));
  return (from, to) => names.get(`${from} ${to}`);
}

/** A text of at most so many characters. */
export function cut(text: string, length: number): string {
  const characters = Array.from(text.slice(0, 2 * length + 2));
  return characters.length <= length ? text : `${characters.slice(0, length - 1).join('')}…`;
}
