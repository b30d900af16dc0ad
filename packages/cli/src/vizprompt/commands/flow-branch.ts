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
  'vizprompt flow branch 2 --prompt "別の案は？" --response "セッションです" --branch-name "別案"',
];

export function define(command: Command, cli: Cli<VizpromptMessages>): void {
  const { options: text } = cli.text;
  command
    .argument('<from>', cli.text.args.branchFrom)
    .option('--prompt <text>', text.prompt)
    .option('--response <text>', text.response)
    .option('--prompt-file <file>', text.promptFile)
    .option('--response-file <file>', text.responseFile)
    .option('--tags <list>', text.nodeTags, commaList)
    .option('--model <name>', text.nodeModel)
    .option('--flow <flow>', text.flow)
    .option('--branch-name <name>', text.branchName)
    .action(async (word, given) => {
      const { tags, model, flow, branchName } = given;
      const prompt = await readPrompt(cli, given);
      const response = await readResponse(cli, given);
      if (prompt === undefined) {
        throw new CliError('usage', cli.frame.giveOne('--prompt, --prompt-file'));
      }
      await using vizprompt = await openProject(cli);
      const from = await nodeId(cli, { vizprompt, flow }, word);
      const node = await vizprompt.createBranch(
        from,
        { prompt, ...defined({ response, tags, model }) },
        defined({ flow, branchName }),
      );
      await cli.print(node, () => cli.text.created(node.id));
    });
}
