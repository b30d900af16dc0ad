import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyString } from '../../../providers/test/support/fuzz.ts';
import { parse } from 'yaml';
import { parseFlowYaml, readFlowFile, writeFlowFile } from '../../src/flow/flow-document.ts';
import { writeFlowYaml } from '../../src/flow/flow-file.ts';
import {
  addNode,
  connect,
  FlowGraph,
  removeNode,
  straightLine,
} from '../../src/flow/flow-graph.ts';
import type { Flow } from '../../src/flow/flow.ts';
import { scanFlowYaml } from '../../src/flow/scan-flow-yaml.ts';
import { randomRuns } from '../support/open-project.ts';

const file = 'flows/00/00.yaml';
const ids = Array.from(
  { length: 30 },
  (_, index) => `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
);
const [a = '', b = '', c = '', d = ''] = ids;
const flowId = 'ffffffff-0000-4000-8000-000000000000';

/** As a person writes it, comments included. */
const commented = `id: ${flowId}
name: メインフロー
created: 2025-05-07T10:00:00+09:00
updated: 2025-05-08T13:55:22+09:00
description: フローの説明
# このフローに含まれる全てのノードのIDのリスト（順序ではない）
nodes:
  - index: 1
    id: ${a}
  - index: 2
    id: ${b}
  - index: 3
    id: ${c}
  - index: 4
    id: ${d}
# ノード間の接続情報（分岐や合流の情報を定義）
connections:
  # 分岐の例: Node 1からNode 2とNode 3に接続
  - from: 1
    to: 2
  - from: 1
    to: 3
  # 合流の例: Node 2とNode 3からNode 4に接続
  - from: 2
    to: 4
  - from: 3
    to: 4
`;
const canonical = commented.replaceAll(/^ *#.*\n/gm, '');

const diamond: Flow = {
  id: flowId,
  name: 'メインフロー',
  created: '2025-05-07T10:00:00+09:00',
  updated: '2025-05-08T13:55:22+09:00',
  description: 'フローの説明',
  head: d,
  nodes: [a, b, c, d].map((id, at) => ({ index: at + 1, id })),
  connections: [
    { from: a, to: b },
    { from: a, to: c },
    { from: b, to: d },
    { from: c, to: d },
  ],
};

const anyText = fc.oneof(
  anyString(),
  fc.constantFrom('', 'no', 'null', '~', '007', '1e5', '12:30:00', '2025-05-07', 'a: b', '# x'),
  fc.constantFrom('- x', '"', "it's", 'C:\\x', 'two\nlines', ' spaces ', '\ud800', '日本語', '😀'),
);
/** Any graph without circles: edges go from lower to higher. */
const anyFlow: fc.Arbitrary<Flow> = fc
  .record({
    texts: fc.record(
      { name: anyText, description: anyText, alias: anyText, source: anyText },
      { requiredKeys: ['name', 'description'] },
    ),
    size: fc.integer({ min: 0, max: 30 }),
    edges: fc.uniqueArray(
      fc.tuple(fc.integer({ min: 0, max: 29 }), fc.integer({ min: 0, max: 29 })),
      { maxLength: 40, selector: ([from, to]) => `${Math.min(from, to)} ${Math.max(from, to)}` },
    ),
    branch: fc.option(anyText, { nil: undefined }),
    head: fc.nat(),
  })
  .map(({ texts, size, edges, branch, head }) => {
    const nodes = ids.slice(0, size).map((id, at) => ({ index: at + 1, id }));
    const connections = edges
      .map(([x, y]) => ({ from: ids[Math.min(x, y)] ?? '', to: ids[Math.max(x, y)] ?? '' }))
      .filter(({ from, to }) => from !== to && ids.indexOf(to) < size)
      .map((edge, at) => (at % 3 === 0 && branch !== undefined ? { ...edge, branch } : edge));
    const { id: headId } = nodes[head % Math.max(1, size)] ?? {};
    return {
      ...diamond,
      ...texts,
      nodes,
      connections,
      ...(headId === undefined ? { head: undefined } : { head: headId }),
    } as Flow;
  })
  .map((flow) => {
    if (flow.head !== undefined) return flow;
    const { head: _, ...rest } = flow;
    return rest;
  });

describe('a flow file', () => {
  it('is written in one form, and read in any', () => {
    expect(writeFlowYaml(diamond, { withIds: false })).toBe(canonical);
    expect(readFlowFile(file, canonical).flow).toEqual(diamond);
    expect(readFlowFile(file, commented).flow).toEqual(diamond);
  });

  it('gives back any flow, by the fast reader and by the YAML parser alike', () => {
    fc.assert(
      fc.property(anyFlow, fc.boolean(), (flow, withIds) => {
        const text = writeFlowYaml(flow, { withIds });
        const read = readFlowFile(file, text);
        expect(read.flow).toEqual(flow);
        expect(read.warnings).toEqual([]);
        expect(read.withIds).toBe(withIds && flow.connections.length > 0);
        const scanned = scanFlowYaml(file, text);
        expect(scanned).toEqual(parseFlowYaml(file, text).raw);
        // YAML 1.1, as other tools read it.
        const old = parse(text, { version: '1.1' }) as { name: unknown; description: unknown };
        expect(old.name).toBe(flow.name);
        expect(old.description).toBe(flow.description);
      }),
      { numRuns: randomRuns(100) },
    );
  });

  it('keeps comments and unknown keys when it changes', () => {
    const byHand = `${commented}color: blue # mine\n`.replace(
      `id: ${b}`,
      `id: ${b}\n    note: 大事`,
    );
    const read = readFlowFile(file, byHand);
    const changed = removeNode(addNode(read.flow, ids[4] ?? '', [d]), c, true);
    const text = writeFlowFile({ ...read, flow: changed });
    expect(text).toContain('# このフローに含まれる全てのノードのIDのリスト（順序ではない）');
    expect(text).toContain('# 合流の例');
    expect(text).toContain('note: 大事');
    expect(text).toContain('color: blue # mine');
    expect(readFlowFile(file, text).flow).toEqual(changed);
    expect(writeFlowFile({ ...read, flow: read.flow })).toBe(byHand);
  });

  it('lets ids rule over indices, and says where they disagree', () => {
    // Two people added a node at once; both took index 5, one of them was renumbered by hand.
    const text = canonical.replace(
      '  - from: 3\n    to: 4\n',
      `  - from: 3\n    to: 3\n    from_id: ${c}\n    to_id: ${d}\n`,
    );
    const { flow, warnings, withIds } = readFlowFile(file, text);
    expect(flow).toEqual(diamond);
    expect(withIds).toBe(true);
    expect(warnings).toEqual([
      {
        place: { file, line: 22, column: 5 },
        message: `'to: 3' is not the node of 'to_id: ${d}', which rules`,
      },
    ]);
    const again = writeFlowFile({ flow, withIds });
    expect(again).toContain(`    from_id: ${a}\n    to_id: ${b}\n`);
    expect(readFlowFile(file, again)).toMatchObject({ flow, warnings: [] });
  });

  it.each([
    ['a circle', 'to: 4\n  - from: 3', 'to: 4\n  - from: 4\n    to: 1\n  - from: 3', 22, 'circle'],
    ['an edge to itself', '  - from: 3\n    to: 4', '  - from: 3\n    to: 3', 22, '3 → 3'],
    ['an edge to nowhere', '    to: 4\n', '    to: 9\n', 20, "'to: 9', and no such node"],
    ['an index twice', '- index: 2', '- index: 1', 9, 'index 1 is already at'],
    ['a node twice', `id: ${b}`, `id: ${a}`, 9, `node ${a} is already at ${file}:7:5`],
    ['a node without index', '- index: 2\n    id', '- id', 9, 'without an index'],
    ['an index that is none', 'index: 2', 'index: two', 9, "'index' is no number"],
    ['a node id that is none', `id: ${b}`, 'id: seven', 9, "'seven' is no UUID"],
    ['a connection without end', '  - from: 3\n    to: 4', '  - from: 3', 22, "no 'to'"],
    ['a list that is none', 'connections:\n', 'connections: 7\nx:\n', 15, 'is no list'],
    ['an entry that is none', '  - index: 2', '  - 5\n  - index: 2', 9, 'is no map'],
    ['broken YAML', 'name: メ', 'name: "メ', 24, 'Missing closing'],
    ['an id that is none', `id: ${flowId}`, 'id: x', undefined, "the id 'x' is no UUID"],
  ])('with %s is refused with its place', (_, from, to, line, message) => {
    expect(canonical).toContain(from);
    const text = canonical.replace(from, to);
    const read = (): unknown => readFlowFile(file, text);
    expect(read).toThrow(message);
    expect(read).toThrow(
      expect.objectContaining({
        code: 'flow-invalid',
        context: expect.objectContaining({ file, ...(line === undefined ? {} : { line }) }),
      }),
    );
  });

  it('loads when there is little in it', () => {
    const { flow } = readFlowFile('flows/main.yaml', `id: ${flowId}\n`);
    expect(flow).toMatchObject({ id: flowId, name: 'main', nodes: [], connections: [] });
    expect(flow.head).toBeUndefined();
    expect(readFlowFile(file, `{id: ${flowId}, nodes: [{index: 7, id: ${a}}]}`).flow.head).toBe(a);
    expect(() => readFlowFile(file, '')).toThrow('a flow is a map');
  });
});

