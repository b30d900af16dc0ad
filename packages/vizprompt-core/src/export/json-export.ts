import type { StoredNode } from '../node/node.ts';
import type { EmbeddedAttachment } from './embed-attachments.ts';
import type { FlowView } from './flow-view.ts';

/** A flow and its nodes with all that they hold, and the files that go with them. */
export function toJson(
  { flow, labels }: FlowView,
  nodes: ReadonlyMap<string, StoredNode>,
  attachments: readonly EmbeddedAttachment[],
): string {
  const exported = {
    format: 'vizprompt-flow',
    version: 1,
    flow,
    nodes: [...nodes.values()].map(({ file: _file, version: _version, ...node }) => {
      const keywords = labels.get(node.id)?.keywords ?? [];
      return keywords.length > 0 ? { ...node, keywords } : node;
    }),
    ...(attachments.length > 0 ? { attachments } : {}),
  };
  return `${JSON.stringify(exported, null, 2)}\n`;
}
