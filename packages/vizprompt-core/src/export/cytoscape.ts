import type { StoredNode } from '../node/node.ts';
import { knownTime } from '../format/ids-and-times.ts';
import { type FlowView, indicesOf, labelOf } from './flow-view.ts';

/**
 * Returns a flow as JSON for Cytoscape.js (`cytoscape({ container, ...JSON.parse(text) })`), which Cytoscape
 * reads too (`.cyjs`). The parents of a node are in edges only: `data.parent` would make it a
 * box around the node.
 *
 * Source: https://js.cytoscape.org/#notation/elements-json
 */
export function toCytoscape(view: FlowView, nodes: ReadonlyMap<string, StoredNode>): string {
  const { flow } = view;
  const indices = indicesOf(flow);
  const exported = {
    data: { id: flow.id, name: flow.name, description: flow.description },
    elements: {
      nodes: flow.nodes.map(({ id }) => {
        const { title, summary, tags } = labelOf(view, id);
        const index = indices.get(id);
        const { timestamp, model, status } = nodes.get(id) ?? {};
        return {
          data: {
            id,
            index,
            label: `${index} ${title}`,
            title,
            summary,
            tags,
            timestamp: knownTime(timestamp),
            model,
            status,
          },
          ...(flow.head === id ? { classes: 'head' } : {}),
        };
      }),
      edges: flow.connections.map(({ from, to, branch }, at) => {
        return { data: { id: `e${at + 1}`, source: from, target: to, label: branch } };
      }),
    },
  };
  return `${JSON.stringify(exported, null, 2)}\n`;
}
