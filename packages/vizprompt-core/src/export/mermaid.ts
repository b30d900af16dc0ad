import { branchNames, cut, indicesOf, MISSING, type FlowView } from './flow-view.ts';

/**
 * Mermaid refuses diagrams with more edges (`maxEdges`) and, when it draws them, with more
 * characters (`maxTextSize`) than this. Its hosts do not let a diagram change either.
 */
const MAX_EDGES = 500;
const MAX_TEXT = 50_000;
const LABEL_LENGTHS = [60, 30, 12];

interface Box {
  readonly name: string;
  readonly label: string;
}

interface Arrow {
  readonly from: string;
  readonly to: string;
  readonly label?: string;
}

/**
 * A flow as a Mermaid flowchart. Straight runs of a very large flow are shown as one box, so that
 * the diagram stays within what Mermaid draws.
 *
 * Source: https://mermaid.js.org/syntax/flowchart.html
 */
export function toMermaid(view: FlowView): string {
  const isLarge = view.flow.connections.length > MAX_EDGES;
  const groups = isLarge ? runsOf(view) : new Map<string, string[]>();
  for (const length of LABEL_LENGTHS) {
    const text = write(view, groups, length);
    if (text.length <= MAX_TEXT || length === LABEL_LENGTHS.at(-1)) return text;
  }
  return '';
}

function write(view: FlowView, groups: ReadonlyMap<string, string[]>, length: number): string {
  const { flow, labels } = view;
  const indices = indicesOf(flow);
  const inRun = new Map<string, string>();
  for (const [first, run] of groups) for (const id of run) inRun.set(id, first);
  const name = (id: string): string => `n${indices.get(inRun.get(id) ?? id)}`;

  const boxes: Box[] = flow.nodes.flatMap(({ id }) => {
    if (inRun.has(id) && !groups.has(id)) return [];
    const run = groups.get(id);
    const label = `${indices.get(id)} ${cut((labels.get(id) ?? MISSING).title, length)}`;
    return [{ name: name(id), label: run ? `${label} … (${run.length})` : label }];
  });
  const branchOf = branchNames(flow.connections);
  const arrows: Arrow[] = flow.connections.flatMap(({ from, to }) => {
    if (name(from) === name(to)) return [];
    const branch = branchOf(from, to);
    const label = branch === undefined ? {} : { label: cut(branch, length) };
    return [{ from: name(from), to: name(to), ...label }];
  });
  const lines = [
    'flowchart TD',
    ...boxes.map((box) => `  ${box.name}["${escapeLabel(box.label)}"]`),
    ...arrows.map(({ from, to, label }) =>
      label === undefined ? `  ${from} --> ${to}` : `  ${from} -->|"${escapeLabel(label)}"| ${to}`,
    ),
  ];
  return `${lines.join('\n')}\n`;
}

/** The straight runs of at least three nodes, by their first node. */
function runsOf({ flow, graph }: FlowView): Map<string, string[]> {
  const isInside = (id: string): boolean =>
    graph.parents(id).length === 1 && graph.children(id).length === 1;
  const runs = new Map<string, string[]>();
  for (const { id } of flow.nodes) {
    const [parent = ''] = graph.parents(id);
    if (!isInside(id) || isInside(parent)) continue;
    const run = [id];
    for (let next = graph.children(id)[0]; next !== undefined && isInside(next);) {
      run.push(next);
      [next] = graph.children(next);
    }
    if (run.length >= 3) runs.set(id, run);
  }
  return runs;
}

/** Everything that means something within a label, by its code: `#35;` is shown as `#`. */
function escapeLabel(text: string): string {
  const safe = text
    .toWellFormed()
    // oxlint-disable-next-line no-control-regex
    .replaceAll(/[\u0000-\u001f\u007f]/g, ' ')
    .replaceAll(/[#&<>"`%$;\\]/g, (character) => `#${character.charCodeAt(0)};`)
    // `fa:fa-cat` would be an icon.
    .replaceAll(/(?<=\bfa[a-z]?):(?=fa-)/g, '#58;');
  return safe.trim() === '' ? ' ' : safe;
}
