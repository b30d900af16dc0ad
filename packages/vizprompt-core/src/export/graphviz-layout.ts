import { importPeer } from '@vizprompt/providers';
import type { Graph } from '@viz-js/viz';
import { z } from 'zod';
import { VizPromptError } from '../errors.ts';
import { columnsOf } from './columns.ts';
import type { Flow } from '../flow/flow.ts';
import type { FlowView } from './flow-view.ts';

/** Points are Graphviz's: 72 to the inch, y from the top. */
export type Point = readonly [x: number, y: number];

/** Of each node, in points. */
export interface BoxSize {
  readonly width: number;
  readonly height: number;
}

/** A connection of a flow, as it is drawn. */
export interface DrawnEdge {
  readonly from: string;
  readonly to: string;
  readonly branch?: string;
  /** A start, then Bézier curves of three points each. */
  readonly points: readonly Point[];
  /** The middle of the name of the branch, where it took part in the layout. */
  readonly labelAt?: Point;
}

/** Where Graphviz puts the boxes and the arrows of a flow. */
export interface GraphvizLayout {
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
 * Lays a flow out with Graphviz. It is told sizes only, no text, so that no text can break it. The
 * layout is computed on the calling thread.
 *
 * @throws PeerError if `@viz-js/viz` is not installed; VizPromptError with the code `invalid-input` if
 * the flow is too large for it (some 10,000 nodes in a row).
 */
export async function layoutByGraphviz({ flow }: FlowView, box: BoxSize): Promise<GraphvizLayout> {
  const { instance } = await importPeer('@viz-js/viz', () => import('@viz-js/viz'));
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

/** A text of the same width. */
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
