import type { AskOptions, ChatTurn, ChatTurnEvent, StoredFlow, VizPrompt } from '@vizprompt/core';
import { omitUndefined as defined } from '@vizprompt/providers/internal';
import { CliError } from '../errors.ts';
import type { Cli } from '../frame/cli.ts';
import { printable } from '../frame/output.ts';
import type { VizpromptMessages } from './messages/en.ts';
import { nodeId } from './node-id.ts';

/** How a chat begins. */
export interface ChatStart {
  readonly flow: string | undefined;
  /** The id of the node to continue from; `undefined`: the head of the flow. */
  readonly from: string | undefined;
  /** The name of the branch that the first message begins. */
  readonly branchName: string | undefined;
  /** True if thoughts are shown. */
  readonly reasoning: boolean;
  readonly ask: Pick<AskOptions, 'instructions' | 'budget' | 'references' | 'pin' | 'exclude'>;
}

/**
 * A chat that continues from what it said itself, whatever others do in the flow meanwhile. Answers are shown as
 * they come.
 */
export class ChatSession {
  readonly #cli: Cli<VizpromptMessages>;
  readonly #vizprompt: VizPrompt;
  readonly #start: ChatStart;
  #at: string | undefined;
  #branchName: string | undefined;

  constructor(cli: Cli<VizpromptMessages>, vizprompt: VizPrompt, start: ChatStart) {
    this.#cli = cli;
    this.#vizprompt = vizprompt;
    this.#start = start;
    this.#at = start.from;
    this.#branchName = start.branchName;
  }

  /** The flow, as it was named. */
  get flow(): string {
    return this.#start.flow ?? 'main';
  }

  /** Asks the model. */
  async say(prompt: string, signal: AbortSignal): Promise<void> {
    const place = defined({ from: this.#at, branchName: this.#branchName });
    await this.#show(this.#vizprompt.chat({ prompt, ...this.#ask(signal), ...place }));
  }

  /** Asks the same again. */
  async retry(signal: AbortSignal): Promise<void> {
    await this.#show(this.#vizprompt.retry(await this.#last(), this.#ask(signal)));
  }

  /** Asks something else instead of the last message. */
  async edit(prompt: string, signal: AbortSignal): Promise<void> {
    if (prompt === '') throw new CliError('usage', this.#cli.text.chat.needsText);
    await this.#show(this.#vizprompt.edit(await this.#last(), prompt, this.#ask(signal)));
  }

  /** Continues with an answer that was cut off. */
  async continue(signal: AbortSignal): Promise<void> {
    await this.#show(this.#vizprompt.continue(await this.#last(), this.#ask(signal)));
  }

  /**
   * Lets the next message continue from another node.
   *
   * @param words - The number of the node, or its id; then the name of the branch, if it gets one.
   */
  async branch(words: string): Promise<void> {
    const { text } = this.#cli;
    const [word = '', name = ''] = words.split(/\s+(.*)/s);
    if (word === '') throw new CliError('usage', text.chat.needsNode);
    const flow = await this.#flow();
    const id = await nodeId(this.#cli, { vizprompt: this.#vizprompt, flow: flow.id }, word);
    const node = await this.#vizprompt.getNode(id);
    this.#at = id;
    this.#branchName = name === '' ? undefined : name;
    if (this.#cli.isJson) return this.#cli.out.json({ type: 'branch', node: id });
    return this.#cli.err.line(text.chat.goesOn(indexIn(flow, id), firstLine(node.prompt)));
  }

  /** Shows the branches. */
  async tree(): Promise<void> {
    const { out, isJson } = this.#cli;
    const flow = await this.#flow();
    if (isJson) return out.json({ type: 'tree', flow });
    return out.line((await this.#vizprompt.toText(flow.id, { width: out.columns })).trimEnd());
  }

  async #show(turn: ChatTurn): Promise<void> {
    for await (const event of turn) {
      if (event.type === 'asked') {
        this.#at = event.node.id;
        this.#branchName = undefined;
      }
      await showTurn(this.#cli, event, {
        reasoning: this.#start.reasoning,
        numberOf: async (id) => indexIn(await this.#flow(), id),
      });
    }
  }

  #ask(signal: AbortSignal): AskOptions {
    return { ...this.#start.ask, ...defined({ flow: this.#start.flow }), signal };
  }

  #flow(): Promise<StoredFlow> {
    return this.#vizprompt.getFlow(this.#start.flow);
  }

  /** Returns the node that the chat is at. */
  async #last(): Promise<string> {
    const flows = await this.#vizprompt.listFlows();
    const isEmpty = flows.length === 0 && this.#start.flow === undefined;
    const id = this.#at ?? (isEmpty ? undefined : (await this.#flow()).head);
    if (id === undefined) throw new CliError('not-found', this.#cli.text.chat.nothingYet);
    return id;
  }
}

function indexIn({ nodes }: StoredFlow, id: string): string {
  return String(nodes.find((node) => node.id === id)?.index ?? id);
}

function firstLine(text: string): string {
  return text.trim().split('\n', 1)[0] ?? '';
}

/** How an answer is shown. */
interface ShowOptions {
  /** True if thoughts are shown. */
  readonly reasoning: boolean;
  /** Returns the number of a node in the map of the flow. */
  readonly numberOf: (id: string) => Promise<string>;
}

/** Shows what happens in the course of an answer: on a line as JSON, or as text. */
async function showTurn(
  cli: Cli<VizpromptMessages>,
  event: ChatTurnEvent,
  { reasoning, numberOf }: ShowOptions,
): Promise<void> {
  const { chat } = cli.text;
  if (cli.isJson) return cli.out.json(plain(event));
  switch (event.type) {
    case 'asked':
      return;
    case 'text':
      // Only a terminal obeys what it is shown; a file gets what was said.
      return cli.out.write(event.text);
    case 'reasoning':
      if (reasoning) await cli.err.write(cli.err.style('dim', printable(event.text)));
      return;
    case 'detail':
      return cli.err.line(cli.err.style('dim', chat.asksDetail(event.ids.join(', '))));
    case 'answered': {
      const { finishReason, usage, node } = event;
      await cli.out.write('\n');
      if (finishReason !== 'stop') {
        await cli.err.line(cli.err.style('yellow', chat.ended(finishReason)));
      }
      if (!cli.out.isTerminal) return;
      const { inputTokens = 0, outputTokens = 0 } = usage;
      const told = chat.usage(await numberOf(node.id), inputTokens, outputTokens);
      return cli.err.line(cli.err.style('dim', told));
    }
  }
}

/** Leaves out the messages of the context, which repeat the whole conversation: programs need its report only. */
function plain(event: ChatTurnEvent): object {
  if (event.type !== 'asked') return event;
  return { type: event.type, node: event.node, context: event.context.report };
}
