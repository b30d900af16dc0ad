import type { Graph } from '@viz-js/viz';
import type * as Viz from '@viz-js/viz';
import { z } from 'zod';
import { toPeerError } from '@vizprompt/providers/internal';
import { VizPromptError } from '../errors.ts';
import type { Flow } from '../flow/flow.ts';
import { columnsOf, cut, fitColumns, type FlowView, indicesOf, labelOf } from './flow-view.ts';
import { xmlText } from './graphml.ts';

const BOX = { width: 216, height: 48 };
const MARGIN = 12;
/** Columns of text that a line of a box holds, and the length of the name of a branch. */
const COLUMNS = 28;

const STYLE =
  'svg{color-scheme:light dark;color:#1f2328;background:#fff;font:13px "Noto Sans CJK JP","Hiragino Sans","Noto Sans JP",system-ui,sans-serif}' +
  'text{fill:currentColor}path{fill:none;stroke:#8b949e;stroke-width:1.5}' +
  'rect{fill:#f6f8fa;stroke:#8b949e}.head rect{stroke:#1a7f37;stroke-width:2.5}' +
  '.summary,.branch{font-size:11px;opacity:.75}.branch{text-anchor:middle}' +
  '.branch{paint-order:stroke;stroke:#fff;stroke-width:3}' +
  '@media(prefers-color-scheme:dark){svg{color:#e6edf3;background:#0d1117}rect{fill:#161b22}.branch{stroke:#0d1117}}';

/**
 * Returns a flow as a picture, laid out by Graphviz (the optional package `@viz-js/viz`). A box shows the
 * number, the title and the beginning of the response of a node as far as they fit, and in full where it is pointed at
 * and to screen readers. Its `id` is that of the node.
 *
 * @throws PeerError if `@viz-js/viz` is not installed; VizPromptError with the code `invalid-input` if
 * the flow is too large for it.
 */
