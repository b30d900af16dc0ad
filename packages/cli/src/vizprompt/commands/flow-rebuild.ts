import type { Command } from '@commander-js/extra-typings';
import type { Cli } from '../../frame/cli.ts';
import type { VizpromptMessages } from '../messages/vizprompt-messages.ts';
import { openProject } from '../open-project.ts';
import { nodeIds } from '../node-id.ts';

export const examples: readonly string[] = ['vizprompt flow rebuild main 1 3 4'];

export function define(command: Command, cli: Cli<VizpromptMessages>): void {
  command
    .argument('<flow>', cli.text.args.flow)
    .argument('<nodes...>', cli.text.args.nodes)
    .action(async (name, words) => {
      await using vizprompt = await openProject(cli);
      const ids = await nodeIds(cli, { vizprompt, flow: name }, words);
      const flow = await vizprompt.rebuildFlow(name, ids);
      await cli.print(flow, () => cli.text.rebuilt(flow.name, flow.nodes.length));
    });
}
