import {
  type ChatEvent,
  type ChatModel,
  type ChatRequest,
  type ChatResult,
  createTokenEstimator,
  type FileStore,
  type FinishReason,
  LLMError,
  type Part,
  type Usage,
} from '@vizprompt/providers';
import {
  CHAT_MODEL,
  COUNT,
  FLAG,
  type Kinds,
  OBJECT,
  optional,
  TEXT,
  wholeFrom,
} from '@vizprompt/providers/config/internal';
import { ChatCollector } from '@vizprompt/providers/internal';
import {
  type BuiltContext,
  CONTEXT_OPTIONS,
  type ContextOptions,
} from '../context/context-options.ts';
import { BRANCH_NAME, FLOW_NAME, PARENTS } from '../input-kinds.ts';
import type { NewAttachment } from '../node/attachments.ts';
import { sideOf } from '../node/chat-parts.ts';
import { ATTACHMENTS, type NodePatch } from '../node/edit-node.ts';
import type { NodePart, NodeStats, NodeStatus, StoredNode, VizNode } from '../node/node.ts';

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

/** Gathers what a node is to hold of its answer, over all calls of the model that it took. */
export class AnswerRecord {
  /** Parts of all calls before the last one, in order, results of tools included. */
  readonly #before: Part[] = [];
  readonly #usages: Usage[] = [];
  #collector = new ChatCollector();
  readonly #startedAt = performance.now();
  readonly #promptTokens: number;
  #firstAt: number | undefined;

  /** @param promptTokens - The tokens of the prompt, for models that do not report it. */
  constructor(promptTokens: number) {
    this.#promptTokens = promptTokens;
  }

  add(event: ChatEvent): void {
    this.#collector.add(event);
    if (event.type !== 'start' && event.type !== 'finish') this.#firstAt ??= performance.now();
  }

  /** Checks whether the last call came to its end. */
  get isFinished(): boolean {
    return this.#collector.isFinished;
  }

  /** The answer of the last call so far. */
  get result(): ChatResult {
    return this.#collector.result();
  }

  /** A call is over, and another follows: what it said and was given belongs to the record. */
  next(given: readonly Part[]): void {
    const { parts, usage } = this.result;
    this.#before.push(...parts, ...given);
    this.#usages.push(usage);
    this.#collector = new ChatCollector();
  }

  /** The usage of all calls together. */
  get usage(): Usage {
    const usages = [...this.#usages, this.result.usage];
    const sum = (key: 'inputTokens' | 'outputTokens'): number | undefined => {
      const told = usages.flatMap((usage) => usage[key] ?? []);
      return told.length > 0 ? told.reduce((total, tokens) => total + tokens, 0) : undefined;
    };
    const [inputTokens, outputTokens] = [sum('inputTokens'), sum('outputTokens')];
    return {
      ...(inputTokens === undefined ? {} : { inputTokens }),
      ...(outputTokens === undefined ? {} : { outputTokens }),
    };
  }

  /** Returns the changes of the node. Parts of earlier calls are stored as parts, not as text. */
  async patch(files: FileStore, model: string, failure?: unknown): Promise<NodePatch> {
    const { parts } = this.result;
    const side = await sideOf(files, parts);
    const asides = await sideOf(files, this.#before.map(asAside));
    const error = failure === undefined ? [] : [errorPart(failure)];
    const hasMore = asides.parts.length + error.length + side.parts.length > 0;
    const whole: NodePart[] =
      side.parts.length > 0 || side.text === ''
        ? [...side.parts]
        : [{ type: 'text', start: 0, end: side.text.length }];
    return {
      response: side.text,
      model,
      status: statusOf(failure),
      stats: this.#stats(failure),
      responseParts: hasMore ? [...asides.parts, ...whole, ...error] : [],
    };
  }

  #estimate(): Usage {
    const said = [...this.#before, ...this.result.parts].map((part) =>
      part.type === 'text' || part.type === 'reasoning' ? part.text : '',
    );
    const { tokens } = createTokenEstimator().count(said.join('\n'));
    return { inputTokens: this.#promptTokens, outputTokens: tokens };
  }

  /** Tokens, estimated where the model reports none; seconds until the first piece came, and from there to the end; tokens a second. */
  #stats(failure: unknown): { readonly user?: NodeStats; readonly assistant?: NodeStats } {
    const partial = LLMError.isInstance(failure) ? failure.partial?.usage : undefined;
    const told = { ...partial, ...this.usage };
    const hasBegun = failure === undefined || this.#firstAt !== undefined;
    const { inputTokens, outputTokens } = hasBegun ? { ...this.#estimate(), ...told } : told;
    const now = performance.now();
    const first = this.#firstAt ?? now;
    return {
      ...(inputTokens === undefined ? {} : { user: stats(inputTokens, first - this.#startedAt) }),
      ...(outputTokens === undefined ? {} : { assistant: stats(outputTokens, now - first) }),
    };
  }
}

function stats(count: number, ms: number): NodeStats {
  const duration = Math.round(ms) / 1000;
  return { count, duration, rate: duration > 0 ? Math.round((count / duration) * 10) / 10 : 0 };
}

/** Adds the statistics of two calls. */
export function addStats(a: VizNode['stats'], b: VizNode['stats'] = {}): VizNode['stats'] {
  const sum = (one?: NodeStats, other?: NodeStats): NodeStats | undefined =>
    one && other
      ? stats(one.count + other.count, (one.duration + other.duration) * 1000)
      : (other ?? one);
  const [user, assistant] = [sum(a.user, b.user), sum(a.assistant, b.assistant)];
  return { ...(user ? { user } : {}), ...(assistant ? { assistant } : {}) };
}

function statusOf(failure: unknown): NodeStatus {
  if (failure === undefined) return 'done';
  return LLMError.isInstance(failure) && failure.code === 'aborted' ? 'aborted' : 'failed';
}

/** Words that only asked for more are no part of the answer. */
function asAside(part: Part): Part {
  return part.type === 'text' ? { type: 'reasoning', text: part.text } : part;
}

function errorPart(failure: unknown): NodePart {
  const value = LLMError.isInstance(failure)
    ? { code: failure.code, message: failure.message }
    : { code: 'error', message: String(failure) };
  return { type: 'data', kind: 'error', value };
}
