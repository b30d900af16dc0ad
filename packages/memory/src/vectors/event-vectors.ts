import { messageOf } from '@vizprompt/providers';
import { backoffMs, Mutex, type Unsubscribe } from '@vizprompt/providers/internal';
import { checkOptions } from '../check-values.ts';
import { MemoryError } from '../errors.ts';
import { SIGNAL_OPTION, type SignalOption } from '../model/input-kinds.ts';
import type {
  EmbeddingReport,
  MemoryContext,
  VectorIndex,
  VectorScope,
} from '../store/memory-context.ts';
import { VectorBook, type VectorPlace } from './vector-book.ts';
import { nameOf, type EmbeddingOptions, vectorMatches, VectorWriter } from './vector-writer.ts';

/** How long events gather before they are embedded. */
const GATHER_MS = 100;
/** The pause after a failure; it doubles up to the longest. */
const BACKOFF = { baseMs: 1000, maxMs: 300_000, jitter: false };

/**
 * The vectors of a memory: made in the background, apart from the appends, asked next to the words, and taken
 * away with their events. Failures are reported by `vectors:failed` and made up for later.
 */
export class EventVectors implements VectorIndex {
  readonly #context: MemoryContext;
  readonly #options: EmbeddingOptions;
  readonly #writer: VectorWriter;
  readonly #closing = new AbortController();
  readonly #stops: readonly Unsubscribe[];
  #timer: NodeJS.Timeout | undefined;
  /** One run after the other. */
  readonly #turns = new Mutex();
  #isWorking = false;
  #isAsked = false;
  #failures = 0;
  /** Until then the model or the store is taken to be away, and no question waits for it. */
  #awayUntil = 0;

  /** Begins at once, in the background. */
  static async open(context: MemoryContext, options: EmbeddingOptions): Promise<EventVectors> {
    const book = new VectorBook(context.database, nameOf(options.model), context.tenant);
    await book.open();
    return new EventVectors(context, options, book);
  }

  private constructor(context: MemoryContext, options: EmbeddingOptions, book: VectorBook) {
    this.#context = context;
    this.#options = options;
    this.#writer = new VectorWriter(context, options, book);
    const wake = (): void => this.#wake();
    this.#stops = [
      context.events.on('event:logged', wake),
      context.events.on('task:progress', ({ task }) => {
        if (task === 'import') wake();
      }),
    ];
    wake();
  }

  async embedAll(signal?: AbortSignal): Promise<EmbeddingReport> {
    const end = this.#until(signal);
    return this.#turns.run(async () => {
      this.#writer.restart();
      const report = await this.#writer.run(end);
      this.#recover();
      return report;
    }, end);
  }

  async matches(
    query: string,
    scope: VectorScope,
    k: number,
    signal?: AbortSignal,
  ): Promise<readonly number[]> {
    // Other processes may have logged something.
    this.#wake();
    if (query.trim() === '' || performance.now() < this.#awayUntil) return [];
    try {
      const end = this.#until(signal);
      return await vectorMatches(this.#context, this.#options, { query, scope, k, signal: end });
    } catch (error) {
      signal?.throwIfAborted();
      this.#fail('search', error);
      return [];
    }
  }

  async purge(): Promise<void> {
    await this.#options.vectors.purge?.();
  }

  async remove(places: readonly VectorPlace[]): Promise<void> {
    try {
      await this.#writer.remove(places, 'left', this.#closing.signal);
    } catch (error) {
      this.#writer.restart();
      this.#fail('remove', error);
      this.#wake();
    }
  }

  async close(): Promise<void> {
    for (const stop of this.#stops) stop();
    clearTimeout(this.#timer);
    this.#closing.abort(new Error('the memory store is closed'));
    await this.#turns.run(async () => undefined);
  }

  #wake(): void {
    if (this.#isWorking) this.#isAsked = true;
    if (this.#isWorking || this.#timer || this.#closing.signal.aborted) return;
    const pause = Math.max(GATHER_MS, this.#awayUntil - performance.now());
    // A program that is done does not wait for this.
    this.#timer = setTimeout(() => void this.#inBackground(), pause).unref();
  }

  async #inBackground(): Promise<void> {
    this.#timer = undefined;
    this.#isWorking = true;
    this.#isAsked = false;
    try {
      await this.#turns.run(() => this.#writer.run(this.#closing.signal), this.#closing.signal);
      this.#recover();
    } catch (error) {
      if (!this.#closing.signal.aborted) this.#fail('embed', error);
      this.#isAsked = true;
    } finally {
      this.#isWorking = false;
    }
    if (this.#isAsked) this.#wake();
  }

  #recover(): void {
    this.#failures = 0;
    this.#awayUntil = 0;
  }

  #fail(task: 'embed' | 'search' | 'remove', error: unknown): void {
    this.#failures++;
    const pause = backoffMs(this.#failures, BACKOFF);
    this.#awayUntil = performance.now() + pause;
    this.#context.logger.warn('vectors failed', { task, error: messageOf(error) });
    this.#context.events.emit('vectors:failed', { task, error, retryMs: pause });
  }

  #until(signal: AbortSignal | undefined): AbortSignal {
    return signal ? AbortSignal.any([signal, this.#closing.signal]) : this.#closing.signal;
  }
}

/**
 * Makes all vectors that are missing.
 *
 * @throws MemoryError `invalid-input` for a memory without embeddings.
 */
export async function embedEvents(
  { vectors }: Pick<MemoryContext, 'vectors'>,
  options: SignalOption,
): Promise<EmbeddingReport> {
  checkOptions('embedEvents', options, SIGNAL_OPTION);
  if (vectors) return vectors.embedAll(options.signal);
  throw new MemoryError('invalid-input', "the memory was opened without 'embeddings'");
}
