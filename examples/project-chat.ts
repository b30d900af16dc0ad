// A chat in the terminal that is kept as a project, and branches, with any model:
//   npx tsx examples/project-chat.ts ./my-project --model ollama:llama3.2 | openai:gpt-5-mini
//
// /help says what else there is. Ctrl-C stops an answer; at the prompt it ends the chat.
import { writeFile } from 'node:fs/promises';
import { stdin, stdout } from 'node:process';
import { createInterface } from 'node:readline/promises';
import { parseArgs } from 'node:util';
import { VizPrompt, type ChatTurn } from '@vizprompt/core';
import { createModelRegistry } from '@vizprompt/providers/registry';

const HELP = `/retry           asks the same again: a branch beside the last answer
/edit TEXT       asks something else in its place
/continue        goes on with an answer that was cut off
/go NUMBER       goes on from another node
/map             shows the branches
/find WORDS      searches all that was said
/html FILE       writes a page with the graph
`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { model: { type: 'string' }, 'base-url': { type: 'string' } },
});

try {
  if (values.model === undefined) throw new Error('say which model: --model ollama:llama3.2');
  const baseURL = values['base-url'];
  const model = createModelRegistry().model(values.model, baseURL ? { baseURL } : {});
  await using vizprompt = await VizPrompt.open(positionals[0] ?? './my-project', { model });
  await chat(vizprompt);
} catch (error) {
  console.error(messageOf(error));
  process.exitCode = 1;
}

async function chat(vizprompt: VizPrompt): Promise<void> {
  const terminal = createInterface({ input: stdin, output: stdout, prompt: '> ' });
  terminal.prompt();
  for await (const line of terminal) {
    const controller = new AbortController();
    const stop = (): void => controller.abort();
    terminal.once('SIGINT', stop);
    try {
      await obey(vizprompt, line.trim(), controller.signal);
    } catch (error) {
      console.error(messageOf(error));
    } finally {
      terminal.off('SIGINT', stop);
    }
    terminal.prompt();
  }
}

async function obey(vizprompt: VizPrompt, line: string, signal: AbortSignal): Promise<void> {
  const [command = '', rest = ''] = /^\/\w+/.test(line) ? line.split(/\s+(.*)/s) : ['', line];
  const head = async (): Promise<string> => (await vizprompt.getFlow()).head ?? '';
  if (command === '/retry') await show(vizprompt.retry(await head(), { signal }));
  else if (command === '/edit') await show(vizprompt.edit(await head(), rest, { signal }));
  else if (command === '/continue') await show(vizprompt.continue(await head(), { signal }));
  else if (command === '/go') await goTo(vizprompt, Number(rest));
  else if (command === '/map') stdout.write(await vizprompt.toText());
  else if (command === '/find') await find(vizprompt, rest);
  else if (command === '/html') {
    await writeFile(rest, await vizprompt.exportFlow('main', { format: 'html' }));
  } else if (command !== '') stdout.write(HELP);
  else if (rest !== '') await show(vizprompt.chat({ prompt: rest, signal }));
}

/** Shows an answer as it comes. */
async function show(turn: ChatTurn): Promise<void> {
  for await (const event of turn) {
    if (event.type === 'text') stdout.write(event.text);
    else if (event.type === 'answered') stdout.write('\n');
  }
}

/** The numbers are those of the map. */
async function goTo(vizprompt: VizPrompt, number: number): Promise<void> {
  const { id, nodes } = await vizprompt.getFlow();
  const node = nodes.find(({ index }) => index === number);
  if (!node) throw new Error(`there is no node ${number}: /map shows the numbers`);
  await vizprompt.updateFlow(id, { head: node.id });
}

async function find(vizprompt: VizPrompt, text: string): Promise<void> {
  for (const { title, snippet } of await vizprompt.searchNodes({ text, limit: 5 })) {
    console.log(`${title}: ${snippet?.text ?? ''}`);
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
