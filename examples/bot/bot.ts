import type { AskOptions, ChatTurn, ContextEntry, VizPrompt } from '@vizprompt/core';
import type { MemoryStore } from '@vizprompt/memory';
import type { Activity, Passage, Retriever } from '@vizprompt/providers';
import type { ConversationInput, ConversationOutput } from '@vizprompt/talktable';
import type { WorkflowEngine } from '@vizprompt/workflow';
import type { Message } from './front.ts';
import { withSources } from './knowledge.ts';

/** Such questions go to the panel. A model could judge it; a rule costs nothing, and everybody knows it. */
const HARD = /べき|どちら|どっち|比べ/;

/** The instructions before each question; they are stored with the answer. */
const INSTRUCTIONS = `あなたは家のボットです。短く答えてください。
参照情報を使った文の終わりには、その記号を [A] のように付けてください。知らないことは、知らないと答えてください。`;

/** The parts of the bot. */
export interface BotParts {
  readonly vizprompt: VizPrompt;
  readonly memory: MemoryStore;
  /** Finds what helps with a message. */
  readonly known: Retriever;
  /** Has the workflow `panel`. */
  readonly engine: WorkflowEngine;
  readonly talk: Activity<ConversationInput, ConversationOutput>;
}

/** The conversation in a room since the bot was started. Earlier words are in the memory. */
interface Conversation {
  readonly flow: string;
  readonly session: string;
}

/** Remembers, looks things up, asks a panel when it is hard, and has models discuss on demand. */
export class Bot {
  readonly #parts: BotParts;
  readonly #rooms = new Map<string, Promise<Conversation>>();

  constructor(parts: BotParts) {
    this.#parts = parts;
  }

  /** Answers a message. Both are in the memory then, and a node of the conversation. */
  async answer({ room, from, text }: Omit<Message, 'reply'>): Promise<string> {
    const { memory, vizprompt } = this.#parts;
    const conversation = this.#rooms.get(room) ?? this.#begin(room);
    this.#rooms.set(room, conversation);
    const { flow, session } = await conversation;
    if (text === '/地図') return (await vizprompt.toText(flow)).trimEnd();
    await memory.log(session, 'user_message', { content: text }, { meta: { speaker: from } });
    const answer = await this.#reply(flow, text);
    await memory.log(session, 'assistant_message', { content: answer });
    return answer;
  }

  async #begin(room: string): Promise<Conversation> {
    const { memory, vizprompt } = this.#parts;
    const { id: session } = await memory.startSession({ metadata: { room } });
    const { id: flow } = await vizprompt.createFlow({ name: named('会話', room) });
    return { flow, session };
  }

  async #reply(flow: string, text: string): Promise<string> {
    const { vizprompt, engine, talk } = this.#parts;
    const [, command = '', rest = ''] = /^\/(\S+)\s*(.*)$/s.exec(text) ?? [];
    const { head = '' } = await vizprompt.getFlow(flow);
    if (command === 'やり直し') return this.#ask(flow, (how) => vizprompt.retry(head, how));
    if (command === '言い直し') return this.#ask(flow, (how) => vizprompt.edit(head, rest, how));
    if (command === '討論') {
      const context = { key: named('討論', rest), signal: new AbortController().signal };
      const { conclusion } = await talk.run({ topic: rest }, { ...context, emit: () => undefined });
      return this.#keep(flow, text, '司会', conclusion);
    }
    if (HARD.test(text)) {
      const run = await engine.start('panel', text, { runId: named('会議', text) });
      const { output } = await run.result;
      const verdict = typeof output === 'string' ? output : JSON.stringify(output);
      return this.#keep(flow, text, 'まとめ役', verdict);
    }
    return this.#ask(flow, (how) => vizprompt.chat({ ...how, prompt: text }));
  }

  /** Returns the model answers, with what is known; prompt and answer become a node. */
  async #ask(flow: string, ask: (how: AskOptions) => ChatTurn): Promise<string> {
    let passages: readonly Passage[] = [];
    let entries: readonly ContextEntry[] = [];
    let answer = '';
    const retriever: Retriever = {
      specVersion: 1,
      retrieve: async (...query) => (passages = await this.#parts.known.retrieve(...query)),
    };
    // Messages of another room are not a source in this one.
    const how = { flow, retriever, instructions: INSTRUCTIONS, related: 0 };
    for await (const event of ask(how)) {
      if (event.type === 'asked') ({ entries } = event.context.report);
      else if (event.type === 'answered') answer = event.node.response;
    }
    return withSources(answer, entries, passages);
  }

  /** The findings of others become a node as well. The way to them is in a flow of its own, which they recorded. */
  async #keep(flow: string, prompt: string, speaker: string, response: string): Promise<string> {
    await this.#parts.vizprompt.createNode({ prompt, response, speaker }, { flow });
    return response;
  }
}

/** Returns the name of a flow, which no other one has. */
function named(kind: string, about: string): string {
  return `${kind}「${about}」${new Date().toISOString()}`;
}
