import { createId } from '@vizprompt/providers';
import {
  either,
  FUNCTION,
  having,
  type Kinds,
  optional,
  TEXTS,
} from '@vizprompt/providers/config/internal';
import { canonicalJson } from '@vizprompt/providers/internal';
import type { UIMessage } from 'ai';
import {
  CHAT_ACCESS,
  ChatAccess,
  type ChatAccessOptions,
  chatNotFound,
} from '../bridge/chat-access.ts';
import { ChatError, refusalOf } from '../bridge/chat-error.ts';
import { MAX_BYTES } from '../bridge/read-body.ts';
import { type AnyUIMessage, fromThread, toThread } from '../bridge/ui-message.ts';
import { checkOptions } from '../input-kinds.ts';
import { VizPromptError } from '../errors.ts';
import type { StoredFlow } from '../flow/flow.ts';
import { isUuid, uuidFromName } from '../format/ids-and-times.ts';
import type { FlowQuery, FlowSummary } from '../graph/flow-service.ts';
import {
  newestLeaf,
  type Thread,
  type ThreadMessage,
  type ThreadOutline,
} from '../thread/thread.ts';
import type { VizPrompt } from '../vizprompt.ts';
import { type AnswerStreams, resumeAnswer, shareAnswer } from './answer-streams.ts';
import {
  askedIn,
  type AskedMessage,
  changesOf,
  type FinishedAnswer,
  statusOf,
} from './finished-answer.ts';
import {
  type ChatRequestBody,
  type Permits,
  readChatRequest,
  takeMessages,
} from './take-messages.ts';

/** Options of {@link chatStore}. */
export interface ChatStoreOptions extends ChatAccessOptions {
  /**
   * The tools without `execute`, which the page runs (`addToolOutput`): their names, or a function that returns `true` for
   * a name. Only their results are taken from a client. Default: none, and every tool is run by the server.
   */
  readonly clientTools?: readonly string[] | ((tool: string) => boolean) | undefined;
  /**
   * Holds answers that are on their way, so that a page continues with one after a reload: `answerStreams()`, or a context of
   * the package `resumable-stream`. Default: none, and a reload shows what is stored.
   */
  readonly streams?: AnswerStreams | undefined;
}

const CHAT_STORE: Kinds<ChatStoreOptions> = {
  ...CHAT_ACCESS,
  clientTools: optional(either(TEXTS, FUNCTION)),
  streams: optional(
    having('answerStreams() or a context of resumable-stream', 'resumeExistingStream'),
  ),
};

/** Options of reading a chat. */
export interface ChatReadOptions {
  /** The request that asks, which is then authorized. Default: the program itself, which may read all. */
  readonly request?: Request | undefined;
}

/** Options for `toUIMessageStreamResponse` of AI SDK 6, and for `toUIMessageStream` of 7. */
interface ChatStreaming<Message> {
  readonly originalMessages: Message[];
  readonly generateMessageId: () => string;
  /** Stores the answer; one that was stopped, too. */
  readonly onFinish: (answer: FinishedAnswer<Message>) => Promise<void>;
  /**
   * Holds the answer for pages that are reloaded, where the store has `streams`. Of AI SDK 7 it is an option of
   * `createUIMessageStreamResponse`.
   */
  readonly consumeSseStream?: (options: {
    readonly stream: ReadableStream<string>;
  }) => Promise<void>;
}

/** A request that is on the disk, and is to be answered. */
export interface ReceivedTurn<Message> {
  /** The id of the chat. */
  readonly id: string;
  /** The flow of the chat, for all else that a project can do with it. */
  readonly flow: string;
  /** The branch up to the message that is to be answered, as it is stored. */
  readonly messages: Message[];
  readonly streamOptions: ChatStreaming<Message>;
}

/** A chat in a list. */
interface ListedChat {
  readonly id: string;
  readonly title: string;
  /** ISO 8601. */
  readonly updated: string;
  readonly flow: FlowSummary;
}

/** A page of chats. */
export interface ChatPage {
  readonly chats: readonly ListedChat[];
  /** For the next page: as `after`. Absent on the last one. */
  readonly next?: FlowSummary;
}

