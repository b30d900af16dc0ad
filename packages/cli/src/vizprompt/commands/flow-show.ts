import type { Command } from '@commander-js/extra-typings';
import type { Cli } from '../../frame/cli.ts';
import type { VizpromptMessages } from '../messages/vizprompt-messages.ts';
import { openProject } from '../open-project.ts';

export const examples: readonly string[] = [
  'vizprompt flow show',
  'vizprompt flow show 設計 --json',
];

export function define(command: Command, cli: Cli<VizpromptMessages>): void {
  command.argument('[flow]', cli.text.args.flow).action(async (name) => {
    await using vizprompt = await openProject(cli, { onlyReads: true });
    const flow = await vizprompt.getFlow(name);
    if (cli.isJson) return cli.out.json(flow);
    const { nodes, connections } = flow;
    await cli.out.line(cli.text.flowHead(flow.name, flow.id, nodes.length, connections.length));
    const map = await vizprompt.toText(flow.id, { width: cli.out.columns });
    if (nodes.length > 0) await cli.out.line(map.trimEnd());
  });
}
