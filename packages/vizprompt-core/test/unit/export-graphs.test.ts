import { instance, type Viz } from '@viz-js/viz';
import cytoscape from 'cytoscape';
import fc from 'fast-check';
import { DirectedGraph } from 'graphology';
import { parse as parseGraphml } from 'graphology-graphml';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { toCanvas } from '../../src/export/canvas.ts';
import { toCytoscape } from '../../src/export/cytoscape.ts';
import { toDot } from '../../src/export/dot.ts';
import type { FlowView } from '../../src/export/flow-view.ts';
import { toGraphml } from '../../src/export/graphml.ts';
import { toSvg } from '../../src/export/svg.ts';
import {
  anyFlow,
  elementsOf,
  flowOf,
  hostile,
  hostileProject,
  largeFlow,
  nodesOf,
  parseXml,
} from '../support/export-views.ts';
import { randomRuns } from '../support/open-project.ts';

let viz: Viz;
beforeAll(async () => {
  viz = await instance();
});

/** The root of hostile labels, all of them below it, and a merge. */
const hostileFlow = flowOf(
  ['root', ...hostile],
  [...hostile.map((text, at) => [0, at + 1, text] as const), [1, hostile.length]],
);

/** Proves something of a flow with hostile labels, and of any. */
async function always(check: (view: FlowView) => void | Promise<void>): Promise<void> {
  await check(hostileFlow);
  await fc.assert(
    fc.asyncProperty(anyFlow, async (view) => check(view)),
    { numRuns: randomRuns(10) },
  );
}

function endsOf({ flow }: FlowView): string[] {
  return flow.connections.map(({ from, to }) => `${from} ${to}`).toSorted();
}

describe('a DOT export', () => {
  /** Characters that Graphviz cannot show become a space; it makes its own of several spaces. */
  const shownAs = (text: string): string =>
    text
      .toWellFormed()
      // oxlint-disable-next-line no-control-regex
      .replaceAll(/[\u0000-\u001f\u007f\ufffe\uffff]/g, ' ')
      .replaceAll(/\s+/g, '');

  it('is drawn by Graphviz node for node, edge for edge and label for label', async () => {
    await always((view) => {
      const { status, output, errors } = viz.render(toDot(view), { format: 'svg' });
      expect(status).toBe('success');
      // Without fonts it only guesses how wide Japanese is.
      expect(errors.filter(({ message }) => !message.includes('non-ASCII'))).toEqual([]);
      const groups = elementsOf(parseXml(output ?? ''), 'g');
      const shown = (kind: string): string[] =>
        groups
          .filter(({ attributes }) => attributes['class'] === kind)
          .map((group) => {
            const text = elementsOf(group, 'text').map((line) => line.text);
            return `${elementsOf(group, 'title')[0]?.text} ${shownAs(text.join(''))}`;
          });
      const { flow, labels } = view;
      expect(shown('node').toSorted()).toEqual(
        flow.nodes
          .map(({ id, index }) => `${id} ${shownAs(`${index} ${labels.get(id)?.title}`)}`)
          .toSorted(),
      );
      expect(shown('edge').toSorted()).toEqual(
        flow.connections
          .map(({ from, to, branch = '' }) => `${from}->${to} ${shownAs(branch)}`)
          .toSorted(),
      );
    });
  });

  it('takes nothing in a label for a command', () => {
    const text = toDot(flowOf([String.raw`C:\New "x" \G &amp; \ `.trim()], []));
    expect(text).toContain(String.raw`"id0" [label="1 C:\\New \"x\" \\G &amp;amp; \\" `);
    expect(viz.renderString(text, { format: 'svg' })).toContain(
      String.raw`1 C:\New &quot;x&quot; \G &amp;amp; \<`,
    );
  });
});

