import type { Command } from '@commander-js/extra-typings';
import type { Cli } from '../../frame/cli.ts';
import type { VizpromptMessages } from '../messages/vizprompt-messages.ts';
import { openProject } from '../open-project.ts';
import { remark } from '../../frame/remark.ts';

export const examples: readonly string[] = ['vizprompt flow list'];

export function define(command: Command, cli: Cli<VizpromptMessages>): void {
  command.action(async () => {
    await using vizprompt = await openProject(cli, { onlyReads: true });
    const flows = await vizprompt.listFlows();
    if (flows.length === 0) await remark(cli, cli.frame.nothingFound);
    if (cli.isJson) return cli.out.json(flows);
    for (const { id, nodes, name, alias } of flows) {
      const title = alias === undefined || alias === name ? name : `${alias}: ${name}`;
      await cli.out.line(cli.text.flowLine(id, nodes, title));
    }
  });
}