export async function toSvg(view: FlowView): Promise<string> {
  const { flow } = view;
  const layout = await layoutByGraphviz(shortened(view), BOX);
  const width = Math.ceil(layout.width + 2 * MARGIN);
  const height = Math.ceil(layout.height + 2 * MARGIN);
  const indices = indicesOf(flow);
  const boxes = flow.nodes.map(({ id }) => {
    const [x, y] = layout.nodes.get(id) ?? [0, 0];
    const { title, summary, answer = summary } = labelOf(view, id);
    const heading = `${indices.get(id)} ${title}`;
    const full = [heading, summary || answer].filter(Boolean).join('\n');
    const left = x - BOX.width / 2 + 10;
    return (
      `<g id="${xmlText(id)}" class="${flow.head === id ? 'node head' : 'node'}">` +
      `<title>${xmlText(full)}</title>` +
      `<rect x="${round(x - BOX.width / 2)}" y="${round(y - BOX.height / 2)}" width="${BOX.width}" height="${BOX.height}" rx="6"/>` +
      textLine(left, y - 3, 'title', heading) +
      (answer === '' ? '' : textLine(left, y + 14, 'summary', answer)) +
      '</g>'
    );
  });
  const lines = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="${-MARGIN} ${-MARGIN} ${width} ${height}" role="img">`,
    `<title>${xmlText(flow.name)}</title>`,
    `<style>${STYLE}</style>`,
    ...layout.edges.map(drawEdge),
    ...boxes,
    '</svg>',
  ];
  return `${lines.join('\n')}\n`;
}

/** Names of branches take part in the layout; they are as long there as they are drawn. */
function shortened(view: FlowView): FlowView {
  const connections = view.flow.connections.map(({ branch, ...ends }) =>
    branch === undefined ? ends : { ...ends, branch: fitColumns(branch, COLUMNS) },
  );
  return { ...view, flow: { ...view.flow, connections } };
}

function textLine(x: number, y: number, className: string, text: string): string {
  const fitting = fitColumns(cut(text, 2 * COLUMNS), COLUMNS);
  return `<text class="${className}" x="${round(x)}" y="${round(y)}">${xmlText(fitting)}</text>`;
}

function drawEdge({ points, branch, labelAt }: DrawnEdge): string {
  const [start = [0, 0], ...curve] = points;
  const path = `<path d="M${pair(start)}C${curve.map(pair).join(' ')}${arrowAt(points)}"/>`;
  if (branch === undefined) return path;
  const [endX, endY] = points.at(-1) ?? start;
  const [x, y] = labelAt ?? [endX, endY - 14];
  return `${path}<text class="branch" x="${round(x)}" y="${round(y + 4)}">${xmlText(branch)}</text>`;
}

/** The two strokes of an arrow head at the end of a curve. */
function arrowAt(points: readonly Point[]): string {
  const [x, y] = points.at(-1) ?? [0, 0];
  const [fromX, fromY] = points.at(-2) ?? [x, y - 1];
  const angle = Math.atan2(y - fromY, x - fromX);
  const wing = (turn: number): Point => [
    x - 7 * Math.cos(angle + turn),
    y - 7 * Math.sin(angle + turn),
  ];
  return `M${pair(wing(0.45))}L${pair([x, y])} ${pair(wing(-0.45))}`;
}

function pair([x, y]: Point): string {
  return `${round(x)},${round(y)}`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

/** Points are Graphviz's: 72 to the inch, y from the top. */
type Point = readonly [x: number, y: number];

/** The size of a node, in points. */
interface BoxSize {
  readonly width: number;
  readonly height: number;
}

/** A connection of a flow, as it is drawn. */
interface DrawnEdge {
  readonly from: string;
  readonly to: string;
  readonly branch?: string;
  /** A start, then Bézier curves of three points each. */
  readonly points: readonly Point[];
  /** The middle of the name of the branch, where it took part in the layout. */
  readonly labelAt?: Point;
}

/** Where Graphviz puts the boxes and the arrows of a flow. */
interface GraphvizLayout {
  readonly width: number;
  readonly height: number;
  /** The middles of the boxes, by node id. */
  readonly nodes: ReadonlyMap<string, Point>;
  readonly edges: readonly DrawnEdge[];
}

/**
 * Above this Graphviz may not search for the best layout as long as it likes, and names of branches
 * take no part in it: they would double the ranks.
 */
const LARGE = 1000;
const HURRY = { nslimit: 0.1, nslimit1: 0.1, mclimit: 0.1 };

const layoutSchema = z.object({
  bb: z.string(),
  objects: z.array(z.object({ _gvid: z.number(), name: z.string(), pos: z.string() })).default([]),
  edges: z
    .array(
      z.object({ tail: z.number(), head: z.number(), pos: z.string(), lp: z.string().optional() }),
    )
    .default([]),
});

/**
 * Lays a flow out with Graphviz. It receives sizes only, no text, so that no text can break it. The
 * layout is computed on the calling thread.
 *
 * @throws PeerError if `@viz-js/viz` is not installed; VizPromptError with the code `invalid-input` if
 * the flow is too large for it (some 10,000 nodes in a row).
 */
async function layoutByGraphviz({ flow }: FlowView, box: BoxSize): Promise<GraphvizLayout> {
  const { instance } = await loadViz();
  const viz = await instance();
  const names = new Map(flow.nodes.map(({ id }, at) => [id, `n${at}`]));
  try {
    const { output, errors } = viz.render(graphOf(flow, names, box), { format: 'json0' });
    if (output === undefined) throw new Error(errors.map(({ message }) => message).join('; '));
    return readLayout(flow, layoutSchema.parse(JSON.parse(output)), names);
  } catch (error) {
    const size = `${flow.nodes.length} nodes and ${flow.connections.length} connections`;
    const message = `Graphviz cannot lay out '${flow.name}' with ${size}`;
    throw new VizPromptError('invalid-input', message, { cause: error });
  }
}

function graphOf(flow: Flow, names: ReadonlyMap<string, string>, box: BoxSize): Graph {
  const isLarge = flow.nodes.length > LARGE;
  return {
    directed: true,
    graphAttributes: isLarge ? HURRY : {},
    nodeAttributes: {
      shape: 'box',
      fixedsize: true,
      label: '',
      width: box.width / 72,
      height: box.height / 72,
    },
    edgeAttributes: { arrowhead: 'none', fontname: 'Courier', fontsize: 12 },
    nodes: [...names.values()].map((name) => ({ name })),
    edges: flow.connections.map(({ from, to, branch }) => ({
      tail: names.get(from) ?? '',
      head: names.get(to) ?? '',
      attributes: branch === undefined || isLarge ? {} : { label: placeholder(branch) },
    })),
  };
}

/** Returns a text of the same width. */
function placeholder(text: string): string {
  return 'x'.repeat(Math.max(1, columnsOf(text)));
}

function readLayout(
  flow: Flow,
  { bb, objects, edges }: z.infer<typeof layoutSchema>,
  names: ReadonlyMap<string, string>,
): GraphvizLayout {
  const [, , width = 0, height = 0] = bb.split(',').map(Number);
  const pointOf = (text: string): Point => {
    const [x = 0, y = 0] = text.split(',').map(Number);
    return [x, height - y];
  };
  const places = new Map(objects.map(({ name, pos }) => [name, pointOf(pos)]));
  const nameOf = new Map(objects.map(({ _gvid, name }) => [_gvid, name]));
  const drawn = new Map(
    edges.map((edge) => [`${nameOf.get(edge.tail)} ${nameOf.get(edge.head)}`, edge]),
  );
  return {
    width,
    height,
    nodes: new Map([...names].map(([id, name]) => [id, places.get(name) ?? [0, 0]])),
    edges: flow.connections.map((connection) => {
      const ends = `${names.get(connection.from)} ${names.get(connection.to)}`;
      const { pos = '', lp } = drawn.get(ends) ?? {};
      return {
        ...connection,
        points: pos.split(' ').map(pointOf),
        ...(lp === undefined ? {} : { labelAt: pointOf(lp) }),
      };
    }),
  };
}

/** @throws PeerError if `@viz-js/viz` is not installed. */
async function loadViz(): Promise<typeof Viz> {
  try {
    return await import('@viz-js/viz');
  } catch (error) {
    throw toPeerError(error, '@viz-js/viz');
  }
}
