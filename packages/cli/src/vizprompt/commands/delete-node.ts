import type { Command } from '@commander-js/extra-typings';
import type { Cli } from '../../frame/cli.ts';
import type { VizpromptMessages } from '../messages/vizprompt-messages.ts';
import { openProject } from '../open-project.ts';
import { nodeId } from '../node-id.ts';

export const examples: readonly string[] = [
  'vizprompt delete-node 3',
  'vizprompt delete-node 3 --no-join',
];

export function define(command: Command, cli: Cli<VizpromptMessages>): void {
  command
    .argument('<node>', cli.text.args.node)
    .option('--flow <flow>', cli.text.options.flow)
    .option('--no-join', cli.text.options.noJoin)
    .action(async (word, { flow, join }) => {
      await using vizprompt = await openProject(cli);
      const id = await nodeId(cli, { vizprompt, flow }, word);
      await vizprompt.deleteNode(id, { join });
      await cli.print({ id }, () => cli.text.deleted(id));
    });
}
