import type { Command } from '@commander-js/extra-typings';
import { omitUndefined as defined } from '@vizprompt/providers/internal';
import { assertModel, chooseModel } from '../choose-model.ts';
import { ChatSession } from '../chat/chat-session.ts';
import type { Cli } from '../../frame/cli.ts';
import { commaList, wholeNumber } from '../../frame/option-values.ts';
import type { VizpromptMessages } from '../messages/vizprompt-messages.ts';
import { nodeId, nodeIds } from '../node-id.ts';
import { openProject } from '../open-project.ts';
import { readInstructions, readPrompt } from '../read-texts.ts';
import { talk } from '../chat/talk.ts';

export const examples: readonly string[] = [
  'vizprompt chat --model ollama:qwen3',
  'vizprompt chat --model openai:gpt-5-mini --flow 設計 --from 3',
  'vizprompt chat --model ollama:qwen3 --instructions-file editor.txt',
  'vizprompt chat --model gemini:gemini-2.5-flash --prompt-file question.txt > answer.txt',
];

export function define(command: Command, cli: Cli<VizpromptMessages>): void {
  const { options: text } = cli.text;
  command
    .option('--model <name>', text.model)
    .option('--base-url <url>', text.baseUrl)
    .option('--flow <flow>', text.flow)
    .option('--from <node>', text.from)
    .option('--branch-name <name>', text.branchName)
    .option('--prompt <text>', text.chatPrompt)
    .option('--prompt-file <file>', text.promptFile)
    .option('--instructions <text>', text.instructions)
    .option('--instructions-file <file>', text.instructionsFile)
    .option('--budget <tokens>', text.budget, wholeNumber(cli, { min: 1 }))
    .option('--references <nodes>', text.references, commaList)
    .option('--pin <nodes>', text.pin, commaList)
    .option('--exclude <nodes>', text.exclude, commaList)
    .option('--reasoning', text.reasoning)
    .action(async (given) => {
      const { model, baseUrl, flow, budget, branchName, reasoning = false } = given;
      const prompt = await readPrompt(cli, given);
      const instructions = await readInstructions(cli, given);
      const chosen = await chooseModel(cli, { model, baseUrl });
      await using vizprompt = await openProject(cli, chosen);
      assertModel(cli, vizprompt);
      const nodes = { vizprompt, flow };
      const session = new ChatSession(cli, vizprompt, {
        flow,
        from: given.from === undefined ? undefined : await nodeId(cli, nodes, given.from),
        branchName,
        reasoning,
        ask: defined({
          instructions,
          budgetTokens: budget,
          references: given.references && (await nodeIds(cli, nodes, given.references)),
          pin: given.pin && (await nodeIds(cli, nodes, given.pin)),
          exclude: given.exclude && (await nodeIds(cli, nodes, given.exclude)),
        }),
      });
      if (prompt === undefined) await talk(cli, session, model ?? 'config.yaml');
      else await session.say(prompt, cli.signal);
    });
}
