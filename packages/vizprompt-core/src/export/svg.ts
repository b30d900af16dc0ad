import { fitColumns } from './columns.ts';
import { cut, indicesOf, labelOf, type FlowView } from './flow-view.ts';
import { layoutByGraphviz, type DrawnEdge, type Point } from './graphviz-layout.ts';
import { xmlText } from './xml-text.ts';

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
 * A flow as a picture, laid out by Graphviz (the optional package `@viz-js/viz`). A box shows the
 * number, the title and the summary of a node as far as they fit, and in full where it is pointed at
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
    const { title, summary } = labelOf(view, id);
    const heading = `${indices.get(id)} ${title}`;
    const full = summary === '' ? heading : `${heading}\n${summary}`;
    const left = x - BOX.width / 2 + 10;
    return (
      `<g id="${xmlText(id)}" class="${flow.head === id ? 'node head' : 'node'}">` +
      `<title>${xmlText(full)}</title>` +
      `<rect x="${round(x - BOX.width / 2)}" y="${round(y - BOX.height / 2)}" width="${BOX.width}" height="${BOX.height}" rx="6"/>` +
      textLine(left, y - 3, 'title', heading) +
      (summary === '' ? '' : textLine(left, y + 14, 'summary', summary)) +
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
