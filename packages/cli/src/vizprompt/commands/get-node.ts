import type { Command } from '@commander-js/extra-typings';
import type { StoredNode } from '@vizprompt/core';
import type { Cli } from '../../frame/cli.ts';
import type { VizpromptMessages } from '../messages/vizprompt-messages.ts';
import { nodeId } from '../node-id.ts';
import { openProject } from '../open-project.ts';

export const examples: readonly string[] = [
  'vizprompt get-node 3',
  'vizprompt get-node 0198f2c5-6a1e-7c3b-9d2f-4e5a6b7c8d9e --json',
];

export function define(command: Command, cli: Cli<VizpromptMessages>): void {
  command
    .argument('<node>', cli.text.args.node)
    .option('--flow <flow>', cli.text.options.flow)
    .option('--versions', cli.text.options.versions)
    .action(async (word, { flow, versions }) => {
      await using vizprompt = await openProject(cli, { onlyReads: true });
      const id = await nodeId(cli, { vizprompt, flow }, word);
      const node = await vizprompt.getNode(id);
      if (!versions) return cli.print(node, () => showNode(cli.text, node));
      const all = await vizprompt.getNodeVersions(id);
      return cli.print(all, () => all.map((each) => showNode(cli.text, each)).join('\n\n'));
    });
}

/** Returns a node as text. */
function showNode({ labels }: VizpromptMessages, node: StoredNode): string {
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
