import { randomUUID } from 'node:crypto';
import {
  type AskOptions,
  type ChatTurn,
  type ContextEntry,
  FlowGraph,
  type VizPrompt,
} from '@vizprompt/core';
import type { MemoryStore } from '@vizprompt/memory';
import {
  type Activity,
  messageOf,
  type Passage,
  type Retriever,
  type Storage,
} from '@vizprompt/providers';
import type { ConversationInput, ConversationOutput } from '@vizprompt/talktable';
import type { WorkflowEngine } from '@vizprompt/workflow';
import { forget } from './forget.ts';
import type { Front, Message } from './front.ts';
import { said, together, withSources } from './knowledge.ts';
import { Poster } from './post.ts';
import { Rooms } from './rooms.ts';
import { commandOf, type Words } from './words.ts';

/** The parts that the bot is built from. */
export interface BotParts {
  readonly vizprompt: VizPrompt;
  readonly memory: MemoryStore;
  /** Holds the panels and debates, from which a person is erased as well. */
  readonly storage?: Storage;
  /** Finds passages for a message of any room, such as notes. */
  readonly notes: Retriever;
  /** Has the workflow `panel`. */
  readonly engine: WorkflowEngine;
  readonly talk: Activity<ConversationInput, ConversationOutput>;
  readonly words: Words;
  /** Rooms whose messages are a source in all others. Default: none. */
  readonly shared?: readonly string[];
  /** The maximum of pending messages per person. Default: 3. */
  readonly mostWaiting?: number;
  /** Receives errors that cannot be posted, such as in a channel without permission. */
  readonly onError?: (error: unknown, message: Message) => void;
}

/** The one conversation of a room, which continues after a restart. */
interface Room {
  readonly name: string;
  readonly flow: string;
  readonly session: string;
}

/** Answers from memory and notes, asks a panel hard questions, and lets models debate on demand. */
export class Bot {
  readonly #parts: BotParts;
  readonly #rooms: Rooms;

  constructor(parts: BotParts) {
    this.#parts = parts;
    this.#rooms = new Rooms(parts.mostWaiting ?? 3);
  }

  /** Answers on a front until it closes. An error in one room does not affect the others. */
  async serve(front: Front): Promise<void> {
    await front.listen(async (message) => {
      try {
        if (this.#rooms.isRepeated(message.id)) return;
        const { room, from } = message;
        const work = (): Promise<void> => this.#answer(message, new Poster(message, front));
        const isTaken = await this.#rooms.run(room, from, work);
        if (isTaken || !this.#rooms.isFirstRefusal(from)) return;
        await message.post(this.#parts.words.tooMany);
      } catch (error) {
        this.#parts.onError?.(error, message);
      }
    });
  }

  async #answer(message: Message, poster: Poster): Promise<void> {
    const { words } = this.#parts;
    let answer: string;
    try {
      answer = await this.#reply(message, poster);
    } catch (error) {
      // An unavailable model must not end the bot. The prompt is stored, and can be retried.
      answer = words.noAnswer(messageOf(error));
    }
    await poster.end(answer.trim() === '' ? words.empty : answer);
  }

  async #reply({ room: name, from, text }: Message, poster: Poster): Promise<string> {
    const { memory, vizprompt, engine, talk, words } = this.#parts;
    const { command, rest } = commandOf(text);
    if (command === words.commands.forget) {
      await forget(this.#parts, from);
      return words.forgotten;
    }
    const room = await this.#enter(name);
    const now = new Date();
    const { flow } = room;
    if (command === words.commands.map) return (await vizprompt.toText(flow)).trimEnd();
    const last = await vizprompt.getFlow({ id: flow });
    const { head } = last;
    const { again, instead, debate } = words.commands;
    const needsLast = command === again || command === instead;
    const needsText = command === instead || command === debate;
    if ((needsLast && head === undefined) || (needsText && rest === '')) return words.nothing;
    await memory.log(room.session, 'user_message', { content: text }, { meta: { speaker: from } });
    if (command === again && head !== undefined) {
      return this.#ask(room, now, poster, (how) => vizprompt.retry(head, how));
    }
    if (command === instead && head !== undefined) {
      // Next to the last prompt, which may be one of another person.
      const parents = new FlowGraph(last).parents(head);
      const next = { prompt: rest, speaker: from, from: parents.length > 0 ? parents : null };
      return this.#ask(room, now, poster, (how) => vizprompt.chat({ ...how, ...next }));
    }
    if (command === debate) {
      const context = { key: named(words.debate), signal: new AbortController().signal };
      const { conclusion } = await talk.run({ topic: rest }, { ...context, emit: () => undefined });
      return this.#keep(room, from, text, words.host, conclusion);
    }
    if (words.hard.test(text)) {
      const run = await engine.start('panel', text, { runId: named(words.panel) });
      const { output } = await run.result;
      const verdict = typeof output === 'string' ? output : JSON.stringify(output);
      return this.#keep(room, from, text, words.chair, verdict);
    }
    return this.#ask(room, now, poster, (how) =>
      vizprompt.chat({ ...how, prompt: text, speaker: from }),
    );
  }

  /** Opens a room. Caches nothing, so that the next message retries a start that failed. */
  async #enter(name: string): Promise<Room> {
    const { memory, vizprompt } = this.#parts;
    const { id: flow } = await vizprompt.ensureFlow({ alias: `room:${name}`, name });
    const { id: session } = await memory.startSession({
      id: `room:${name}`,
      room: name,
      ifExists: 'keep',
    });
    return { name, flow, session };
  }

  /** Answers by the model, with passages for this room, and stores prompt and answer as a node. */
  async #ask(
    room: Room,
    now: Date,
    poster: Poster,
    ask: (how: AskOptions) => ChatTurn,
  ): Promise<string> {
    const { memory, notes, shared = [], words } = this.#parts;
    let passages: readonly Passage[] = [];
    let entries: readonly ContextEntry[] = [];
    let answer = '';
    const known = together(notes, ...[room.name, ...shared].map((one) => said(memory, one, now)));
    const retriever: Retriever = {
      specVersion: 1,
      retrieve: async (...query) => (passages = await known.retrieve(...query)),
    };
    // Messages of another room are not a source in this one.
    const how = { flow: room.flow, retriever, instructions: words.instructions, related: 0 };
    for await (const event of ask(how)) {
      if (event.type === 'asked') ({ entries } = event.context.report);
      else if (event.type === 'text') void poster.show((answer += event.text));
      else if (event.type === 'detail') answer = '';
      else if (event.type === 'answered') answer = event.node.response;
    }
    await memory.log(room.session, 'assistant_message', { content: answer });
    return withSources(answer, entries, passages, words);
  }

  /** Stores the result of a panel or a debate as a node. Its steps are recorded in a flow of their own. */
  async #keep(
    { flow, session }: Room,
    askedBy: string,
    prompt: string,
    speaker: string,
    response: string,
  ): Promise<string> {
    const { memory, vizprompt } = this.#parts;
    await vizprompt.createNode({ prompt, response, speaker, askedBy }, { flow });
    await memory.log(session, 'assistant_message', { content: response });
    return response;
  }
}

/** Returns a unique name for a flow. It holds nothing that was said, which a person may want to be forgotten. */
function named(kind: string): string {
  return `${kind} ${new Date().toISOString()} ${randomUUID().slice(0, 8)}`;
}
