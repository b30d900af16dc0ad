import type { StoredNode } from '../node/node.ts';
import { layoutGrid } from './canvas-layout.ts';
import { columnsOf } from './columns.ts';
import { type FlowView, labelOf } from './flow-view.ts';
import { closeBlocks, quote } from './markdown.ts';

const WIDTH = 400;
const LINE_HEIGHT = 24;
/** Columns of text that stand on a line of a card. */
const LINE_COLUMNS = 44;
const PADDING = 40;
const MIN_HEIGHT = 80;
/** Longer texts are scrolled within their card. */
const MAX_HEIGHT = 480;
const GAP = 80;
/** One of the six colours of the format: green. */
const HEAD_COLOR = '4';

/**
 * A flow as a JSON Canvas 1.0, which Obsidian and others open: a card for each node, with its prompt
 * as a quotation and its response, and the names of branches at the arrows. No cards overlap; places
 * and sizes are whole pixels.
 *
 * Source: https://jsoncanvas.org/spec/1.0/
 */
export function toCanvas(view: FlowView, nodes: ReadonlyMap<string, StoredNode>): string {
  const { flow, graph } = view;
  const places = layoutGrid(graph);
  const texts = new Map(flow.nodes.map(({ id }) => [id, textOf(view, id, nodes.get(id))]));
  const heights = new Map([...texts].map(([id, text]) => [id, heightOf(text)]));
  const tops = topsOf([...places].map(([id, { depth }]) => [depth, heights.get(id) ?? 0]));
  const canvas = {
    nodes: flow.nodes.map(({ id }) => {
      const { column, depth } = places.get(id) ?? { column: 0, depth: 0 };
      return {
        id,
        type: 'text',
        x: column * (WIDTH + GAP),
        y: tops[depth] ?? 0,
        width: WIDTH,
        height: heights.get(id) ?? MIN_HEIGHT,
        ...(flow.head === id ? { color: HEAD_COLOR } : {}),
        text: texts.get(id) ?? '',
      };
    }),
    edges: flow.connections.map(({ from, to, branch }, at) => ({
      id: `e${at + 1}`,
      fromNode: from,
      fromSide: 'bottom',
      toNode: to,
      toSide: 'top',
      ...(branch === undefined ? {} : { label: branch }),
    })),
  };
  return `${JSON.stringify(canvas, null, 2)}\n`;
}

function textOf(view: FlowView, id: string, node: StoredNode | undefined): string {
  if (!node) return labelOf(view, id).title;
  const parts = [
    ...(node.prompt === '' ? [] : [quote(node.prompt)]),
    ...(node.response === '' ? [] : [closeBlocks(node.response)]),
  ];
  return parts.join('\n\n');
}

function heightOf(text: string): number {
  const most = (MAX_HEIGHT - PADDING) / LINE_HEIGHT;
  let lines = 0;
  for (const line of text.slice(0, most * LINE_COLUMNS).split('\n')) {
    lines += Math.max(1, Math.ceil(columnsOf(line) / LINE_COLUMNS));
  }
  return Math.min(MAX_HEIGHT, Math.max(MIN_HEIGHT, PADDING + lines * LINE_HEIGHT));
}

/** Where each depth begins: below the highest card of the one before. */
function topsOf(cards: readonly (readonly [depth: number, height: number])[]): readonly number[] {
  const highest: number[] = [];
  for (const [depth, height] of cards) highest[depth] = Math.max(highest[depth] ?? 0, height);
  let top = 0;
  return highest.map((height) => {
    const start = top;
    top += height + GAP;
    return start;
  });
}
