import { createInterface, type Interface } from 'node:readline';
import type { Command } from '@commander-js/extra-typings';
import { LLMError } from '@vizprompt/providers';
import { omitUndefined as defined } from '@vizprompt/providers/internal';
import { CliError } from '../../errors.ts';
import { type Cli, remark } from '../../frame/cli.ts';
import { commaList, wholeNumber } from '../../frame/option-values.ts';
import { reportError } from '../../frame/report-error.ts';
import { ChatSession } from '../chat-session.ts';
import type { VizpromptMessages } from '../messages/en.ts';
import { nodeId, nodeIds } from '../node-id.ts';
import { assertModel, chooseModel, openProject } from '../open-project.ts';
import { readInstructions, readPrompt } from '../read-texts.ts';

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

/**
 * Talks with a person, or with a script: line by line, until there are no more. Ctrl+C breaks off an answer.
 * An error is shown, and the chat continues; a script ends with it.
 */
async function talk(
  cli: Cli<VizpromptMessages>,
  session: ChatSession,
  model: string,
): Promise<void> {
  using input = new ChatInput(cli);
  if (input.isTerminal) await remark(cli, cli.text.chat.welcome(model, session.flow));
  for (;;) {
    const line = await input.next();
    if (line === undefined || line === '/exit') break;
    const answer = new AbortController();
    using _ = input.onInterrupt(() => answer.abort());
    try {
      await obey(cli, session, line, AbortSignal.any([cli.signal, answer.signal]));
    } catch (error) {
      if (answer.signal.aborted && LLMError.isInstance(error) && error.code === 'aborted') {
        await tellStopped(cli);
        continue;
      }
      cli.signal.throwIfAborted();
      if (!input.isTerminal) throw error;
      await reportError(cli, error);
    }
  }
  cli.signal.throwIfAborted();
}

async function tellStopped(cli: Cli<VizpromptMessages>): Promise<void> {
  if (cli.isJson) return cli.out.json({ type: 'stopped' });
  await cli.out.write('\n');
  return remark(cli, cli.text.chat.stopped);
}

async function obey(
  cli: Cli<VizpromptMessages>,
  session: ChatSession,
  line: string,
  signal: AbortSignal,
): Promise<void> {
  if (line.trim() === '') return;
  if (!line.startsWith('/')) return session.say(line, signal);
  if (line.startsWith('//')) return session.say(line.slice(1), signal);
  const [word = '', rest = ''] = line.trim().split(/\s+(.*)/s);
  switch (word) {
    case '/retry':
      return session.retry(signal);
    case '/edit':
      return session.edit(rest, signal);
    case '/continue':
      return session.continue(signal);
    case '/branch':
      return session.branch(rest);
    case '/tree':
      return session.tree();
    case '/help':
      return cli.err.line(cli.text.chat.help);
    default:
      throw new CliError('usage', cli.text.chat.noCommand(word));
  }
}

/** The messages of a person, or of a script, one at a time. */
class ChatInput implements Disposable {
  /** True if a person types. */
  readonly isTerminal: boolean;
  readonly #cli: Cli<VizpromptMessages>;
  readonly #lines: Interface;
  readonly #read: AsyncIterator<string>;
  readonly #signals: Disposable;
  readonly #end = (): void => this.#lines.close();
  /** The input may end while an answer comes. */
  #isOpen = true;
  #interrupt: (() => void) | undefined;
  #isWarned = false;

  constructor(cli: Cli<VizpromptMessages>) {
    this.#cli = cli;
    this.isTerminal = cli.stdin.isTTY === true && cli.out.isTerminal && !cli.isJson;
    this.#lines = createInterface({
      input: cli.stdin,
      ...(this.isTerminal ? { output: cli.out.stream } : {}),
      terminal: this.isTerminal,
    });
    this.#lines.once('close', () => (this.#isOpen = false));
    this.#read = this.#lines[Symbol.asyncIterator]();
    // A terminal that is read key by key makes no signal of Ctrl+C.
    this.#lines.on('SIGINT', () => this.#stop());
    this.#signals = cli.interrupts.onInterrupt(() => this.#stop());
    cli.signal.addEventListener('abort', this.#end, { once: true });
  }

  /** Returns the next message; `undefined` at the end. A line that ends with `\` continues in the next one. */
  async next(): Promise<string | undefined> {
    let message = '';
    for (;;) {
      this.#lines.setPrompt(message === '' ? '> ' : '… ');
      if (this.isTerminal && !this.#cli.signal.aborted) this.#prompt();
      const { value, done } = await this.#read.next();
      if (done === true) return message === '' ? undefined : message.trimEnd();
      this.#isWarned = false;
      if (!value.endsWith('\\')) return message + value;
      message += `${value.slice(0, -1)}\n`;
    }
  }

  /** Handles Ctrl+C while an answer comes. */
  onInterrupt(stop: () => void): Disposable {
    this.#interrupt = stop;
    return { [Symbol.dispose]: () => (this.#interrupt = undefined) };
  }

  [Symbol.dispose](): void {
    this.#cli.signal.removeEventListener('abort', this.#end);
    this.#signals[Symbol.dispose]();
    this.#lines.close();
  }

  /** Between two answers, the first Ctrl+C may have meant the one that has just ended. */
  #stop(): void {
    if (this.#interrupt) return this.#interrupt();
    if (!this.isTerminal) return this.#cli.interrupts.stop('SIGINT');
    if (this.#isWarned) return this.#end();
    this.#isWarned = true;
    void remark(this.#cli, `\n${this.#cli.text.chat.onceMore}`).then(() => this.#prompt());
  }

  /** Nothing after the end of the input. */
  #prompt(): void {
    if (this.#isOpen) this.#lines.prompt();
  }
}
