import { ChatCollector } from '../models/collect.ts';
import type { ChatEvent } from '../models/events.ts';
import { LLMError } from '../models/llm-error.ts';
import type { ChatRequest } from '../models/request.ts';
import { CallLimits } from './limits.ts';
import { createWire, type Wire, type WireOptions } from './wire.ts';

/** The parts of a stream. */
export interface StreamSource extends WireOptions {
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
