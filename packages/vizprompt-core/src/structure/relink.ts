import { VizPromptError } from '../errors.ts';
import { assertNoCycle, assertNode } from '../flow/edit-flow.ts';
import type { Flow } from '../flow/flow.ts';

/**
 * A flow in which a node goes on from another parent. The new parent takes the place of the old one,
 * also as the main one, and the name of the branch stays.
 *
 * @param from - The parent that is replaced; may be left out where there is only one.
 * @param to - The new parent; `null`: none.
 * @throws VizPromptError with the code `cycle`, `node-not-found` or `invalid-input`.
 */
export function relinkNode(
  flow: Flow,
  node: string,
  from: string | undefined,
  to: string | null,
): Flow {
  assertNode(flow, node);
  const parents = flow.connections.filter((other) => other.to === node).map((other) => other.from);
  const old = from ?? only(node, parents);
  if (old !== undefined && !parents.includes(old)) {
    assertNode(flow, old);
    throw new VizPromptError('invalid-input', `the node ${node} does not go on from ${old}`, {
      context: { node, from: old, parents },
    });
  }
  if (to === old) return flow;
  const isOld = (other: Flow['connections'][number]): boolean =>
    other.from === old && other.to === node;
  const rest = flow.connections.filter((other) => !isOld(other));
  if (to === null) return { ...flow, connections: rest };
  assertNode(flow, to);
  assertNoCycle({ nodes: flow.nodes, connections: rest }, to, node);
  if (parents.includes(to)) return { ...flow, connections: rest };
  if (old === undefined) {
    return { ...flow, connections: [...flow.connections, { from: to, to: node }] };
  }
  const connections = flow.connections.map((other) =>
    isOld(other) ? { ...other, from: to } : other,
  );
  return { ...flow, connections };
}

function only(node: string, parents: readonly string[]): string | undefined {
  if (parents.length <= 1) return parents[0];
  throw new VizPromptError(
    'invalid-input',
    `the node ${node} goes on from several, so say by 'from' which is replaced: ${parents.join(', ')}`,
    { context: { node, parents } },
  );
}
