import { FlowGraph } from '../flow/flow-graph.ts';
import type { Flow, FlowConnection } from '../flow/flow.ts';

/** The short form of a node, for places with little room. */
export interface NodeLabel {
  /** The first words of the prompt; of a turn with a speaker, the name, and the first words of the answer. */
  readonly title: string;
  /** Empty if it was never built. */
  readonly summary: string;
  readonly tags: readonly string[];
  readonly keywords?: readonly string[];
  /** The beginning of the response, where it is shown. */
  readonly answer?: string;
}

/** A flow and what is shown of its nodes. */
export interface FlowView {
  readonly flow: Flow;
  readonly graph: FlowGraph;
  /** By node id. A node whose file is missing has none. */
  readonly labels: ReadonlyMap<string, NodeLabel>;
}

/** The label of a node that is missing in the project. */
const MISSING: NodeLabel = { title: '(missing)', summary: '', tags: [] };

/** Returns the label of a node of the flow. */
export function labelOf({ labels }: Pick<FlowView, 'labels'>, id: string): NodeLabel {
  return labels.get(id) ?? MISSING;
}

/** Returns a flow with its graph. */
export function flowView(flow: Flow, labels: ReadonlyMap<string, NodeLabel>): FlowView {
  return { flow, graph: new FlowGraph(flow), labels };
}

/** Returns the numbers by which nodes are shown. */
export function indicesOf({ nodes }: Flow): ReadonlyMap<string, number> {
  return new Map(nodes.map(({ id, index }) => [id, index]));
}

/** Returns the names of branches, by the ends of their first connections. */
export function branchNames(
  connections: readonly FlowConnection[],
): (from: string, to: string) => string | undefined {
  const names = new Map(connections.map(({ from, to, branch }) => [`${from} ${to}`, branch]));
  return (from, to) => names.get(`${from} ${to}`);
}

/** Returns a text of at most this many characters. */
export function cut(text: string, length: number): string {
  const characters = Array.from(text.slice(0, 2 * length + 2));
  return characters.length <= length ? text : `${characters.slice(0, length - 1).join('')}…`;
}

/** Characters that take two columns in a terminal (Unicode Standard Annex 11: wide, full width). */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;
const ZERO = /\p{M}|[\u200b-\u200f\u202a-\u202e\u2060-\u2069]/u;

function columnOf(character: string): number {
  if (ZERO.test(character)) return 0;
  return WIDE.test(character) ? 2 : 1;
}

/** Returns the number of columns of equal width that a string takes. */
export function columnsOf(text: string): number {
  return Array.from(text).reduce((sum, character) => sum + columnOf(character), 0);
}

/** As much of a text as the columns hold, without anything that would steer what shows it. */
export function fitColumns(text: string, columns: number): string {
  // oxlint-disable-next-line no-control-regex
  const safe = text.replaceAll(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, ' ');
  if (columnsOf(safe) <= columns) return safe;
  let used = 0;
  let result = '';
  for (const character of safe) {
    used += columnOf(character);
    if (used > columns - 1) break;
    result += character;
  }
  return `${result}…`;
}