/** JSON Canvas 1.0, nothing more. Source: https://jsoncanvas.org/spec/1.0/ */
const color = z.union([
  z.enum(['1', '2', '3', '4', '5', '6']),
  z.string().regex(/^#[0-9a-f]{6}$/i),
]);
const side = z.enum(['top', 'right', 'bottom', 'left']);
const canvasSchema = z.strictObject({
  nodes: z.array(
    z.strictObject({
      id: z.string(),
      type: z.literal('text'),
      x: z.int(),
      y: z.int(),
      width: z.int().positive(),
      height: z.int().positive(),
      color: color.optional(),
      text: z.string(),
    }),
  ),
  edges: z.array(
    z.strictObject({
      id: z.string(),
      fromNode: z.string(),
      fromSide: side,
      toNode: z.string(),
      toSide: side,
      label: z.string().optional(),
    }),
  ),
});

describe('a JSON Canvas export', () => {
  const read = (view: FlowView): z.infer<typeof canvasSchema> =>
    canvasSchema.parse(JSON.parse(toCanvas(view, nodesOf(view))));

  it('keeps to the specification, node for node, edge for edge and text for text', async () => {
    await always((view) => {
      const { nodes, edges } = read(view);
      expect(nodes.map(({ id }) => id)).toEqual(view.flow.nodes.map(({ id }) => id));
      for (const { id, text } of nodes) {
        const { title = '' } = view.labels.get(id) ?? {};
        // A fence that is left open is closed behind the response.
        const fence = /^ {0,3}(?:`{3,}|~{3,})/m.test(title)
          ? (/\n[`~]+$/.exec(text)?.[0] ?? '')
          : '';
        const quoted = text.slice(0, text.length - title.length - fence.length);
        expect(quoted.replaceAll(/^> |(?<=\r\n|\r|\n)> /g, '').trimEnd()).toBe(title.trimEnd());
      }
      expect(edges.map(({ fromNode, toNode, label }) => [fromNode, toNode, label])).toEqual(
        view.flow.connections.map(({ from, to, branch }) => [from, to, branch]),
      );
      const ids = [...nodes, ...edges].map(({ id }) => id);
      expect(new Set(ids).size).toBe(ids.length);
      expectApart(nodes);
    });
  });

  it('of many nodes lays them out apart, each below its parents', () => {
    for (const view of [largeFlow(300), flowOf(Array(200).fill('x'), star(200))]) {
      const { nodes, edges } = read(view);
      expectApart(nodes);
      const boxes = new Map(nodes.map((node) => [node.id, node]));
      for (const { fromNode, toNode } of edges) {
        const [from, to] = [boxes.get(fromNode), boxes.get(toNode)];
        expect((from?.y ?? 0) + (from?.height ?? 0)).toBeLessThan(to?.y ?? 0);
      }
    }
  });
});

function star(size: number): [number, number][] {
  return Array.from({ length: size - 1 }, (_, at) => [0, at + 1]);
}

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

function expectApart(boxes: readonly Box[]): void {
  const overlaps = boxes.flatMap((a, at) =>
    boxes
      .slice(at + 1)
      .filter((b) => a.x < b.x + b.width && b.x < a.x + a.width)
      .filter((b) => a.y < b.y + b.height && b.y < a.y + a.height),
  );
  expect(overlaps).toEqual([]);
}

describe('a Cytoscape export', () => {
  it('is read by Cytoscape node for node, edge for edge and label for label', async () => {
    await always((view) => {
      const text = toCytoscape(view, nodesOf(view));
      const cy = cytoscape({
        headless: true,
        ...(JSON.parse(text) as { elements: cytoscape.ElementsDefinition }),
      });
      const { flow, labels } = view;
      expect(cy.nodes().map((node) => [node.id(), node.data('label'), node.data('tags')])).toEqual(
        flow.nodes.map(({ id, index }) => {
          const { title = '', tags } = labels.get(id) ?? {};
          return [id, `${index} ${title}`, tags];
        }),
      );
      expect(
        cy.edges().map((edge) => [edge.source().id(), edge.target().id(), edge.data('label')]),
      ).toEqual(flow.connections.map(({ from, to, branch }) => [from, to, branch]));
      expect(cy.data('name')).toBe(flow.name);
      expect(cy.nodes('.head').map((node) => node.id())).toEqual([flow.head]);
      expect(cy.nodes(':parent').length).toBe(0);
    });
  });
});

