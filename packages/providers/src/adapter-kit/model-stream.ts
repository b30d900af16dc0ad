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
    const step = this.#advance();
    this.#underWay = step;
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

  async #advance(): Promise<Step> {
    try {
      const { limits, pieces } = (this.#call ??= this.#open());
      for (;;) {
        const piece = await limits.wait(pieces.next());
        if (piece.done) return this.#end(limits);
        limits.noteFirstByte();
        const [first] = piece.value;
        if (!first) continue;
        for (const event of piece.value) this.#collector.add(event);
        this.#events = piece.value;
        this.#at = 1;
        return { done: false, value: first };
      }
    } catch (error) {
      throw this.#fail(error);
    } finally {
      this.#underWay = undefined;
    }
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