/** Messages that answer one message, of which a branch shows one. */
export interface Siblings<Message> {
  readonly messages: readonly Message[];
  /** The place of the message that was asked for. */
  readonly index: number;
}

const EMPTY: ThreadOutline = { headId: null, messages: [], message: () => undefined };
const NOTHING: Permits = { isIssued: () => false, isClientTool: () => false };
const MAX_TITLE = 80;

/** Stores the chats of `useChat` as flows: each edit and each answer that is generated again is a branch. */
export class ChatStore<Message extends AnyUIMessage = UIMessage> {
  readonly #vizprompt: VizPrompt;
  readonly #access: ChatAccess;
  readonly #maxBytes: number;
  readonly #streams: AnswerStreams | undefined;
  readonly #isClientTool: (tool: string) => boolean;

  constructor(vizprompt: VizPrompt, options: ChatStoreOptions) {
    checkOptions<object>('chatStore', options, CHAT_STORE);
    const { clientTools = [] } = options;
    if (typeof clientTools === 'function') {
      const permits: (tool: string) => unknown = clientTools;
      // A promise, which an async function returns, permits nothing.
      this.#isClientTool = (tool) => permits(tool) === true;
    } else {
      this.#isClientTool = (tool) => clientTools.includes(tool);
    }
    this.#streams = options.streams;
    this.#vizprompt = vizprompt;
    this.#access = new ChatAccess(options);
    this.#maxBytes = options.maxBytes ?? MAX_BYTES;
  }

