import type { Command } from '@commander-js/extra-typings';
import { omitUndefined as defined } from '@vizprompt/providers/internal';
import { CliError } from '../../errors.ts';
import type { Cli } from '../../frame/cli.ts';
import { commaList } from '../../frame/option-values.ts';
import type { VizpromptMessages } from '../messages/vizprompt-messages.ts';
import { nodeId } from '../node-id.ts';
import { openProject } from '../open-project.ts';
import { readPrompt, readResponse } from '../read-texts.ts';

export const examples: readonly string[] = [
  'vizprompt update-node 3 --response-file answer.txt',
  'vizprompt update-node 3 --tags "認証,決定"',
];

export function define(command: Command, cli: Cli<VizpromptMessages>): void {
  const { options: text } = cli.text;
  command
    .argument('<node>', cli.text.args.node)
    .option('--flow <flow>', text.flow)
    .option('--prompt <text>', text.prompt)
    .option('--response <text>', text.response)
    .option('--prompt-file <file>', text.promptFile)
    .option('--response-file <file>', text.responseFile)
    .option('--tags <list>', text.nodeTags, commaList)
    .option('--summary <text>', text.summary)
    .option('--model <name>', text.nodeModel)
    .option('--if-version <version>', text.ifVersion)
    .action(async (word, given) => {
      const { flow, tags, summary, model, ifVersion } = given;
      const prompt = await readPrompt(cli, given);
      const response = await readResponse(cli, given);
      const patch = defined({ prompt, response, tags, summary, model });
      if (Object.keys(patch).length === 0) {
        const names = '--prompt, --response, --tags, --summary, --model';
        throw new CliError('usage', cli.text.nothingGiven(names));
      }
      await using vizprompt = await openProject(cli);
      const id = await nodeId(cli, { vizprompt, flow }, word);
      const node = await vizprompt.updateNode(id, patch, defined({ ifVersion }));
      await cli.print(node, () => cli.text.updated(node.id));
    });
}
