import { VizPromptError } from '../errors.ts';
import { addNode, assertNoCycle, assertNode } from '../flow/edit-flow.ts';
import type { Flow, FlowConnection } from '../flow/flow.ts';

/**
 * A flow in which a node stands between two others that were connected. It takes the place of the
 * connection, so the main parents and the order of branches stay as they are. A node that is not in
 * the flow joins it, and the head stays where it is.
 *
 * @throws VizPromptError with the code `cycle`, `node-not-found` or `invalid-input`.
 */
export function insertNodeBetween(flow: Flow, parent: string, child: string, node: string): Flow {
  assertNode(flow, parent);
  assertNode(flow, child);
  const at = flow.connections.findIndex(({ from, to }) => from === parent && to === child);
  const between = flow.connections[at];
  if (!between) {
    throw new VizPromptError('invalid-input', `${child} does not go on from ${parent}`, {
      context: { parent, child },
    });
  }
  if (node === parent || node === child) {
    throw new VizPromptError('cycle', `a node cannot stand between itself and another: ${node}`, {
      context: { from: parent, to: child, path: [node] },
    });
  }
  const joined = addNode(flow, node, []);
  const rest = flow.connections.toSpliced(at, 1);
  const known = new Set(rest.map(({ from, to }) => `${from} ${to}`));
  const added: FlowConnection[] = [];
  if (!known.has(`${parent} ${node}`)) added.push({ ...between, to: node });
  if (!known.has(`${node} ${child}`)) added.push({ from: node, to: child });
  assertNoCycle({ nodes: joined.nodes, connections: rest }, parent, node);
  assertNoCycle({ nodes: joined.nodes, connections: rest }, node, child);
  const connections = rest.toSpliced(at, 0, ...added);
  const { head } = flow;
  return { ...joined, ...(head === undefined ? {} : { head }), connections };
}
