import { escapeMermaid } from '@vizprompt/providers/internal';
import { cut, type FlowView, indicesOf, labelOf } from './flow-view.ts';

/**
 * Mermaid refuses diagrams with more edges (`maxEdges`) and, when it draws them, with more
 * characters (`maxTextSize`) than this. Its hosts do not let a diagram change either.
 */
const MAX_EDGES = 500;
const MAX_TEXT = 50_000;
const LABEL_LENGTHS = [60, 30, 12];
/** Room for what says that something is left out, and for the first line. */
const NOTE_LENGTH = 400;

interface Box {
  readonly name: string;
  readonly label: string;
  /** The number of nodes that it represents. */
  readonly nodes: number;
}

interface Arrow {
  readonly from: string;
  readonly to: string;
  readonly label?: string;
}

interface Drawing {
  readonly boxes: readonly Box[];
  readonly arrows: readonly Arrow[];
  /** Nodes that are left out. */
  readonly missing: number;
}

/**
 * Returns a flow as a Mermaid flowchart. Straight runs of a very large flow are shown as one box, so that
 * the diagram stays within what Mermaid draws. Where that is not enough, the way to the head is
 * drawn, then as much as there is room for in the order of the flow, and a box says what is left out.
 *
 * Source: https://mermaid.js.org/syntax/flowchart.html
 */
export function toMermaid(view: FlowView): string {
  const isLarge = view.flow.connections.length > MAX_EDGES;
  const groups = isLarge ? runsOf(view) : new Map<string, string[]>();
  let drawing: Drawing | undefined;
  for (const length of LABEL_LENGTHS) {
    drawing = cutDown(draw(view, groups, length), MAX_EDGES, Infinity);
    const text = print(drawing, view.flow.nodes.length);
    if (text.length <= MAX_TEXT) return text;
  }
  if (!drawing) return '';
  return print(cutDown(drawing, MAX_EDGES, MAX_TEXT - NOTE_LENGTH), view.flow.nodes.length);
}

/** All boxes and arrows, those on the way to the head first. */
function draw(view: FlowView, groups: ReadonlyMap<string, string[]>, length: number): Drawing {
  const { flow, graph } = view;
  const indices = indicesOf(flow);
  const inRun = new Map<string, string>();
  for (const [first, run] of groups) for (const id of run) inRun.set(id, first);
  const name = (id: string): string => `n${indices.get(inRun.get(id) ?? id)}`;

  const isOnWay = new Set(graph.lineTo(flow.head ?? ''));
  const ids = flow.nodes.map(({ id }) => id);
  const order = [...ids.filter((id) => isOnWay.has(id)), ...ids.filter((id) => !isOnWay.has(id))];
  const boxes: Box[] = order.flatMap((id) => {
    if (inRun.has(id) && !groups.has(id)) return [];
    const run = groups.get(id);
    const label = `${indices.get(id)} ${cut(labelOf(view, id).title, length)}`;
    const nodes = run?.length ?? 1;
    return [{ name: name(id), label: run ? `${label} … (${nodes})` : label, nodes }];
  });
  const arrows: Arrow[] = flow.connections.flatMap(({ from, to, branch }) => {
    if (name(from) === name(to)) return [];
    const label = branch === undefined ? {} : { label: cut(branch, length) };
    return [{ from: name(from), to: name(to), ...label }];
  });
  return { boxes, arrows, missing: 0 };
}

/** Returns the first boxes of a drawing, as many as the limits allow, and the arrows between them. */
function cutDown(drawing: Drawing, maxEdges: number, maxText: number): Drawing {
  const { boxes, arrows } = drawing;
  const touching = new Map<string, Arrow[]>(boxes.map(({ name }) => [name, []]));
  for (const arrow of arrows) {
    touching.get(arrow.from)?.push(arrow);
    touching.get(arrow.to)?.push(arrow);
  }
  const kept = new Set<string>();
  let edges = 0;
  let text = 0;
  for (const box of boxes) {
    kept.add(box.name);
    const added = (touching.get(box.name) ?? []).filter(
      ({ from, to }) => kept.has(from) && kept.has(to),
    );
    edges += added.length;
    text += [printBox(box), ...added.map(printArrow)].reduce(
      (sum, line) => sum + line.length + 1,
      0,
    );
    if (edges <= maxEdges && text <= maxText) continue;
    kept.delete(box.name);
    break;
  }
  const left = boxes.slice(kept.size);
  return {
    boxes: boxes.slice(0, kept.size),
    arrows: arrows.filter(({ from, to }) => kept.has(from) && kept.has(to)),
    missing: left.reduce((sum, { nodes }) => sum + nodes, drawing.missing),
  };
}

function print({ boxes, arrows, missing }: Drawing, total: number): string {
  const note = `${missing} of ${total} nodes are left out: Mermaid draws ${MAX_EDGES} connections and ${MAX_TEXT} characters at most`;
  const lines = [
    'flowchart TD',
    ...(missing > 0 ? [`  %% ${note}`, `  leftOut["${note}"]`] : []),
    ...boxes.map(printBox),
    ...arrows.map(printArrow),
  ];
  return `${lines.join('\n')}\n`;
}

function printBox({ name, label }: Box): string {
  return `  ${name}["${escapeMermaid(label)}"]`;
}

function printArrow({ from, to, label }: Arrow): string {
  return label === undefined
    ? `  ${from} --> ${to}`
    : `  ${from} -->|"${escapeMermaid(label)}"| ${to}`;
}

/** Returns the straight runs of at least three nodes, by their first node. */
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