  /**
   * Stores what a request of `useChat` says, before a model is asked: a new message, an edited one, which begins a branch,
   * or the decision about a tool. The same request may come again: what is there is not stored twice.
   *
   * @throws ChatError `invalid-request`, also for a history that was not said here; `chat-not-found`; `too-large`.
   */
  async receive(request: Request): Promise<ReceivedTurn<Message>> {
    const body = await readChatRequest(request, this.#maxBytes);
    const flow = await this.#flowFor(request, body);
    const asked = await this.#take(flow.id, body);
    const thread = await this.#vizprompt.readThread({ id: flow.id });
    const messages = branchTo(thread, asked.message.id);
    const read = messages.map((message) => this.#read(message));
    const streams = this.#streams;
    return {
      id: body.id,
      flow: flow.id,
      messages: read,
      streamOptions: {
        originalMessages: read,
        generateMessageId: () => answerId(flow.id, createId()),
        onFinish: (answer) => this.#store(flow.id, asked, answer),
        ...(streams && {
          consumeSseStream: ({ stream }) =>
            shareAnswer(streams, streamIdOf(flow.id, messages.at(-1) ?? asked.message), stream),
        }),
      },
    };
  }

  /**
   * Returns a handler of requests: it receives each, and answers one that is refused with its status.
   *
   * @example
   * ```ts
   * export const POST = chats.handler(async (turn) => {
   *   const result = streamText({ model, messages: await convertToModelMessages(turn.messages) });
   *   return result.toUIMessageStreamResponse(turn.streamOptions);
   * });
   * ```
   */
  handler(
    answer: (turn: ReceivedTurn<Message>, request: Request) => Response | Promise<Response>,
  ): (request: Request) => Promise<Response> {
    return async (request) => {
      try {
        return await answer(await this.receive(request), request);
      } catch (error) {
        if (ChatError.isInstance(error)) return error.toResponse();
        throw error;
      }
    };
  }

  /**
   * Answers a page that was reloaded (`GET /api/chat/:id/stream` of `useChat({ resume: true })`): with the answer that is on
   * its way, from its beginning, or with 204 if there is none. Do not give `request.signal` to the model: a reload would end
   * the answer.
   *
   * @example
   * ```ts
   * export const GET = async (request: Request) => chats.resume(idOf(request), { request });
   * ```
   */
  async resume(id: string, options: ChatReadOptions): Promise<Response> {
    try {
      const flow = await this.#find(id, options);
      const thread = flow && (await this.#vizprompt.readThread({ id: flow.id }));
      const head = thread && branchTo(thread, thread.headId).at(-1);
      if (!head || !this.#streams) return new Response(null, { status: 204 });
      return await resumeAnswer(this.#streams, streamIdOf(flow.id, head));
    } catch (error) {
      if (ChatError.isInstance(error)) return error.toResponse();
      throw error;
    }
  }

  /**
   * Returns the messages of a branch: the one that was talked in last, or the one that ends with a message. A chat that
   * does not exist yet has none.
   *
   * @throws ChatError `chat-not-found` for a chat of another person, or a message that is not in it.
   */
  async load(
    id: string,
    options: ChatReadOptions & { readonly leaf?: string | undefined } = {},
  ): Promise<Message[]> {
    const flow = await this.#find(id, options);
    if (!flow) return [];
    const thread = await this.#vizprompt.readThread({ id: flow.id });
    const end = options.leaf ?? thread.headId;
    const isThere = thread.messages.some(({ message }) => message.id === end);
    if (options.leaf !== undefined && !isThere) throw chatNotFound(id, options.leaf);
    return branchTo(thread, end).map((message) => this.#read(message));
  }

  /** Returns the messages that follow the same message, oldest first: for `< 2 / 3 >`. */
  async siblings(
    id: string,
    messageId: string,
    options: ChatReadOptions = {},
  ): Promise<Siblings<Message>> {
    const { flow } = await this.#get(id, options);
    const { messages } = await this.#vizprompt.readThread({ id: flow });
    const own = messages.find(({ message }) => message.id === messageId);
    if (!own) throw chatNotFound(id, messageId);
    const others = messages.filter(({ parentId }) => parentId === own.parentId);
    return {
      messages: others.map(({ message }) => this.#read(message)),
      index: others.indexOf(own),
    };
  }

  /** Continues the newest branch that a message is in, and returns its messages. */
  async switchTo(id: string, messageId: string, options: ChatReadOptions = {}): Promise<Message[]> {
    const { flow } = await this.#get(id, options);
    await this.#vizprompt.editThread({ id: flow }, (thread) => {
      if (!thread.messages.some((place) => place.id === messageId))
        throw chatNotFound(id, messageId);
      return [{ type: 'head', id: newestLeaf(thread.messages, messageId) }];
    });
    return this.load(id);
  }

  /** Lists chats, those that were talked in last first; with a request, those that it may use. */
  async list(
    options: ChatReadOptions & Pick<FlowQuery, 'limit' | 'after' | 'owner'> = {},
  ): Promise<ChatPage> {
    const { limit = 50, ...query } = options;
    const page = await this.#access.list(this.#vizprompt, { ...query, limit, idOf: chatIdOf });
    const chats = page.flows.map((flow) => ({
      id: chatIdOf(flow),
      title: flow.name,
      updated: flow.updated,
      flow,
    }));
    return { chats, ...(page.next ? { next: page.next } : {}) };
  }

  /**
   * Returns the flow of a chat, for all else that a project can do: rename, archive, delete, export, search.
   *
   * @throws ChatError `chat-not-found`.
   */
  async flow(id: string, options: ChatReadOptions = {}): Promise<StoredFlow> {
    const flow = await this.#find(id, options);
    if (flow) return flow;
    throw chatNotFound(id);
  }

  async #get(id: string, options: ChatReadOptions): Promise<{ readonly flow: string }> {
    return { flow: (await this.flow(id, options)).id };
  }

  /** The chat, if there is one. */
  async #find(id: string, { request }: ChatReadOptions): Promise<StoredFlow | undefined> {
    const flow = await this.#flowOf(id);
    if (request) await this.#access.assert(request, id, flow);
    return flow;
  }

  async #flowFor(request: Request, body: ChatRequestBody): Promise<StoredFlow> {
    const { id } = body;
    const known = await this.#flowOf(id);
    await this.#access.assert(request, id, known);
    if (known) return known;
    // A request that is refused creates no chat.
    takeMessages(EMPTY, body, NOTHING);
    const owner = await this.#access.ownerOf(request);
    const flow = await this.#vizprompt.ensureFlow({
      id: flowIdOf(id),
      name: titleOf(body),
      source: sourceOf(id),
      owner,
    });
    // Another request may have created it in the meantime.
    await this.#access.assert(request, id, flow);
    return flow;
  }