describe('a graph', () => {
  it('knows parents, children, roots, leaves and lines', () => {
    const graph = new FlowGraph(diamond);
    expect(graph.parents(d)).toEqual([b, c]);
    expect(graph.children(a)).toEqual([b, c]);
    expect([graph.roots(), graph.leaves()]).toEqual([[a], [d]]);
    expect(graph.lineTo(d)).toEqual([a, b, d]);
    expect(graph.ancestors(d)).toEqual([a, b, c]);
    expect(graph.descendants(b)).toEqual([d]);
    expect(graph.findPath(a, d)).toEqual([a, b, d]);
    expect(graph.findPath(d, a)).toBeUndefined();
    expect(graph.has('x')).toBe(false);
    expect(graph.children('x')).toEqual([]);
  });

  it('puts each node after its parents', () => {
    fc.assert(
      fc.property(anyFlow, (flow) => {
        const graph = new FlowGraph(flow);
        const order = graph.topologicalOrder();
        expect(order.toSorted()).toEqual(flow.nodes.map(({ id }) => id).toSorted());
        for (const { from, to } of flow.connections) {
          expect(order.indexOf(from)).toBeLessThan(order.indexOf(to));
        }
        expect(graph.findCycle()).toBeUndefined();
      }),
    );
  });

  it('does not mind a conversation of 20,000 turns, as it is not recursive', () => {
    const many = Array.from({ length: 20_000 }, (_, index) => ({ index, id: `n${index}` }));
    const connections = many.slice(1).map(({ id }, at) => ({ from: `n${at}`, to: id }));
    const graph = new FlowGraph({ nodes: many, connections });
    expect(graph.lineTo('n19999')).toHaveLength(20_000);
    expect(graph.ancestors('n19999')).toHaveLength(19_999);
    expect(graph.findPath('n0', 'n19999')).toHaveLength(20_000);
  });
});

