import type { Command } from '@commander-js/extra-typings';
import { omitUndefined as defined } from '@vizprompt/providers/internal';
import { CliError } from '../../errors.ts';
import type { Cli } from '../../frame/cli.ts';
import { commaList } from '../../frame/option-values.ts';
import type { VizpromptMessages } from '../messages/vizprompt-messages.ts';
import { nodeIds } from '../node-id.ts';
import { openProject } from '../open-project.ts';
import { readPrompt, readResponse } from '../read-texts.ts';

export const examples: readonly string[] = [
  'vizprompt create-node --prompt-file input.txt --response-file output.txt',
  'vizprompt create-node --prompt "認証はどうする？" --response "JWTを使います" --tags "認証,設計"',
  'vizprompt create-node --prompt - --after 3 --branch-name "別案" < question.txt',
];

export function define(command: Command, cli: Cli<VizpromptMessages>): void {
  const { options: text } = cli.text;
  command
    .option('--prompt <text>', text.prompt)
    .option('--response <text>', text.response)
    .option('--prompt-file <file>', text.promptFile)
    .option('--response-file <file>', text.responseFile)
    .option('--tags <list>', text.nodeTags, commaList)
    .option('--model <name>', text.nodeModel)
    .option('--flow <flow>', text.flow)
    .option('--no-flow', text.noFlow)
    .option('--after <nodes>', text.after, commaList)
    .option('--root', text.root)
    .option('--branch-name <name>', text.branchName)
    .action(async (given) => {
      const { tags, model, branchName } = given;
      const flow = typeof given.flow === 'boolean' ? undefined : given.flow;
      if (given.root && given.after) {
        throw new CliError('usage', cli.frame.onlyOne('--after, --root'));
      }
      const prompt = await readPrompt(cli, given);
      const response = await readResponse(cli, given);
      if (prompt === undefined) {
        throw new CliError('usage', cli.frame.giveOne('--prompt, --prompt-file'));
      }
      await using vizprompt = await openProject(cli);
      const after = given.after && (await nodeIds(cli, { vizprompt, flow }, given.after));
      const node = await vizprompt.createNode(
        { prompt, ...defined({ response, tags, model }) },
        {
          ...defined({ flow: given.flow === false ? null : flow, branchName }),
          ...(given.root ? { after: null } : defined({ after })),
        },
      );
      await cli.print(node, () => cli.text.created(node.id));
    });
}
