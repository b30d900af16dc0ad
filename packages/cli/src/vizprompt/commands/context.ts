import type { Command } from '@commander-js/extra-typings';
import type { ContextReport } from '@vizprompt/core';
import { omitUndefined as defined } from '@vizprompt/providers/internal';
import { CliError } from '../../errors.ts';
import { type Cli, remark } from '../../frame/cli.ts';
import { commaList, wholeNumber } from '../../frame/option-values.ts';
import type { VizpromptMessages } from '../messages/en.ts';
import { nodeId, nodeIds } from '../node-id.ts';
import { openProject } from '../open-project.ts';
import { readInstructions, readPrompt } from '../read-texts.ts';

export const examples: readonly string[] = [
  'vizprompt context --prompt "期限はいつでしたか？" --budget 4000',
  'vizprompt context --prompt-file question.txt --node 3 --references 5,6 --report',
];

export function define(command: Command, cli: Cli<VizpromptMessages>): void {
  const { options: text } = cli.text;
  command
    .option('--prompt <text>', text.prompt)
    .option('--prompt-file <file>', text.promptFile)
    .option('--instructions <text>', text.instructions)
    .option('--instructions-file <file>', text.instructionsFile)
    .option('--flow <flow>', text.flow)
    .option('--node <node>', text.node)
    .option('--budget <tokens>', text.budget, wholeNumber(cli, { min: 1 }))
    .option('--references <nodes>', text.references, commaList)
    .option('--pin <nodes>', text.pin, commaList)
    .option('--exclude <nodes>', text.exclude, commaList)
    .option('--report', text.report)
    .action(async (given) => {
      const { flow, budget } = given;
      const prompt = await readPrompt(cli, given);
      if (prompt === undefined) {
        throw new CliError('usage', cli.frame.giveOne('--prompt, --prompt-file'));
      }
      const instructions = await readInstructions(cli, given);
      await using vizprompt = await openProject(cli, { onlyReads: true });
      const nodes = { vizprompt, flow };
      const context = await vizprompt.buildContext({
        prompt,
        ...defined({
          instructions,
          flow,
          budgetTokens: budget,
          node: given.node === undefined ? undefined : await nodeId(cli, nodes, given.node),
          references: given.references && (await nodeIds(cli, nodes, given.references)),
          pin: given.pin && (await nodeIds(cli, nodes, given.pin)),
          exclude: given.exclude && (await nodeIds(cli, nodes, given.exclude)),
        }),
        signal: cli.signal,
      });
      await cli.print(context, () => context.text);
      if (given.report) await tell(cli, context.report);
    });
}

async function tell(cli: Cli<VizpromptMessages>, report: ContextReport): Promise<void> {
  for (const { label, form, reason, tokens } of report.entries) {
    await remark(cli, `${label}\t${form}\t${reason}\t${tokens}`);
  }
  const { tokens, budget, everything } = report;
  await remark(cli, cli.text.contextTokens(tokens, budget, everything.tokens));
}
