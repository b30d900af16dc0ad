import type { Command } from '@commander-js/extra-typings';
import { omitUndefined as defined } from '@vizprompt/providers/internal';
import type { Cli } from '../../frame/cli.ts';
import type { VizpromptMessages } from '../messages/vizprompt-messages.ts';
import { openProject } from '../open-project.ts';
import { nodeId } from '../node-id.ts';

export const examples: readonly string[] = [
  'vizprompt flow connect 2 4',
  'vizprompt flow connect 2 4 --flow 設計 --branch-name "本命"',
];

export function define(command: Command, cli: Cli<VizpromptMessages>): void {
  command
    .argument('<from>', cli.text.args.from)
    .argument('<to>', cli.text.args.to)
    .option('--flow <flow>', cli.text.options.flow)
    .option('--branch-name <name>', cli.text.options.branchName)
    .action(async (fromWord, toWord, { flow, branchName }) => {
      await using vizprompt = await openProject(cli);
      const from = await nodeId(cli, { vizprompt, flow }, fromWord);
      const to = await nodeId(cli, { vizprompt, flow }, toWord);
      const connected = await vizprompt.connectNodes(from, to, defined({ flow, branchName }));
      await cli.print(connected, () => cli.text.connected(fromWord, toWord, connected.name));
    });
}
