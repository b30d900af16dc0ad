import type { StoredNode } from '../node/node.ts';
import { branchNames, indicesOf, MISSING, type FlowView } from './flow-view.ts';
import { PAGE_SCRIPT, PAGE_STYLE } from './html-page.ts';
import { layoutLanes, type LaneNode } from './lanes.ts';

const ROW = 34;
const LANE = 22;
const MARGIN = 18;
const RADIUS = 6;
/** Colours that can be told apart on white and on black. */
const COLORS = ['#2f6fd0', '#c2410c', '#15803d', '#9333ea', '#be123c', '#0e7490', '#a16207'];

/**
 * A flow as one HTML file: the graph as it runs, and the node that was clicked beside it. It loads
 * nothing, works from `file://`, and shows the graph without scripts too.
 */
export function toHtml(view: FlowView, nodes: ReadonlyMap<string, StoredNode>): string {
  const { flow } = view;
  const layout = layoutLanes(view);
  const data = { name: flow.name, head: flow.head ?? null, nodes: nodeData(view, layout, nodes) };
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
<title>${escapeHtml(flow.name)}</title>
<style>${PAGE_STYLE}</style>
</head>
<body>
<header><h1>${escapeHtml(flow.name)}</h1><p>${flow.nodes.length} nodes, ${flow.connections.length} connections</p></header>
<main>
<nav aria-label="Graph">${drawGraph(view, layout)}</nav>
<article aria-live="polite"><p>Choose a node.</p></article>
</main>
<script type="application/json" id="data">${escapeJson(data)}</script>
<script>${PAGE_SCRIPT}</script>
</body>
</html>
`;
}

function nodeData(
  { flow, graph, labels }: FlowView,
  layout: readonly LaneNode[],
  nodes: ReadonlyMap<string, StoredNode>,
): readonly object[] {
  const indices = indicesOf(flow);
  return layout.map(({ id }) => {
    const node = nodes.get(id);
    return {
      id,
      index: indices.get(id),
      title: (labels.get(id) ?? MISSING).title,
      parents: graph.parents(id).map((parent) => indices.get(parent)),
      children: graph.children(id).map((child) => indices.get(child)),
      timestamp: node?.timestamp ?? '',
      model: node?.model ?? '',
      status: node?.status ?? '',
      tags: node?.tags ?? [],
      summary: node?.summary.text ?? '',
      prompt: node?.prompt ?? '',
      response: node?.response ?? '',
    };
  });
}

function drawGraph(view: FlowView, layout: readonly LaneNode[]): string {
  const { flow, labels } = view;
  const indices = indicesOf(flow);
  const places = new Map(layout.map((place) => [place.id, place]));
  const lanes = layout.reduce((most, { lane }) => Math.max(most, lane), 0) + 1;
  const textX = MARGIN + lanes * LANE;
  const height = layout.length * ROW + MARGIN;
  const branchOf = branchNames(flow.connections);
  const edges = flow.connections.map(({ from, to }) => {
    const [a, b] = [places.get(from), places.get(to)];
    return a && b ? drawEdge(a, b) : '';
  });
  const rows = layout.map(({ id, row, lane }) => {
    const [x, y] = pointOf({ row, lane });
    const index = indices.get(id);
    const branch = view.graph
      .parents(id)
      .map((parent) => branchOf(parent, id))
      .find(Boolean);
    const title = `${branch ? `[${branch}] ` : ''}${(labels.get(id) ?? MISSING).title}`;
    const label = escapeHtml(`${index} ${title}`);
    const head = flow.head === id ? ' class="head"' : '';
    return (
      `<a href="#n${index}" data-index="${index}"${head}><title>${label}</title>` +
      `<rect x="0" y="${y - ROW / 2}" width="100%" height="${ROW}"/>` +
      `<circle cx="${x}" cy="${y}" r="${RADIUS}" fill="${colorOf(lane)}"/>` +
      `<text x="${textX}" y="${y + 4}">${label}</text></a>`
    );
  });
  return `<svg role="img" width="100%" height="${height}">${edges.join('')}${rows.join('')}</svg>`;
}

function pointOf({ row, lane }: Pick<LaneNode, 'row' | 'lane'>): [x: number, y: number] {
  return [MARGIN + lane * LANE, MARGIN + row * ROW];
}

/** Straight down in the lane of the later node; the curve lies where the lane is entered or left. */
function drawEdge(from: LaneNode, to: LaneNode): string {
  const [x1, y1] = pointOf(from);
  const [x2, y2] = pointOf(to);
  const leavesEarly = to.lane >= from.lane;
  const turn = leavesEarly ? y1 + ROW : y2 - ROW;
  const curve = leavesEarly
    ? `C${x1},${turn - ROW / 3} ${x2},${y1 + ROW / 3} ${x2},${turn} L${x2},${y2}`
    : `L${x1},${turn} C${x1},${y2 - ROW / 3} ${x2},${turn + ROW / 3} ${x2},${y2}`;
  return `<path d="M${x1},${y1} ${curve}" stroke="${colorOf(Math.max(from.lane, to.lane))}"/>`;
}

function colorOf(lane: number): string {
  return COLORS[lane % COLORS.length] ?? '#555555';
}

function escapeHtml(text: string): string {
  return text
    .toWellFormed()
    .replaceAll('\0', '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

/** JSON that cannot end the element it stands in; escapes keep every character. */
function escapeJson(data: object): string {
  return JSON.stringify(data).replaceAll('<', String.raw`\u003c`);
}
