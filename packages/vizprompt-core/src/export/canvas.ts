import type { FlowGraph } from '../flow/flow-graph.ts';
import type { StoredNode } from '../node/node.ts';
import { columnsOf, type FlowView, labelOf } from './flow-view.ts';
import { closeBlocks, quote } from './markdown.ts';

const WIDTH = 400;
const LINE_HEIGHT = 24;
/** Columns of text on a line of a card. */
const LINE_COLUMNS = 44;
const PADDING = 40;
const MIN_HEIGHT = 80;
/** Longer texts are scrolled within their card. */
const MAX_HEIGHT = 480;
const GAP = 80;
/** One of the six colours of the format: green. */
const HEAD_COLOR = '4';

/**
 * Returns a flow as a JSON Canvas 1.0, which Obsidian and others open: a card for each node, with its prompt
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

/** A place in a grid: no two nodes have the same. */
interface GridPlace {
  readonly column: number;
  /** Greater than that of every parent. */
  readonly depth: number;
}

/** The depths that a column holds, both included. */
type Taken = [from: number, to: number][];

/**
 * Lays a graph out as columns that run down. The first child of a node continues in its column; the
 * others begin a column to the right of it, the nearest that is free all the way down.
 */
function layoutGrid(graph: FlowGraph): ReadonlyMap<string, GridPlace> {
  const order = graph.topologicalOrder();
  const depths = new Map<string, number>();
  const depthOf = (id: string): number => depths.get(id) ?? 0;
  for (const id of order) {
    const above = graph.parents(id).map(depthOf);
    depths.set(id, above.reduce((most, depth) => Math.max(most, depth), -1) + 1);
  }
  const columns: Taken[] = [];
  const places = new Map<string, GridPlace>();
  for (const id of order) {
    if (places.has(id)) continue;
    const run = runFrom(graph, id);
    const parent = places.get(graph.parents(id)[0] ?? '');
    const column = takeColumn(columns, parent ? parent.column + 1 : 0, [
      parent ? parent.depth + 1 : depthOf(id),
      depthOf(run.at(-1) ?? id),
    ]);
    for (const member of run) places.set(member, { column, depth: depthOf(member) });
  }
  return places;
}

/** Returns a node, its first child, the first child of that, and so on, as far as they are main children. */
function runFrom(graph: FlowGraph, start: string): string[] {
  const run: string[] = [];
  for (let id: string | undefined = start; id !== undefined;) {
    const last: string = id;
    run.push(last);
    const [first] = graph.children(last);
    id = first !== undefined && graph.parents(first)[0] === last ? first : undefined;
  }
  return run;
}

function takeColumn(columns: Taken[], first: number, [from, to]: Taken[number]): number {
  const isFree = (taken: Taken): boolean => !taken.some(([a, b]) => a <= to && from <= b);
  let column = first;
  for (let taken = columns[column]; taken && !isFree(taken); taken = columns[column]) column++;
  while (columns.length <= column) columns.push([]);
  columns[column]?.push([from, to]);
  return column;
}
