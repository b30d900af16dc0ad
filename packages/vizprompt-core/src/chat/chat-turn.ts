import {
  type ChatModel,
  type ChatRequest,
  type FinishReason,
  type Usage,
  LLMError,
} from '@vizprompt/providers';
import {
  type Kinds,
  COUNT,
  FLAG,
  OBJECT,
  optional,
  TEXT,
  wholeFrom,
  CHAT_MODEL,
} from '@vizprompt/providers/config/internal';
import {
  CONTEXT_OPTIONS,
  type BuiltContext,
  type ContextOptions,
} from '../context/context-options.ts';
import { BRANCH_NAME, FLOW_NAME, PARENTS } from '../input-kinds.ts';
import type { NewAttachment } from '../node/attachments.ts';
import { ATTACHMENTS } from '../node/edit-node.ts';
import type { StoredNode } from '../node/node.ts';

/** Options of every call that asks a model. */
export interface AskOptions extends Pick<
  ContextOptions,
  'budgetTokens' | 'budget' | 'references' | 'pin' | 'exclude' | 'retriever' | 'related'
> {
  /**
   * The instructions for the model, such as its role: the first message, unchanged. They count towards
   * `budgetTokens`, and are stored with the node: a part of the prompt with the role `system`. `''`: none.
   * Default: for `retry`, `edit` and `continue`, the last instructions of the node; for `chat`, none.
   */
  readonly instructions?: string | undefined;
  /** The flow that the answer joins. Default: the one flow that the node is in, or else `'main'`. */
  readonly flow?: string | undefined;
  /** Answers. Default: the model of the project. */
  readonly model?: ChatModel | undefined;
  /** Stops the answer: what had come is kept, with the status `aborted`. */
  readonly signal?: AbortSignal | undefined;
  /**
   * The number of times that the model may ask for nodes in full. The nodes it receives have at most `budgetTokens`
   * tokens in all; longer texts are cut in their middle, with a mark. Default: 3; 0: never.
   */
  readonly maxDetails?: number | undefined;
  /** Temperature, limits and the like; the messages are made here. */
  readonly request?: Omit<ChatRequest, 'messages' | 'tools' | 'toolChoice' | 'signal'> | undefined;
}

const { budgetTokens, budget, references, pin, exclude, retriever, related, instructions, signal } =
  CONTEXT_OPTIONS;

export const ASK_OPTIONS: Kinds<AskOptions> = {
  flow: optional(FLOW_NAME, {
    en: 'The flow that the answer joins. Default: the flow of the node, or else main',
  }),
  instructions,
  budgetTokens,
  budget,
  references,
  pin,
  exclude,
  retriever,
  related,
  signal,
  model: optional(CHAT_MODEL),
  maxDetails: optional({ ...COUNT, onWire: wholeFrom(0, 20) }),
  request: optional(OBJECT, { isCodeOnly: true }),
};

/** Options of `chat`. */
export interface ChatOptions extends AskOptions {
  /** The text of the prompt. */
  readonly prompt: string;
  /** The node, or nodes, that the prompt continues from; `null`: none. Default: the head of the flow. */
  readonly from?: string | readonly string[] | null | undefined;
  /** The name of the branch that begins with it. */
  readonly branchName?: string | undefined;
  /** Files that go with the prompt. */
  readonly attachments?: readonly NewAttachment[] | undefined;
  /** The name of the person asking, where there are several: contexts then say who said what. */
  readonly speaker?: string | undefined;
  /**
   * Waits until earlier prompts of this process in the same flow are answered, so that two at once are one after the
   * other and no branches. Default: `false`.
   */
  readonly queue?: boolean | undefined;
}

export const CHAT_OPTIONS: Kinds<ChatOptions> = {
  ...ASK_OPTIONS,
  prompt: TEXT,
  from: PARENTS,
  branchName: BRANCH_NAME,
  attachments: optional(ATTACHMENTS),
  speaker: optional(TEXT, { en: 'The name of the person asking, where there are several' }),
  queue: optional(FLAG, {
    en: 'Waits until earlier prompts in the flow are answered. Default: false',
  }),
};

/** An event in the course of an answer. */
export type ChatTurnEvent =
  /** The prompt is on the disk, and what will be sent with it is known. */
  | { readonly type: 'asked'; readonly node: StoredNode; readonly context: BuiltContext }
  /** A piece of the answer, or of what the model thinks. */
  | { readonly type: 'text' | 'reasoning'; readonly text: string }
  /** The model asked for nodes in full. It receives them, and starts its answer again. */
  | { readonly type: 'detail'; readonly ids: readonly string[] }
  /** The answer is on the disk. */
  | {
      readonly type: 'answered';
      readonly node: StoredNode;
      readonly finishReason: FinishReason;
      readonly usage: Usage;
    };

/**
 * An answer that is on its way. Nothing happens before it is iterated or its `node` asked for; leaving
 * the loop stops the answer, and what had come is kept. Its events are given once.
 *
 * @example
 * ```ts
 * for await (const event of vizprompt.chat({ prompt: '猫は好き？' })) {
 *   if (event.type === 'text') process.stdout.write(event.text);
 * }
 * const node = await vizprompt.chat({ prompt: 'なぜ？' }).node();
 * ```
 */
export class ChatTurn implements AsyncIterable<ChatTurnEvent> {
  readonly #events: AsyncGenerator<ChatTurnEvent>;
  readonly #answered: Promise<StoredNode>;
  #isRead = false;

  constructor(events: AsyncGenerator<ChatTurnEvent>) {
    let watched = events;
    this.#answered = new Promise((resolve, reject) => {
      watched = this.#watch(events, resolve, reject);
    });
    this.#events = watched;
    // An iterating caller gets the failure there.
    this.#answered.catch(() => undefined);
  }

  [Symbol.asyncIterator](): AsyncIterator<ChatTurnEvent> {
    return this.#events;
  }

  /**
   * Waits for the whole answer: before, while and after it is iterated, and as often as you like.
   *
   * @throws LLMError of the model; the node then holds what had come, marked `failed` or `aborted`.
   */
  async node(): Promise<StoredNode> {
    if (!this.#isRead) for await (const _ of this.#events);
    return this.#answered;
  }

  async *#watch(
    events: AsyncIterable<ChatTurnEvent>,
    resolve: (node: StoredNode) => void,
    reject: (reason: unknown) => void,
  ): AsyncGenerator<ChatTurnEvent> {
    this.#isRead = true;
    try {
      for await (const event of events) {
        if (event.type === 'answered') resolve(event.node);
        yield event;
      }
    } catch (error) {
      reject(error);
      throw error;
    } finally {
      reject(leftEarly());
    }
  }
}

/** Creates the error of an answer whose reader left before its end. */
export function leftEarly(): LLMError {
  return new LLMError('aborted', 'the reader left before the answer ended');
}
