import type { Flow } from './flow.ts';
import type { RawFlow } from './raw-flow.ts';

/**
 * A flow of the texts at the top of its file, with what stands in for those that are absent. A head that is no node
 * of it gives way to the last node.
 */
export function completeFlow(
  file: string,
  { name, created, updated, description, alias, head, source }: RawFlow['fields'],
  { id, nodes, connections }: Pick<Flow, 'id' | 'nodes' | 'connections'>,
): Flow {
  const realHead = nodes.some((node) => node.id === head) ? head : nodes.at(-1)?.id;
  return {
    id,
    name: name ?? file.replace(/^.*\/|\.ya?ml$/g, ''),
    ...(alias === undefined ? {} : { alias }),
    created: created ?? '',
    updated: updated ?? created ?? '',
    description: description ?? '',
    ...(realHead === undefined ? {} : { head: realHead }),
    ...(source === undefined ? {} : { source }),
    nodes,
    connections,
  };
}