/** Replaces characters that XML cannot hold, as the Unicode Standard says. */
function asXml(text: string): string {
  // oxlint-disable-next-line no-control-regex
  const illegal = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;
  return text.toWellFormed().replaceAll(illegal, '\ufffd');
}

describe('a GraphML export', () => {
  it('is read by graphology node for node, edge for edge and label for label', async () => {
    await always((view) => {
      const graph = parseGraphml(DirectedGraph, toGraphml(view, nodesOf(view)));
      const { flow, labels } = view;
      expect(graph.nodes()).toEqual(flow.nodes.map(({ id }) => id));
      for (const { id, index } of flow.nodes) {
        const { title = '', tags = [] } = labels.get(id) ?? {};
        expect(graph.getNodeAttributes(id)).toEqual({
          index,
          label: asXml(title),
          ...(title === '' ? {} : { summary: asXml(title) }),
          tags: asXml(JSON.stringify(tags)),
          timestamp: '2026-01-01T00:00:00+09:00',
          model: asXml(title),
          ...(id === flow.head ? { head: true } : {}),
        });
      }
      expect(
        graph
          .edges()
          .map((edge) => graph.extremities(edge).join(' '))
          .toSorted(),
      ).toEqual(endsOf(view));
      for (const { from, to, branch } of flow.connections) {
        expect(graph.getEdgeAttribute(from, to, 'label')).toBe(
          branch === undefined ? undefined : asXml(branch),
        );
      }
    });
  });

  it('is well-formed, and declares before it uses', async () => {
    await always((view) => {
      const root = parseXml(toGraphml(view, nodesOf(view)));
      expect(root.attributes).toEqual({ xmlns: 'http://graphml.graphdrawing.org/xmlns' });
      expect(root.children.map(({ name }) => name)).toEqual([
        ...root.children.slice(1).map(() => 'key'),
        'graph',
      ]);
      const keys = new Set(
        elementsOf(root, 'key').map(({ attributes }) => `${attributes['for']} ${attributes['id']}`),
      );
      for (const kind of ['node', 'edge', 'graph']) {
        for (const { children } of elementsOf(root, kind)) {
          const data = children.filter(({ name }) => name === 'data');
          for (const { attributes } of data) expect(keys).toContain(`${kind} ${attributes['key']}`);
        }
      }
    });
  });
});

