import type { ChatModel, ModelCapabilities, ModelInfo } from '../models/chat-model.ts';
import { ChatCollector, collectChat } from '../models/collect.ts';
import type { ChatEvent, ChatResult } from '../models/events.ts';
import { LLMError } from '../models/llm-error.ts';
import { type Part, textOf } from '../models/message.ts';
import type { ChatInput, ChatRequest, TokenCount } from '../models/request.ts';
import { readMessages, streamInput } from './chat-input.ts';
import { estimateUsage } from './estimate-usage.ts';
import { explain, type FailureReader, secretsIn } from './explain.ts';
import { type CallIdentity, identify } from './identity.ts';
import { CallLimits } from './limits.ts';
import type { Fetch } from './unlimited-fetch.ts';
import { createWire, type Wire, type WireOptions } from './wire.ts';

/** The part of a request whose tokens are counted, with messages in one form. */
export type CountedRequest = Pick<ChatRequest, 'messages' | 'tools' | 'signal'>;

/** The definition of an adapter. {@link defineModel} adds everything that all adapters share. */
export interface ModelDefinition extends FailureReader {
  readonly identity: CallIdentity;
  readonly capabilities: ModelCapabilities;
  readonly fetch?: Fetch | undefined;
  /** True if answers are event streams; see `WireOptions`. */
  readonly isEventStream?: boolean | 'named';
  /** Makes one call and gives its events as they come, several at once where they come so. */
  call(request: ChatRequest, wire: Wire): AsyncIterable<readonly ChatEvent[]>;
  countTokens?(request: CountedRequest, wire: Wire): Promise<TokenCount>;
  /** Lists the models of its server. */
  listModels?(wire: Wire): Promise<readonly ModelInfo[]>;
  /** Loads its SDK, and makes a client of it. */
  prepare?(wire: Wire): Promise<unknown>;
}

/**
 * Makes a model of an adapter: limits and abort, errors with their partial answer, and a stream that
 * ends without a finish taken for the failure it is.
 */
export function defineModel(definition: ModelDefinition): ChatModel {
  const { identity, capabilities } = definition;
  const { countTokens, listModels, prepare } = definition;
  const open = (request: ChatRequest): AsyncIterable<ChatEvent> =>
    new ModelStream(
      {
        ...definition,
        explain: (error, wire, collector) => failureOf(error, definition, wire, collector, request),
      },
      request,
    );
  const stream = (input: ChatInput): AsyncIterable<ChatEvent> => streamInput(input, open);
  return {
    specVersion: 1,
    provider: identity.provider,
    modelId: identity.modelId,
    ...(identity.address === '' ? {} : { address: identity.address }),
    capabilities,
    stream,
    generate: (request) => collectChat(stream(request)),
    ...(prepare && {
      prepare: async () => void (await guardCall(definition, {}, (wire) => prepare(wire))),
    }),
    ...(countTokens && {
      countTokens: (request) =>
        guardCall(definition, request, (wire) =>
          countTokens({ ...request, messages: readMessages(request.messages) }, wire),
        ),
    }),
    ...(listModels && {
      listModels: (options = {}) => guardCall(definition, options, (wire) => listModels(wire)),
    }),
  };
}

function failureOf(
  error: unknown,
  definition: ModelDefinition,
  wire: Wire,
  collector: ChatCollector,
  request: ChatRequest,
): LLMError {
  const { identity } = definition;
  const failure = explain(error, definition, wire, identity.keyName);
  const secrets = [...identity.secrets, ...secretsIn(request.headers)];
  const { hasOutput } = collector;
  return identify(failure, { ...identity, secrets }, wire.headers, {
    outputStarted: hasOutput,
    ...(hasOutput || isPaid(failure, wire)
      ? { partial: partialOf(failure, collector, request) }
      : {}),
  });
}

/** Errors that end a call in its course do not make it free. */
const IN_ITS_COURSE: ReadonlySet<string> = new Set([
  'aborted',
  'timeout',
  'truncated',
  'output_parse',
]);

function isPaid({ code }: LLMError, { isSent, status = 200 }: Wire): boolean {
  return isSent && status < 400 && IN_ITS_COURSE.has(code);
}

function partialOf(
  { partial }: LLMError,
  collector: ChatCollector,
  request: ChatRequest,
): ChatResult {
  const answer = collector.result();
  const told = Object.keys(partial?.usage ?? {}).length > 0 ? partial?.usage : undefined;
  const known = told ?? (collector.isFinished ? answer.usage : undefined);
  const usage = known ?? estimateUsage(request, answer, collector.unfinished);
  const last = partial?.parts ?? [];
  const meta = partial?.meta ?? answer.meta;
  if (last.length === 0) return { ...answer, usage, ...(meta && { meta }) };
  // Parts that ended with the answer are in its last parts, and as far as they came in the collected ones.
  const before = answer.parts.filter((part) => !last.some((each) => isSame(each, part)));
  const parts = [...before, ...last];
  return { ...answer, parts, text: textOf(parts), usage, ...(meta && { meta }) };
}

