import { branchNames, indicesOf, MISSING, type FlowView } from './flow-view.ts';

/** Options of `toText`. */
export interface TextMapOptions {
  /** Columns of a line at most. Default: 80. */
  readonly width?: number;
}

/** A node that waits to be drawn. */
interface Waiting {
  readonly id: string;
  /** What is drawn before the node. */
  readonly prefix: string;
  /** What is drawn before the nodes below it. */
  readonly below: string;
}

/**
 * A flow as a map of its branches, for terminals. A node that goes straight on stands below its
 * parent; where several go on, each begins a branch. A merge stands in the branch of its first
 * parent and names the others; `*` marks the head.
 */
export function toTextMap(view: FlowView, { width = 80 }: TextMapOptions = {}): string {
  const { flow, graph, labels } = view;
  const indices = indicesOf(flow);
  const branchOf = branchNames(flow.connections);
  const digits = String(Math.max(0, ...flow.nodes.slice(-1).map(({ index }) => index))).length;
  const mainChildren = (id: string): readonly string[] =>
    graph.children(id).filter((child) => graph.parents(child)[0] === id);

  const lines: string[] = [];
  const open: Waiting[] = graph
    .roots()
    .map((id) => ({ id, prefix: '', below: '' }))
    .toReversed();
  for (let next = open.pop(); next; next = open.pop()) {
    const { id, prefix, below } = next;
    const [main, ...others] = graph.parents(id);
    const branch = main === undefined ? undefined : branchOf(main, id);
    const mark = flow.head === id ? '*' : '●';
    const joined =
      others.length > 0 ? ` ⇠ ${others.map((other) => indices.get(other)).join(', ')}` : '';
    const named = branch === undefined ? '' : `[${branch}] `;
    const start = `${prefix}${mark} ${String(indices.get(id)).padStart(digits)} ${named}`;
    const room = width - columnsOf(start) - columnsOf(joined);
    lines.push(start + fit((labels.get(id) ?? MISSING).title, room) + joined);
    open.push(...branches(mainChildren(id), below).toReversed());
  }
  return `${lines.join('\n')}\n`;
}

function branches(children: readonly string[], below: string): Waiting[] {
  const [only] = children;
  if (children.length === 1 && only !== undefined) return [{ id: only, prefix: below, below }];
  return children.map((id, at) => {
    const isLast = at === children.length - 1;
    return {
      id,
      prefix: `${below}${isLast ? '└─' : '├─'}`,
      below: `${below}${isLast ? '  ' : '│ '}`,
    };
  });
}

/** Characters that take two columns in a terminal (Unicode Standard Annex 11: wide, full width). */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;
const ZERO = /\p{M}|[\u200b-\u200f\u202a-\u202e\u2060-\u2069]/u;

function columnOf(character: string): number {
  if (ZERO.test(character)) return 0;
  return WIDE.test(character) ? 2 : 1;
}

function columnsOf(text: string): number {
  return Array.from(text).reduce((sum, character) => sum + columnOf(character), 0);
}

/** As much of a text as the columns hold, without anything that would steer the terminal. */
function fit(text: string, columns: number): string {
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
