import type { StoredNode } from '@vizprompt/core';
import type { VizpromptMessages } from './messages/vizprompt-messages.ts';

/** Returns a node as text. */
export function showNode({ labels }: VizpromptMessages, node: StoredNode): string {
  const { summary, tags, model, speaker, status } = node;
  const outdated = summary.isOutdated && summary.text !== '' ? ` (${labels.outdated})` : '';
  const facts: readonly (readonly [string, string | undefined])[] = [
    [labels.id, node.id],
    [labels.time, node.timestamp],
    [labels.model, model],
    [labels.speaker, speaker],
    [labels.status, status],
    [labels.tags, tags.join(', ')],
    [labels.summary, summary.text && `${summary.text}${outdated}`],
    [labels.file, node.file],
  ];
  return [
    ...facts.flatMap(([label, value]) => (value ? [`${label}: ${value}`] : [])),
    '',
    `── ${labels.prompt}`,
    node.prompt,
    '',
    `── ${labels.response}`,
    node.response,
  ].join('\n');
}
