import fc from 'fast-check';
import { FlowGraph } from '@vizprompt/core';
import { describe, expect, it } from 'vitest';
import { closingConnections } from '../../src/doctor/repair-raw-flow.ts';

const graphs = fc.integer({ min: 1, max: 8 }).chain((size) =>
  fc.record({
    size: fc.constant(size),
    edges: fc.array(fc.tuple(fc.nat(size - 1), fc.nat(size - 1)), { maxLength: 20 }),
  }),
);

function flowOf(
  size: number,
  edges: readonly (readonly [number, number])[],
): ConstructorParameters<typeof FlowGraph>[0] {
  const nodes = Array.from({ length: size }, (_, index) => ({ id: `n${index}`, index }));
  return { nodes, connections: edges.map(([from, to]) => ({ from: `n${from}`, to: `n${to}` })) };
}

/** Counts how often it is asked for the next nodes. */
class CountingGraph extends FlowGraph {
  steps = 0;

  override children(id: string): readonly string[] {
    this.steps++;
    return super.children(id);
  }
}

describe('circles of a graph', () => {
  it('are found if there are any, and are ways of the graph', () => {
    fc.assert(
      fc.property(graphs, ({ size, edges }) => {
        const flow = flowOf(size, edges);
        const ids = flow.nodes.map(({ id }) => id);
        const graph = new FlowGraph(flow);
        const cycle = graph.findCycle();
        expect(cycle === undefined).toBe(graph.topologicalOrder().length === size);
        const closing = closingConnections(ids, graph);
        expect(closing.length > 0).toBe(cycle !== undefined);
        for (const way of [...(cycle ? [cycle] : []), ...closing.map((one) => one.way)]) {
          expect(way.at(-1)).toBe(way[0]);
          expect(new Set(way).size).toBe(way.length - 1);
          for (const [at, id] of way.slice(1).entries()) {
            expect(graph.children(way[at] ?? '')).toContain(id);
          }
        }
        const gone = new Set(closing.map(({ from, to }) => `${from} ${to}`));
        const connections = flow.connections.filter(({ from, to }) => !gone.has(`${from} ${to}`));
        expect(new FlowGraph({ nodes: flow.nodes, connections }).findCycle()).toBeUndefined();
      }),
    );
  });

  it('are found in one pass, however many there are', () => {
    const size = 2000;
    const last = size - 1;
    const chain = Array.from({ length: last }, (_, at): [number, number] => [at + 1, at]);
    const ids = Array.from({ length: size }, (_, at) => `n${at}`);
    // The descendants of a circle come first.
    const below = new FlowGraph(flowOf(size, [...chain, [last - 1, last]]));
    expect(below.findCycle()).toEqual([`n${last - 1}`, `n${last}`, `n${last - 1}`]);
    const selves = new CountingGraph(
      flowOf(
        size,
        ids.map((_, at): [number, number] => [at, at]),
      ),
    );
    expect(closingConnections(ids, selves)).toHaveLength(size);
    expect(selves.steps).toBe(2 * size);
    const back = chain.map(([from, to]): [number, number] => [to, from]);
    const toFirst = Array.from({ length: last }, (_, at): [number, number] => [at + 1, 0]);
    const graph = new CountingGraph(flowOf(size, [...back, ...toFirst]));
    const closing = closingConnections(ids, graph);
    expect(closing).toHaveLength(last);
    expect(graph.steps).toBe(3 * size - 2);
    expect(Math.max(...closing.slice(0, 1000).map(({ way }) => way.length))).toBeLessThan(30);
  });
});
