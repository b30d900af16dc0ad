import type { AskOptions, ChatTurn, StoredFlow, VizPrompt } from '@vizprompt/core';
import { omitUndefined as defined } from '@vizprompt/providers/internal';
import { CliError } from '../../errors.ts';
import type { Cli } from '../../frame/cli.ts';
import type { VizpromptMessages } from '../messages/vizprompt-messages.ts';
import { nodeId } from '../node-id.ts';
import { showTurn } from './show-turn.ts';

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
    return this.#cli.err.line(text.chat.goesOn(numberOf(flow, id), firstLine(node.prompt)));
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
        numberOf: async (id) => numberOf(await this.#flow(), id),
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

function numberOf({ nodes }: StoredFlow, id: string): string {
  return String(nodes.find((node) => node.id === id)?.index ?? id);
}

function firstLine(text: string): string {
  return text.trim().split('\n', 1)[0] ?? '';
}
