// A chat in the terminal with any model:
//   npx tsx examples/chat.ts --model ollama:llama3.2 | openai:gpt-5-mini | gemini:gemini-3-flash
//
// With --prompt it asks once and ends. Ctrl-C stops an answer; at the prompt it ends the chat.
import { stdin, stdout } from 'node:process';
import { createInterface } from 'node:readline/promises';
import { parseArgs } from 'node:util';
import { LLMError, textMessage, type ChatModel, type Message } from '@vizprompt/providers';
import { createModelRegistry } from '@vizprompt/providers/registry';

const { values } = parseArgs({
  options: {
    model: { type: 'string' },
    prompt: { type: 'string' },
    'base-url': { type: 'string' },
  },
});

try {
  if (values.model === undefined) throw new Error('say which model: --model ollama:llama3.2');
  const baseURL = values['base-url'];
  const model = createModelRegistry().model(values.model, baseURL ? { baseURL } : {});
  if (values.prompt === undefined) await chat(model);
  else await answer(model, [textMessage('user', values.prompt)]);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

async function chat(model: ChatModel): Promise<void> {
  const terminal = createInterface({ input: stdin, output: stdout, prompt: '> ' });
  const messages: Message[] = [];
  terminal.prompt();
  for await (const line of terminal) {
    if (line.trim() !== '') {
      const question = textMessage('user', line);
      const controller = new AbortController();
      const stop = (): void => controller.abort();
      terminal.once('SIGINT', stop);
      try {
        const said = await answer(model, [...messages, question], controller.signal);
        messages.push(question, textMessage('assistant', said));
      } catch (error) {
        if (!LLMError.isInstance(error) || error.code !== 'aborted') throw error;
        stdout.write(' (stopped)\n');
      } finally {
        terminal.off('SIGINT', stop);
      }
    }
    terminal.prompt();
  }
}

/** Prints an answer as it comes. */
async function answer(
  model: ChatModel,
  messages: readonly Message[],
  signal?: AbortSignal,
): Promise<string> {
  let said = '';
  for await (const event of model.stream({ messages, ...(signal ? { signal } : {}) })) {
    if (event.type === 'start') {
      for (const { message } of event.warnings) console.error(`(${message})`);
    } else if (event.type === 'text-delta') {
      said += event.text;
      stdout.write(event.text);
    } else if (event.type === 'finish') {
      const { inputTokens = '?', outputTokens = '?' } = event.usage;
      stdout.write(`\n(${inputTokens} + ${outputTokens} tokens, ${event.reason})\n`);
    }
  }
  return said;
}