  /** Flows that other parts of the SDK made are chats, too, by their own ids. */
  async #flowOf(id: string): Promise<StoredFlow | undefined> {
    const ids = [flowIdOf(id), ...(isUuid(id) ? [id] : [])];
    for (const flow of ids) {
      try {
        return await this.#vizprompt.getFlow({ id: flow });
      } catch (error) {
        if (!VizPromptError.isInstance(error) || error.code !== 'flow-not-found') throw error;
      }
    }
    return undefined;
  }

  /** Stores what a request says, and returns the message that is to be answered. */
  async #take(flow: string, body: ChatRequestBody): Promise<AskedMessage> {
    let last = '';
    try {
      const thread = await this.#vizprompt.editThread({ id: flow }, (before) => {
        const taken = takeMessages(before, body, {
          isIssued: (id) => isAnswerId(flow, id),
          isClientTool: this.#isClientTool,
        });
        last = taken.last;
        return taken.changes;
      });
      return askedIn(thread, last);
    } catch (error) {
      throw refusalOf(error) ?? error;
    }
  }

  async #store(flow: string, asked: AskedMessage, answer: FinishedAnswer<Message>): Promise<void> {
    const message: ThreadMessage = {
      ...toThread(answer.responseMessage),
      status: statusOf(answer),
    };
    try {
      await this.#vizprompt.editThread({ id: flow }, (thread) => changesOf(thread, asked, message));
    } catch (error) {
      // The chat was deleted while the answer was on its way.
      if (!VizPromptError.isInstance(error) || error.code !== 'flow-not-found') throw error;
    }
  }

  #read(message: ThreadMessage): Message {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what was stored, or parts that every UIMessage has
    return fromThread(message) as unknown as Message;
  }
}

/**
 * Stores the chats of the AI SDK in a project, with all their branches. It needs only types of the AI SDK.
 *
 * @example
 * ```ts
 * const chats = chatStore(vizprompt, { owner: async (request) => (await session(request))?.userId });
 * ```
 */
export function chatStore<Message extends AnyUIMessage = UIMessage>(
  vizprompt: VizPrompt,
  options: ChatStoreOptions = {},
): ChatStore<Message> {
  return new ChatStore<Message>(vizprompt, options);
}

/** The first words of what is asked first. */
function titleOf({ messages = [], message }: ChatRequestBody): string {
  const [first] = [...messages, ...(message ? [message] : [])];
  const texts = first?.parts.flatMap((part) =>
    'text' in part && typeof part.text === 'string' ? [part.text] : [],
  );
  const title = (texts ?? []).join(' ').replaceAll(/\s\s*/g, ' ').trim();
  return Array.from(title).slice(0, MAX_TITLE).join('') || 'Chat';
}

function branchTo({ messages }: Thread, end: string | null): readonly ThreadMessage[] {
  const byId = new Map(messages.map((item) => [item.message.id, item]));
  const branch: ThreadMessage[] = [];
  for (let at = byId.get(end ?? ''); at; at = byId.get(at.parentId ?? '')) branch.push(at.message);
  return branch.toReversed();
}

const SOURCE = 'ai-sdk:';

/** Returns the id of the flow of a chat. */
function flowIdOf(chat: string): string {
  return uuidFromName('flow', 'ai-sdk', chat);
}

/** Returns the source of the flow of a chat. */
function sourceOf(chat: string): string {
  return SOURCE + chat;
}

/** Returns the id of the chat that a flow is: that of its client, or its own where another part of the SDK created it. */
function chatIdOf({ id, source }: FlowSummary): string {
  return source?.startsWith(SOURCE) === true ? source.slice(SOURCE.length) : id;
}

/**
 * Returns the id of the stream of the answer to a message: known by every process, and written nowhere. An edited message
 * has the id of the old one, so what it says counts, too.
 */
function streamIdOf(flow: string, { id, parts }: ThreadMessage): string {
  return uuidFromName('stream', flow, id, JSON.stringify(canonicalJson(parts)));
}

/**
 * Returns the id of an answer. It is known again where the end of the answer was not stored, also by another process.
 * A forged one gains nothing: such an answer is left out.
 */
function answerId(flow: string, nonce: string): string {
  return `${nonce}.${uuidFromName('answer', flow, nonce).slice(0, 8)}`;
}

/** Checks whether {@link answerId} gave an id. */
function isAnswerId(flow: string, id: string): boolean {
  return id === answerId(flow, id.split('.', 1)[0] ?? '');
}
