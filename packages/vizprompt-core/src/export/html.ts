import { escapeHtml, visibleHtml, visibleText } from '@vizprompt/providers';
import type { StoredNode } from '../node/node.ts';
import { branchNames, type FlowView, indicesOf, labelOf } from './flow-view.ts';
import { PAGE_SCRIPT } from './html-script.ts';
import { PAGE_STYLE } from './html-style.ts';
import { type LaneNode, layoutLanes } from './lanes.ts';

/** Pixels. The row is that of the style. */
const ROW = 36;
const MARGIN = 18;
const LANE = 22;
/** However many lanes there are, they leave room for the titles on a phone. */
const ALL_LANES = 160;
/** Colours that can be told apart on white and on black. */
const COLORS = ['#2f6fd0', '#c2410c', '#15803d', '#9333ea', '#be123c', '#0e7490', '#a16207'];

/**
 * A flow as one HTML file: the graph as it runs, and the node that was chosen beside it, or below it
 * on a phone. It loads nothing and works from `file://`. Branches fold, words are searched in all
 * texts, and the way to the chosen node is marked; keys: arrows, Enter, `/`, Escape. Without scripts
 * it is the list of the titles.
 */
export function toHtml(view: FlowView, nodes: ReadonlyMap<string, StoredNode>): string {
  const { flow } = view;
  const layout = layoutLanes(view);
  const lanes = layout.reduce((most, { lane }) => Math.max(most, lane), 0);
  const lane = Math.min(LANE, ALL_LANES / Math.max(1, lanes));
  const text = Math.ceil(MARGIN + lanes * lane + MARGIN / 2);
  const data = {
    nodes: nodeData(view, layout, nodes),
    head: layout.findIndex(({ id }) => id === flow.head),
    row: ROW,
    lane: Math.round(lane * 100) / 100,
    margin: MARGIN,
    colors: COLORS,
  };
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
<title>${escapeHtml(visibleText(flow.name))}</title>
<style>${PAGE_STYLE}</style>
</head>
<body>
<header><h1 dir="auto">${visibleHtml(flow.name)}</h1>
<input type="search" aria-label="Search in all texts" placeholder="Search ( / )" autocomplete="off">
<button type="button" id="fold">Fold branches</button>
<p role="status">${flow.nodes.length} nodes</p></header>
<main>
<nav aria-label="Graph"><svg width="${text}" aria-hidden="true"></svg><ol style="--text:${text}px">
${rowsOf(view, layout).join('\n')}
</ol></nav>
<article tabindex="0" aria-label="The chosen node"><noscript><p>Prompts and responses are shown by a script.</p></noscript></article>
</main>
<script type="application/json" id="data">${escapeJson(data)}</script>
<script>${PAGE_SCRIPT}</script>
</body>
</html>
`;
}

/** A row for each node; where branches part or begin there is a button that folds them. */
function rowsOf(view: FlowView, layout: readonly LaneNode[]): readonly string[] {
  const { flow, graph } = view;
  const indices = indicesOf(flow);
  const branchOf = branchNames(flow.connections);
  const parts = (id: string): boolean => graph.children(id).length > 1;
  return layout.map(({ id }) => {
    const index = indices.get(id);
    const parents = graph.parents(id);
    const branch = parents.map((parent) => branchOf(parent, id)).find(Boolean);
    const title = visibleHtml(`${branch ? `[${branch}] ` : ''}${labelOf(view, id).title}`);
    const folds = parts(id) || (graph.children(id).length > 0 && parents.some(parts));
    const button = folds
      ? `<button type="button" tabindex="-1" aria-expanded="true" aria-label="What goes on from ${index}">▾</button>`
      : '';
    return `<li><a href="#n${index}" dir="auto">${index} ${title}</a>${button}</li>`;
  });
}

/** What the script knows of each node; others are named by their places in the layout. */
function nodeData(
  view: FlowView,
  layout: readonly LaneNode[],
  nodes: ReadonlyMap<string, StoredNode>,
): readonly object[] {
  const { flow, graph } = view;
  const indices = indicesOf(flow);
  const branchOf = branchNames(flow.connections);
  const places = new Map(layout.map(({ id, row }) => [id, row]));
  return layout.map(({ id, lane }) => {
    const node = nodes.get(id);
    const parents = graph.parents(id);
    return {
      index: indices.get(id),
      lane,
      parents: parents.map((parent) => places.get(parent)),
      branches: parents.map((parent) => branchOf(parent, id) ?? ''),
      title: labelOf(view, id).title,
      timestamp: node?.timestamp ?? '',
      speaker: node?.speaker ?? '',
      model: node?.model ?? '',
      status: node?.status ?? '',
      tags: node?.tags ?? [],
      summary: node?.summary.text ?? '',
      prompt: node?.prompt ?? '',
      response: node?.response ?? '',
    };
  });
}

/** JSON that cannot end the element it stands in, nor a line of it; escapes keep every character. */
function escapeJson(data: object): string {
  return JSON.stringify(data).replaceAll(
    /[<\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
