import {
  type EmbeddingModel,
  type VectorStore,
  type JsonObject,
  type SqlParameter,
  type VectorFilter,
  type VectorRecord,
} from '@vizprompt/providers';
import { having, type Kinds, EMBEDDING_MODEL } from '@vizprompt/providers/config/internal';
import { embedTexts, untilAborted } from '@vizprompt/providers/internal';
import { MemoryError } from '../errors.ts';
import { shownText, tagsOf } from '../indexing/indexed-event.ts';
import type { MemoryEvent } from '../model/memory-event.ts';
import { readEventRows } from '../store/event-rows.ts';
import type { EmbeddingReport, MemoryContext, VectorScope } from '../store/memory-context.ts';
import { listOf } from '../store/sql.ts';
import type { UnembeddedRow, VectorBook, VectorPlace } from './vector-book.ts';

/** Options for searching events by meaning as well. */
export interface EmbeddingOptions {
  /** Makes the vectors: of events in the background, of a question while it is answered. */
  readonly model: EmbeddingModel;
  /**
   * Keeps the vectors of this memory, and of nothing else, such as
   * `quantizedVectors({ database: storage.cache, ... })` or `pgvectorStore(...)`. It stays open when the
   * memory is closed. One that lost its vectors is filled again.
   */
  readonly vectors: VectorStore;
}

export const EMBEDDING_OPTIONS: Kinds<EmbeddingOptions> = {
  model: EMBEDDING_MODEL,
  vectors: having('a VectorStore, such as quantizedVectors()', 'upsert', 'query'),
};

/** @throws MemoryError `invalid-input` for a model and a store that do not go together. */
export function assertEmbeddings(options: EmbeddingOptions): void {
  const { model, vectors } = options;
  if (model.dimensions === undefined || model.dimensions === vectors.dimensions) return;
  throw new MemoryError('invalid-input', mismatch(options, model.dimensions));
}

/** Says that vectors do not fit into their store. */
function mismatch({ model, vectors }: EmbeddingOptions, dimensions: number): string {
  return (
    `${nameOf(model)} makes vectors of ${dimensions} dimensions, and the store holds those of ` +
    `${vectors.dimensions}: make the store for this model`
  );
}

/** Returns a model, as the memory and its messages know it. */
export function nameOf({ provider, modelId }: EmbeddingModel): string {
  return `${provider}:${modelId}`;
}

/** Replaces the text of an event that cannot be read, so that the others are embedded. */
const DAMAGED = '(damaged)';