describe('editing', () => {
  it('refuses a circle with the way that would be closed', () => {
    expect(() => connect(diamond, d, a)).toThrow(`closes a circle: ${a} → ${b} → ${d} → ${a}`);
    expect(() => connect(diamond, a, a)).toThrow('closes a circle');
    expect(() => connect(diamond, a, 'x')).toThrow('the node x is not in the flow');
  });

  it('names branches, also of edges that are there', () => {
    const named = connect(diamond, a, c, '別案');
    expect(named.connections).toHaveLength(4);
    expect(named.connections[1]).toEqual({ from: a, to: c, branch: '別案' });
    expect(connect(named, a, c).connections).toEqual(named.connections);
  });

  it('joins parents and children of a node that goes, or leaves them apart', () => {
    const joined = removeNode(diamond, a, true);
    expect(new FlowGraph(joined).roots()).toEqual([b, c]);
    const middle = removeNode(diamond, b, true);
    expect(middle.connections).toContainEqual({ from: a, to: d });
    const cut = removeNode(diamond, b, false);
    expect(cut.connections).toEqual([
      { from: a, to: c },
      { from: c, to: d },
    ]);
    expect(removeNode(diamond, d, true).head).toBe(b);
    expect(removeNode(diamond, 'x', true)).toBe(diamond);
  });

  it('makes a straight line in which nodes keep their indices', () => {
    const line = straightLine(diamond, [d, ids[9] ?? '', a]);
    expect(line.nodes).toEqual([
      { id: d, index: 4 },
      { id: ids[9], index: 5 },
      { id: a, index: 1 },
    ]);
    expect(line.head).toBe(a);
    expect(new FlowGraph(line).lineTo(a)).toEqual([d, ids[9], a]);
    expect(straightLine(diamond, []).head).toBeUndefined();
    expect(() => straightLine(diamond, [a, a])).toThrow('comes twice');
  });
});
