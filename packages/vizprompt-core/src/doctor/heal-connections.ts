import { highestOf } from '../flow/edit-flow.ts';
import { FlowGraph } from '../flow/flow-graph.ts';
import type { FlowConnection } from '../flow/flow.ts';
import type { RawConnection } from '../flow/parse-flow-yaml.ts';
import { isUuid } from '../format/ids-and-times.ts';
import type { AddFault, HealContext, HealedNodes } from './heal-flow.ts';

type End = 'from' | 'to';

/**
 * The connections of a flow. One that names a node of the project which the flow lacks brings it in;
 * one that leads nowhere, or closes a circle, is left out.
 */
export function healConnections(
  raw: readonly RawConnection[],
  nodes: HealedNodes,
  context: HealContext,
  add: AddFault,
): { readonly connections: FlowConnection[]; readonly isLossy: boolean } {
  let isLossy = false;
  const placed = new Map<string, { connection: FlowConnection; at: RawConnection }>();
  const mentions = countMentions(raw);
  const seen = { from: new Map<number, number>(), to: new Map<number, number>() };

  /** The nodes that an end means: one, unless an index is that of several. */
  const resolve = (at: RawConnection, end: End): readonly string[] => {
    const [index, id] = end === 'from' ? [at.from, at.fromId] : [at.to, at.toId];
    const named = (index === undefined ? undefined : nodes.named.get(index)) ?? [];
    if (id !== undefined) {
      if (!nodes.indices.has(id)) {
        add('dangling-edge', at.place, `'${end}_id: ${id}' is no node of this flow`);
        if (!isUuid(id) || !context.isNode(id)) return [];
        nodes.indices.set(id, highestOf(nodes.indices.values()) + 1);
        nodes.places.set(id, at.place);
      } else if (index !== undefined && !named.includes(id)) {
        const message = `'${end}: ${index}' is not the node of '${end}_id: ${id}', which rules`;
        add('doubtful-flow', at.place, message, true);
      }
      return [id];
    }
    if (index === undefined) add('dangling-edge', at.place, `a connection has no '${end}'`);
    else if (named.length === 0) {
      add('dangling-edge', at.place, `a connection has '${end}: ${index}', and no such node`);
    } else if (named.length > 1) {
      const place = seen[end].get(index) ?? 0;
      seen[end].set(index, place + 1);
      return choose(named, place, mentions[end].get(index) ?? 0, end);
    }
    return named;
  };

  for (const at of raw) {
    const [starts, ends] = [resolve(at, 'from'), resolve(at, 'to')];
    if (starts.length === 0 || ends.length === 0) isLossy = true;
    for (const from of starts) {
      for (const to of ends) {
        const key = `${from} ${to}`;
        const known = placed.get(key);
        if (known) {
          add('doubtful-flow', at.place, 'this connection stands already above', true);
          if (at.branch !== undefined && at.branch !== known.connection.branch) isLossy = true;
          continue;
        }
        const { branch } = at;
        const connection = { from, to, ...(branch === undefined ? {} : { branch }) };
        placed.set(key, { connection, at });
      }
    }
  }
  return { connections: withoutCycles(), isLossy };

  function withoutCycles(): FlowConnection[] {
    const list = [...nodes.indices.keys()].map((id) => ({ id, index: 0 }));
    for (;;) {
      const connections = [...placed.values()].map(({ connection }) => connection);
      const cycle = new FlowGraph({ nodes: list, connections }).findCycle();
      if (!cycle) return connections;
      const edges = new Set(cycle.map((id, at) => `${id} ${cycle[at + 1] ?? ''}`));
      const key = [...placed.keys()].findLast((edge) => edges.has(edge)) ?? '';
      const place = placed.get(key)?.at.place;
      const way = cycle.map((id) => nodes.indices.get(id)).join(' → ');
      if (place) add('cycle', place, `this connection closes a circle: ${way}`);
      placed.delete(key);
      isLossy = true;
    }
  }
}

function countMentions(raw: readonly RawConnection[]): Record<End, Map<number, number>> {
  const count = (list: readonly (number | undefined)[]): Map<number, number> => {
    const counts = new Map<number, number>();
    for (const index of list) {
      if (index !== undefined) counts.set(index, (counts.get(index) ?? 0) + 1);
    }
    return counts;
  };
  return {
    from: count(raw.map(({ from, fromId }) => (fromId === undefined ? from : undefined))),
    to: count(raw.map(({ to, toId }) => (toId === undefined ? to : undefined))),
  };
}

/**
 * Which node is meant by an index that several have, as after two lists were put together: the first
 * mention means the first of them, the second the second. A single connection to it leads to all.
 */
function choose(
  named: readonly string[],
  place: number,
  mentions: number,
  end: End,
): readonly string[] {
  const [first = '', ...others] = named;
  if (mentions === named.length) return [named[place] ?? first];
  return end === 'to' && mentions < named.length ? [first, ...others] : [first];
}