/** How many events are embedded at once, and what a failure costs at most. */
const BATCH = 64;
/** How many keys of old events are looked at in one go. */
const WINDOW = 5000;
/** Events of other processes may become visible this many keys late. */
const OVERLAP = 1000;

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
   * Continues until every event has its vector.
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

  /** Removes vectors; `'all'` also those that are about to be written. */
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
      // Vectors that are removed at this moment are not loss.
      if (stored < Math.min(wanted, await this.#book.countStored())) await this.#book.clear();
    }
    this.#high = last.event;
    this.#low = Math.max(last.event, last.line);
    this.#isWhole = false;
  }

  async #embed(rows: readonly UnembeddedRow[], signal: AbortSignal): Promise<void> {
    const { database, tenant, events } = this.#context;
    const { events: read } = await readEventRows(database, tenant, rows, 'omit');
    const texts = read.map((event) => (event ? embeddedEvent(event) : DAMAGED));
    const { model, vectors: store } = this.#options;
    const check = (vectors: readonly Float32Array[]): void => {
      const wrong = vectors.find(({ length }) => length !== store.dimensions);
      if (wrong) throw new MemoryError('invalid-input', mismatch(this.#options, wrong.length));
    };
    for await (const { at, results } of embedTexts(model, { values: texts, signal, check })) {
      const taken: UnembeddedRow[] = [];
      const records: VectorRecord[] = [];
      for (const [place, result] of results.entries()) {
        const row = rows[at + place];
        if (!row) continue;
        if ('vector' in result) {
          taken.push(row);
          records.push(vectorRecord(row, tenant, result.vector));
        } else {
          await this.#book.refuse(row);
          this.#report.refused++;
          events.emit('vectors:failed', { task: 'embed', event: row.id, error: result.error });
        }
      }
      await this.#store(taken, records, signal);
    }
  }

  async #store(
    rows: readonly UnembeddedRow[],
    records: readonly VectorRecord[],
    signal: AbortSignal,
  ): Promise<void> {
    if (rows.length === 0) return;
    await this.#book.begin(rows);
    await untilAborted(this.#options.vectors.upsert(records, { signal }), signal);
    // Vectors of events that were forgotten in the meantime must not stay.
    const lost = await this.#book.settle(rows);
    await this.remove(lost, 'all', signal);
    this.#report.embedded += rows.length - lost.length;
    const { events } = this.#context;
    events.emit('task:progress', { task: 'embed', done: this.#report.embedded });
  }
}

/** Maximum embedded characters of an event: models take no more, and the beginning says most. */
const MAX_CHARACTERS = 4000;

/** Returns the part of a text to embed. */
function embeddedText(text: string): string {
  return text.slice(0, MAX_CHARACTERS).toWellFormed();
}

/** Returns the text to embed for an event: its shown text, or its type if that is empty. */
function embeddedEvent(event: MemoryEvent): string {
  return embeddedText(shownText(event).trim()) || event.type;
}

/** Returns the id of a vector: the key of its row and the id of its event. A copy of the event has another key. */
function vectorId({ key, id }: VectorPlace): string {
  return `${key} ${id}`;
}

/** Returns the number of the event that a vector is of. */
function keyOfVector(id: string): number {
  return Number.parseInt(id, 10);
}

/** Payload fields of tags, by the first letter of the tag. */
const KINDS: Readonly<Record<string, string>> = {
  s: 'session',
  w: 'place',
  t: 'type',
  f: 'path',
  y: 'time',
  m: 'time',
};

/** Returns the record of an event, to be filtered by what the text index is filtered by. */
function vectorRecord(row: UnembeddedRow, tenant: string, vector: Float32Array): VectorRecord {
  const { home_path: workspace, session_key: session, type, timestamp } = row;
  const path = row.file_path ?? undefined;
  const payload: Record<string, string[]> = { tenant: [tenant] };
  for (const tag of tagsOf({ tenant, workspace, session, type, path, timestamp, characters: 0 })) {
    const kind = KINDS[tag.charAt(0)];
    if (kind !== undefined) (payload[kind] ??= []).push(tag);
  }
  // A session may be moved into a workspace that it was not started in.
  payload['place'] = [...(payload['place'] ?? []), ...(payload['session'] ?? [])];
  return { id: vectorId(row), vector, payload: payload satisfies JsonObject };
}

/** Returns the filter for the clauses that the text index is asked with. */
function vectorFilter(tenant: string, clauses: readonly (readonly string[])[] = []): VectorFilter {
  const filter: Record<string, { readonly anyOf: readonly string[] }> = {
    tenant: { anyOf: [tenant] },
  };
  for (const clause of clauses) {
    const [first = ''] = clause;
    const kind = first === 'never' ? 'time' : KINDS[first.charAt(0)];
    if (kind !== undefined) filter[kind] = { anyOf: clause };
  }
  return filter;
}

/** A question is answered by words alone if it has no vector after this time. */
const TIMEOUT_MS = 5000;

/** A question to the vector store. */
interface VectorQuestion {
  readonly query: string;
  readonly scope: VectorScope;
  readonly k: number;
  readonly signal: AbortSignal;
}

/**
 * Returns the keys of the events whose vectors are the nearest to that of a question.
 *
 * @throws LLMError or VectorError.
 */
export async function vectorMatches(
  { database, tenant }: MemoryContext,
  { model, vectors }: EmbeddingOptions,
  { query, scope: { tags, where }, k, signal: given }: VectorQuestion,
): Promise<readonly number[]> {
  const signal = AbortSignal.any([given, AbortSignal.timeout(TIMEOUT_MS)]);
  const values = [embeddedText(query)];
  const asked = await untilAborted(model.embed({ values, kind: 'query', signal }), signal);
  // Conditions that a payload does not know take some of the hits away.
  const wanted = where ? 4 * k : k;
  const filter = vectorFilter(tenant, tags);
  const [vector = new Float32Array()] = asked.vectors;
  const found = await untilAborted(
    vectors.query(vector, { limit: wanted, k: wanted, filter, signal }),
    signal,
  );
  if (found.length === 0) return [];
  const keys = found.map(({ id }) => keyOfVector(id));
  const conditions = where ? ` AND ${where.sql}` : '';
  const params: readonly SqlParameter[] = [tenant, ...keys, ...(where?.params ?? [])];
  const rows = await database.query<{ key: number; id: string }>(
    `SELECT key, id FROM memory_events WHERE COALESCE(tenant, '') = ? AND type <> 'forgotten'
       AND key IN ${listOf(keys)}${conditions}`,
    params,
  );
  const living = new Set(rows.map(vectorId));
  return found
    .filter(({ id }) => living.has(id))
    .slice(0, k)
    .map(({ id }) => keyOfVector(id));
}
