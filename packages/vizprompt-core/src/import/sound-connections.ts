import { FlowGraph } from '../flow/flow-graph.ts';
import type { Flow, FlowConnection } from '../flow/flow.ts';

/**
 * The connections of a flow that make sense: those that lead from node to node, once, and not round
 * in a circle. Of each circle, the connection that stands last is left out.
 *
 * @param warnings - Takes what was left out.
 */
export function soundConnections(
  { nodes, connections }: Pick<Flow, 'nodes' | 'connections'>,
  warnings: string[],
): readonly FlowConnection[] {
  const ids = new Set(nodes.map(({ id }) => id));
  const known = new Set<string>();
  let sound = connections.filter(({ from, to }) => {
    const problem = problemOf(ids.has(from) && ids.has(to), known.has(`${from} ${to}`));
    if (problem) warnings.push(`the connection ${from} → ${to} ${problem}: it was left out`);
    known.add(`${from} ${to}`);
    return problem === undefined;
  });
  for (;;) {
    const cycle = new FlowGraph({ nodes, connections: sound }).findCycle();
    if (!cycle) return sound;
    const edges = new Set(cycle.map((id, at) => `${id} ${cycle[at + 1] ?? ''}`));
    const last = sound.findLast(({ from, to }) => edges.has(`${from} ${to}`));
    warnings.push(`the connection ${last?.from} → ${last?.to} closes a circle: it was left out`);
    sound = sound.filter((connection) => connection !== last);
  }
}

function problemOf(isBetweenNodes: boolean, isTwice: boolean): string | undefined {
  if (!isBetweenNodes) return 'leads to no node of the flow';
  return isTwice ? 'stands twice' : undefined;
}