describe('an SVG export', () => {
  it('shows node for node and edge for edge, apart, and loads nothing', async () => {
    await always(async (view) => {
      const svg = parseXml(await toSvg(view));
      const { flow, labels } = view;
      const groups = elementsOf(svg, 'g');
      expect(groups.map(({ attributes }) => attributes['id'])).toEqual(
        flow.nodes.map(({ id }) => id),
      );
      for (const [at, group] of groups.entries()) {
        const { index, id } = flow.nodes[at] ?? { index: 0, id: '' };
        const { title = '', summary = '' } = labels.get(id) ?? {};
        const [full] = elementsOf(group, 'title');
        expect(full?.text).toBe(asXml(`${index} ${title}${summary === '' ? '' : `\n${summary}`}`));
      }
      const boxes = groups.map((group) => boxOf(elementsOf(group, 'rect')[0]?.attributes));
      expectApart(boxes);
      const [left = 0, top = 0, width = 0, height = 0] = numbersIn(svg.attributes['viewBox']);
      for (const box of boxes) {
        expect(box.x >= left && box.x + box.width <= left + width).toBe(true);
        expect(box.y >= top && box.y + box.height <= top + height).toBe(true);
      }
      const paths = elementsOf(svg, 'path').map(({ attributes }) => numbersIn(attributes['d']));
      expect(paths).toHaveLength(flow.connections.length);
      for (const [at, { from, to }] of flow.connections.entries()) {
        const [x = 0, y = 0] = paths[at] ?? [];
        const boxAt = (id: string): Box | undefined =>
          boxes[flow.nodes.findIndex((node) => node.id === id)];
        expect(touches(boxAt(from), x, y)).toBe(true);
        const [endX = 0, endY = 0] = paths[at]?.slice(-4, -2) ?? [];
        expect(touches(boxAt(to), endX, endY)).toBe(true);
      }
      const names = elementsOf(svg, 'text').filter((text) => text.attributes['class'] === 'branch');
      expect(names).toHaveLength(
        flow.connections.filter(({ branch }) => branch !== undefined).length,
      );
      for (const { attributes } of elementsOf(svg, 'text')) {
        expect(Number(attributes['x']) >= left && Number(attributes['y']) <= top + height).toBe(
          true,
        );
      }
    });
  });

  it('of many nodes in a row, or of none, is a picture too', async () => {
    const row = Array.from({ length: 200 }, (_, at) => `n${at}`);
    const chain = flowOf(
      row,
      row.slice(1).map((_, at) => [at, at + 1, `branch ${at}`]),
    );
    const svg = parseXml(await toSvg(chain));
    expect(elementsOf(svg, 'path')).toHaveLength(199);
    expect(svg.text).toContain('branch 198');
    expect(elementsOf(parseXml(await toSvg(flowOf([], []))), 'g')).toEqual([]);
  });

  it('of more than Graphviz can lay out is refused', async () => {
    const row = Array.from({ length: 20_000 }, (_, at) => `n${at}`);
    const chain = flowOf(
      row,
      row.slice(1).map((_, at) => [at, at + 1]),
    );
    await expect(toSvg(chain)).rejects.toMatchObject({
      code: 'invalid-input',
      message: "Graphviz cannot lay out 'n0' with 20000 nodes and 19999 connections",
    });
  });
});

function boxOf(attributes: Readonly<Record<string, string>> = {}): Box {
  const { x, y, width, height } = attributes;
  return { x: Number(x), y: Number(y), width: Number(width), height: Number(height) };
}

function numbersIn(text = ''): number[] {
  return [...text.matchAll(/-?\d+(?:\.\d+)?/g)].map(Number);
}

/** Checks whether a point is on a box, within a rounding. */
function touches(box: Box | undefined, x: number, y: number): boolean {
  if (!box) return false;
  const isIn = (at: number, start: number, size: number): boolean =>
    at > start - 2 && at < start + size + 2;
  return isIn(x, box.x, box.width) && isIn(y, box.y, box.height);
}

describe('every format', () => {
  it('can be asked of a project, whatever it holds', async () => {
    const vizprompt = await hostileProject();
    const count = hostile.length;
    const write = (format: 'dot' | 'canvas' | 'cytoscape' | 'graphml' | 'svg'): Promise<string> =>
      vizprompt.exportFlow('main', { format });
    expect(viz.render(await write('dot')).status).toBe('success');
    expect(canvasSchema.parse(JSON.parse(await write('canvas'))).edges).toHaveLength(count);
    const cy = cytoscape({ headless: true, ...(JSON.parse(await write('cytoscape')) as object) });
    expect([cy.nodes().length, cy.edges().length]).toEqual([count + 1, count]);
    expect(parseGraphml(DirectedGraph, await write('graphml')).size).toBe(count);
    expect(elementsOf(parseXml(await write('svg')), 'g')).toHaveLength(count + 1);
  });

  it('shows nodes that the project does not hold', async () => {
    const view = { ...flowOf(['a', 'b'], [[0, 1]]), labels: new Map() };
    const written = [
      toDot(view),
      await toSvg(view),
      ...[toCanvas, toCytoscape, toGraphml].map((write) => write(view, new Map())),
    ];
    for (const text of written) expect(text.match(/\(missing\)/g)?.length).toBeGreaterThan(1);
  });
});
