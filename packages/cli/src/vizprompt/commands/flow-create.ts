import type { Command } from '@commander-js/extra-typings';
import { omitUndefined as defined } from '@vizprompt/providers/internal';
import type { Cli } from '../../frame/cli.ts';
import type { VizpromptMessages } from '../messages/vizprompt-messages.ts';
import { openProject } from '../open-project.ts';

export const examples: readonly string[] = [
  'vizprompt flow create 設計',
  'vizprompt flow create "API design" --alias api --description "What the API looks like"',
];

export function define(command: Command, cli: Cli<VizpromptMessages>): void {
  command
    .argument('<name>', cli.text.args.flowName)
    .option('--alias <alias>', cli.text.options.alias)
    .option('--description <text>', cli.text.options.description)
    .action(async (name, { alias, description }) => {
      await using vizprompt = await openProject(cli);
      const flow = await vizprompt.createFlow({ name, ...defined({ alias, description }) });
      await cli.print(flow, () => cli.text.flowCreated(flow.name, flow.id));
    });
}