function isSame(one: Part, other: Part): boolean {
  if (one.type !== other.type) return false;
  if ('text' in one && 'text' in other) return one.text === other.text;
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Runs a call that is not a stream under the same limits, with the same errors. */
export async function guardCall<T>(
  definition: Pick<ModelDefinition, 'identity' | 'fetch' | keyof FailureReader>,
  request: Pick<ChatRequest, 'signal' | 'timeout'>,
  run: (wire: Wire) => Promise<T>,
): Promise<T> {
  const { identity, fetch } = definition;
  const limits = new CallLimits(request.signal, request.timeout);
  const wire = createWire(limits, { fetch });
  try {
    if (limits.failure) throw limits.failure;
    return await limits.wait(run(wire));
  } catch (error) {
    const failure = explain(limits.failure ?? error, definition, wire, identity.keyName);
    throw identify(failure, identity, wire.headers, {});
  } finally {
    limits.close();
  }
}

/** The parts of a stream. */
interface StreamSource extends WireOptions {
  /** Makes one call and gives its events as they come, several at once where they come so. */
  call(request: ChatRequest, wire: Wire): AsyncIterable<readonly ChatEvent[]>;
  /** Makes the error that is thrown of anything that went wrong. */
  explain(error: unknown, wire: Wire, collector: ChatCollector): LLMError;
}

/** A call that has begun. */
interface OpenCall {
  readonly limits: CallLimits;
  readonly wire: Wire;
  readonly pieces: AsyncIterator<readonly ChatEvent[]>;
}

type Step = IteratorResult<ChatEvent, undefined>;
const ignore = (): void => undefined;
const END: Step = { done: true, value: undefined };

/**
 * The events of one call. Nothing is sent before the first is asked for; a reader who leaves stops the
 * call at once, also while the next piece is awaited. It is written by hand because a generator would
 * cost as much for each piece as reading it does.
 */
export class ModelStream implements AsyncIterableIterator<ChatEvent> {
  readonly #source: StreamSource;
  readonly #request: ChatRequest;
  readonly #collector = new ChatCollector();
  #call: OpenCall | undefined;
  #events: readonly ChatEvent[] = [];
  #at = 0;
  #isOver = false;
  #underWay: Promise<Step> | undefined;
  // The two ends of that promise. It and its callbacks are made once, as each would cost for each piece.
  #resolve: (step: Step) => void = ignore;
  #reject: (error: unknown) => void = ignore;

  constructor(source: StreamSource, request: ChatRequest) {
    this.#source = source;
    this.#request = request;
  }

  next(): Promise<Step> {
    if (this.#underWay) {
      const again = (): Promise<Step> => this.next();
      return this.#underWay.then(again, again);
    }
    const event = this.#events[this.#at];
    if (event) {
      this.#at++;
      return Promise.resolve({ done: false, value: event });
    }
    if (this.#isOver) return Promise.resolve(END);
    const step = new Promise(this.#begin);
    // A call that was aborted before it began is over at once.
    if (!this.#isOver) this.#underWay = step;
    return step;
  }

  return(): Promise<Step> {
    this.#call?.limits.stop();
    this.#close();
    return Promise.resolve(END);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  readonly #begin = (resolve: (step: Step) => void, reject: (error: unknown) => void): void => {
    this.#resolve = resolve;
    this.#reject = reject;
    try {
      this.#advance((this.#call ??= this.#open()));
    } catch (error) {
      this.#onFailure(error);
    }
  };

  #advance({ limits, pieces }: OpenCall): void {
    if (limits.failure) throw limits.failure;
    limits.beginWait(this.#onFailure);
    pieces.next().then(this.#onPiece, this.#onError);
  }

  readonly #onPiece = (piece: IteratorResult<readonly ChatEvent[]>): void => {
    const call = this.#call;
    if (!call?.limits.endWait()) return;
    try {
      const step = piece.done ? this.#end(call.limits) : this.#take(call.limits, piece.value);
      if (!step) return this.#advance(call);
      this.#underWay = undefined;
      this.#resolve(step);
    } catch (error) {
      this.#onFailure(error);
    }
  };

  readonly #onError = (error: unknown): void => {
    if (this.#call?.limits.endWait()) this.#onFailure(error);
  };

  readonly #onFailure = (error: unknown): void => {
    this.#underWay = undefined;
    this.#reject(this.#explained(error));
  };

  /** Returns the first event of a piece, and keeps the others; `undefined` for one without events. */
  #take(limits: CallLimits, events: readonly ChatEvent[]): Step | undefined {
    limits.noteFirstByte();
    const [first] = events;
    if (!first) return undefined;
    for (const event of events) this.#collector.add(event);
    this.#events = events;
    this.#at = 1;
    return { done: false, value: first };
  }

  #open(): OpenCall {
    const limits = new CallLimits(this.#request.signal, this.#request.timeout);
    const wire = createWire(limits, this.#source);
    const pieces = this.#source.call(this.#request, wire)[Symbol.asyncIterator]();
    return { limits, wire, pieces };
  }

  #end(limits: CallLimits): Step {
    if (limits.failure) throw limits.failure;
    if (!this.#collector.isFinished) {
      throw new LLMError('truncated', 'the stream ended before the answer was complete');
    }
    this.#close();
    return END;
  }

  /** An error that cannot be explained is thrown as it is: the reader must not wait for ever. */
  #explained(error: unknown): unknown {
    try {
      return this.#fail(error);
    } catch {
      return error;
    }
  }

  #fail(error: unknown): unknown {
    const call = this.#call;
    this.#close();
    if (!call) return error;
    return this.#source.explain(call.limits.failure ?? error, call.wire, this.#collector);
  }

  #close(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#events = [];
    this.#call?.limits.close();
    this.#call?.pieces.return?.()?.catch(() => undefined);
  }
}
