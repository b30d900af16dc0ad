// A chat in the terminal that branches, and is kept as plain files:
//   npx tsx examples/branching-chat/main.ts [FOLDER] [--flow NAME] [--model openai:gpt-5-mini] [--base-url URL]
//
// Without --model an offline stand-in answers, so it runs without a key. /help says what else there is.
// Ctrl+C stops an answer; at the prompt it ends the chat, as Ctrl+D does.
import { stdin, stdout } from 'node:process';
import { createInterface } from 'node:readline/promises';
import { parseArgs } from 'node:util';
import { VizPrompt } from '@vizprompt/core';
import { messageOf, type ChatModel } from '@vizprompt/providers';
import { createModelRegistry } from '@vizprompt/providers/registry';
import { BranchingChat } from './branching-chat.ts';
import { showChanges } from './git-changes.ts';
import { offlineModel } from './offline-model.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    flow: { type: 'string', default: 'main' },
    model: { type: 'string' },
    'base-url': { type: 'string' },
  },
});
const folder = positionals[0] ?? 'branching-chat-data';

try {
  const model =
    values.model === undefined
      ? offlineModel()
      : createModelRegistry().model(values.model, { baseURL: values['base-url'] });
  await talk(model);
  await showChanges(folder);
} catch (error) {
  console.error(messageOf(error));
  process.exitCode = 1;
}

/** Line by line, from a person or from a pipe. An error is printed, and the chat continues. */
async function talk(model: ChatModel): Promise<void> {
  await using vizprompt = await VizPrompt.open(folder, { model });
  const chat = new BranchingChat(vizprompt, values.flow);
  const terminal = createInterface({ input: stdin, output: stdout, prompt: '> ' });
  let isOpen = true;
  terminal.once('close', () => (isOpen = false));
  terminal.prompt();
  for await (const line of terminal) {
    // A pipe is not echoed: the output is to read like the terminal all the same.
    if (!stdin.isTTY) console.log(line);
    if (line.trim() === '/exit') break;
    const answer = new AbortController();
    const stop = (): void => answer.abort();
    terminal.once('SIGINT', stop);
    try {
      await chat.obey(line.trim(), answer.signal);
    } catch (error) {
      console.error(messageOf(error));
    } finally {
      terminal.off('SIGINT', stop);
    }
    // Lines of a pipe come after its end, too, where nothing can be prompted.
    if (isOpen) terminal.prompt();
    else stdout.write(terminal.getPrompt());
  }
  terminal.close();
  console.log();
}
