import { LLMError, VectorError } from '@vizprompt/providers';
import { untilAborted } from '@vizprompt/providers/internal';
import { MemoryError } from '../errors.ts';
import { readEventRows } from '../store/event-rows.ts';
import type { EmbeddingReport, MemoryContext } from '../store/memory-context.ts';
import type { UnembeddedRow, VectorBook, VectorPlace } from './vector-book.ts';
import { mismatch, type EmbeddingOptions } from './vector-options.ts';
import { embeddedEvent, vectorId, vectorRecord } from './vector-records.ts';

/** What is embedded of an event that cannot be read, so that the others are. */
const DAMAGED = '(damaged)';

/** How many events are embedded at once, and what a failure costs at most. */
const BATCH = 64;
/** How many keys of old events are looked at in one go. */
const WINDOW = 5000;
/** Events of other processes may become visible so many keys late. */
const OVERLAP = 1000;

/** What the model says of a text that it will never take. */
const REFUSALS: ReadonlySet<string> = new Set([
  'invalid_request',
  'context_length',
  'content_filter',
]);

/** Gives every event a vector, and takes away those of events that are gone: new events first, then old ones. */
export class VectorWriter {
  readonly #context: MemoryContext;
  readonly #options: EmbeddingOptions;
  readonly #book: VectorBook;
  /** All up to here have been seen. */
  #high = 0;
  /** All above have been looked at, with their vectors. */
  #low = 0;
  /** Everything is to be looked at, from the newest on. */
  #isWhole = true;
  #report = { embedded: 0, refused: 0, removed: 0 };

  constructor(context: MemoryContext, options: EmbeddingOptions, book: VectorBook) {
    this.#context = context;
    this.#options = options;
    this.#book = book;
  }

  /** Looks at everything again with the next run. */
  restart(): void {
    this.#isWhole = true;
  }

  /**
   * Goes on until every event has its vector.
   *
   * @throws LLMError or VectorError if the model or the store is away; what is done stays done.
   */
  async run(signal: AbortSignal): Promise<EmbeddingReport> {
    this.#report = { embedded: 0, refused: 0, removed: 0 };
    await this.#begin(signal);
    let top = this.#high;
    for (;;) {
      signal.throwIfAborted();
      const range = { from: this.#high - OVERLAP, to: Number.MAX_SAFE_INTEGER };
      const fresh = await this.#book.missing(range, BATCH);
      if (fresh.length > 0) {
        await this.#embed(fresh, signal);
        top = Math.max(top, fresh[0]?.key ?? 0);
        // The newest come first: below them there may be more.
        if (fresh.length < BATCH) this.#high = top;
        continue;
      }
      if (this.#isWhole) await this.#begin(signal);
      if (this.#low <= 0) return this.#report;
      const window = { from: this.#low - WINDOW, to: this.#low };
      await this.remove(await this.#book.gone(window), 'all', signal);
      const old = await this.#book.missing(window, BATCH);
      if (old.length > 0) await this.#embed(old, signal);
      if (old.length < BATCH) this.#low -= WINDOW;
    }
  }

  /** Takes vectors away; `'all'` also those that somebody had begun to write. */
  async remove(
    places: readonly VectorPlace[],
    which: 'left' | 'all',
    signal: AbortSignal,
  ): Promise<void> {
    if (places.length === 0) return;
    await this.#book.leave(places);
    await untilAborted(this.#options.vectors.delete(places.map(vectorId), { signal }), signal);
    await this.#book.strike(places, which);
    this.#report.removed += places.length;
  }

  async #begin(signal: AbortSignal): Promise<void> {
    const last = await this.#book.lastKeys();
    this.#high = Math.min(this.#high, last.event);
    if (!this.#isWhole) return;
    await this.#book.clearRefused();
    // The store may be a cache, which may be deleted at any time.
    const wanted = await this.#book.countStored();
    if (wanted > 0) {
      const filter = { tenant: this.#context.tenant };
      const stored = await untilAborted(this.#options.vectors.count(filter, { signal }), signal);
      if (stored < wanted) await this.#book.clear();
    }
    this.#high = last.event;
    this.#low = Math.max(last.event, last.line);
    this.#isWhole = false;
  }

  async #embed(rows: readonly UnembeddedRow[], signal: AbortSignal): Promise<void> {
    const { database, tenant, events } = this.#context;
    const { events: read } = await readEventRows(database, tenant, rows, 'omit');
    const texts = read.map((event) => (event ? embeddedEvent(event) : DAMAGED));
    try {
      const vectors = await this.#vectorsOf(texts, signal);
      const records = rows.map((row, at) =>
        vectorRecord(row, tenant, vectors[at] ?? new Float32Array()),
      );
      await this.#book.begin(rows);
      await untilAborted(this.#options.vectors.upsert(records, { signal }), signal);
    } catch (error) {
      signal.throwIfAborted();
      if (!isRefusal(error)) throw error;
      const [row] = rows;
      if (row && rows.length === 1) {
        await this.#book.refuse(row);
        this.#report.refused++;
        events.emit('vectors:failed', { task: 'embed', event: row.id, error });
        return;
      }
      const middle = rows.length >> 1;
      await this.#embed(rows.slice(0, middle), signal);
      await this.#embed(rows.slice(middle), signal);
      return;
    }
    // What was forgotten in the meantime must not stay.
    const lost = await this.#book.settle(rows);
    await this.remove(lost, 'all', signal);
    this.#report.embedded += rows.length - lost.length;
    events.emit('task:progress', { task: 'embed', done: this.#report.embedded });
  }

  async #vectorsOf(
    values: readonly string[],
    signal: AbortSignal,
  ): Promise<readonly Float32Array[]> {
    const { model, vectors: store } = this.#options;
    const asked = model.embed({ values, kind: 'document', signal });
    const { vectors } = await untilAborted(asked, signal);
    const wrong = vectors.find(({ length }) => length !== store.dimensions);
    if (wrong) throw new MemoryError('invalid-input', mismatch(this.#options, wrong.length));
    return vectors;
  }
}

/** Whether it is the text that is wrong, and not the model or the store. */
function isRefusal(error: unknown): boolean {
  if (LLMError.isInstance(error)) return REFUSALS.has(error.code);
  return VectorError.isInstance(error) && error.code === 'invalid-input';
}
