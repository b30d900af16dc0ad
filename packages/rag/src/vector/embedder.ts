import { createHash } from 'node:crypto';
import {
  type Database,
  type EmbeddingModel,
  LLMError,
  PeerError,
  StorageError,
  VectorError,
} from '@vizprompt/providers';
import {
  embedTexts,
  hasDirection,
  inParts,
  insertRows,
  placeholders,
} from '@vizprompt/providers/internal';
import { type Chunk, headingsOf } from '../chunk/chunk.ts';
import type { LongOptions } from '../contract/search-backend.ts';
import { IndexingError, RagError } from '../errors.ts';
import type { Progress } from '../events.ts';
import type { CatalogTables } from './catalog-tables.ts';
import { chunksAfter } from './stored-chunks.ts';

/** Texts between two words about the progress, and what a failure costs at most. */
const BATCH = 128;
/** The vector of a text that the model refuses. */
const REFUSED = new Float32Array();
const PROBE = 'a';

/** The parts of an embedder. */
interface EmbedderOptions {
  readonly database: Database;
  readonly tables: CatalogTables;
  readonly embeddings: EmbeddingModel;
  readonly dimensions: number;
  readonly context: ContextWriter | undefined;
}

/** How one call continues. */
export interface EmbedRun {
  readonly signal?: AbortSignal | undefined;
  onProgress?(progress: Progress): void;
  /** The model does not take the text of a chunk, which is found by words only. */
  onRefused?(chunk: Chunk): void;
}

/** Makes vectors of chunks, and remembers those that were paid for. */
export class Embedder {
  readonly #options: EmbedderOptions;

  constructor(options: EmbedderOptions) {
    this.#options = options;
  }

  /**
   * Returns the vectors of chunks, in order; an empty one for a text that the model refuses, which is not asked for again. Completed
   * batches are kept, also if a later one fails.
   */
  async embedChunks(chunks: readonly Chunk[], run: EmbedRun): Promise<readonly Float32Array[]> {
    const vectors: Float32Array[] = [];
    for (const some of inParts(chunks, BATCH)) {
      run.signal?.throwIfAborted();
      const made = await this.#batch(some, run.signal);
      for (const [at, chunk] of some.entries()) {
        if (made[at]?.length === 0) run.onRefused?.(chunk);
      }
      vectors.push(...made);
      run.onProgress?.({ done: vectors.length, total: chunks.length });
    }
    return vectors;
  }

  /** Returns the vector of a question. */
  async embedQuery(text: string, signal: AbortSignal | undefined): Promise<Float32Array> {
    const { embeddings } = this.#options;
    const values = [text.toWellFormed()];
    const { vectors } = await embeddings.embed({ values, kind: 'query', signal });
    if (vectors.length === 1) await this.#check(vectors, signal);
    const [vector = new Float32Array(), ...others] = vectors;
    const isOne = others.length === 0 && vector.length === this.#options.dimensions;
    if (isOne && hasDirection(vector)) return vector;
    // The words answer then, as if the model were away.
    throw new LLMError('bad_response', 'the model gave no vector with a direction');
  }

  /** Deletes vectors and lines of texts that no chunk has any more. */
  async forgetUnused(signal: AbortSignal | undefined): Promise<void> {
    const { database, tables, context } = this.#options;
    const lines = new Set<string>();
    const hashes = new Set<string>();
    for (let after = ''; ;) {
      signal?.throwIfAborted();
      const chunks = await chunksAfter(database, tables, after);
      const last = chunks.at(-1);
      if (!last) break;
      after = last.key;
      for (const { chunk } of chunks) {
        if (context) lines.add(lineHash(context, chunk));
        hashes.add(this.#hash(embeddedText(chunk, await this.#knownLine(chunk))));
      }
    }
    await deleteOthers(database, tables.lines, lines);
    await deleteOthers(database, tables.embeddings, hashes);
  }

  async #batch(
    chunks: readonly Chunk[],
    signal: AbortSignal | undefined,
  ): Promise<readonly Float32Array[]> {
    const { database, tables } = this.#options;
    const texts: string[] = [];
    for (const chunk of chunks) texts.push(embeddedText(chunk, await this.#lineFor(chunk, signal)));
    const hashes = texts.map((text) => this.#hash(text));
    const known = await this.#known(hashes);
    const missing = [...new Map(hashes.map((hash, at) => [hash, texts[at] ?? '']))].filter(
      ([hash]) => !known.has(hash),
    );
    if (missing.length > 0) {
      const values = missing.map(([, text]) => text.toWellFormed());
      const check = (vectors: readonly Float32Array[]): Promise<void> =>
        this.#check(vectors, signal);
      for await (const part of embedTexts(this.#options.embeddings, { values, signal, check })) {
        const rows = part.results.map((result, place) => {
          const isOne = 'vector' in result && result.vector.length === this.#options.dimensions;
          const vector = isOne ? result.vector : REFUSED;
          const hash = missing[part.at + place]?.[0] ?? '';
          known.set(hash, vector);
          return [hash, bytesOf(vector)];
        });
        await database.transaction((tx) =>
          insertRows(tx, tables.embeddings, rows, 'ON CONFLICT (hash) DO NOTHING'),
        );
      }
    }
    return hashes.map((hash) => known.get(hash) ?? new Float32Array());
  }

  async #check(vectors: readonly Float32Array[], signal: AbortSignal | undefined): Promise<void> {
    const { embeddings, dimensions } = this.#options;
    // Some of them are those of texts which the model refuses; if all are, it may be another model.
    const areWrong = vectors.every(({ length }) => length !== dimensions);
    const wrong = areWrong && !(await this.#isRight(signal)) ? vectors[0] : undefined;
    if (!wrong) return;
    const model = `${embeddings.provider}:${embeddings.modelId}`;
    const message = dimensionsDiffer(model, wrong.length, dimensions);
    throw new RagError('model-mismatch', message, { context: { model, dimensions } });
  }

  /** Checks whether the model gives a vector of the right length for a text that any model takes. */
  async #isRight(signal: AbortSignal | undefined): Promise<boolean> {
    const { embeddings, dimensions } = this.#options;
    const request = { values: [PROBE], kind: 'document' as const, signal };
    const { vectors } = await embeddings.embed(request);
    return vectors[0]?.length === dimensions;
  }

  async #lineFor(chunk: Chunk, signal: AbortSignal | undefined): Promise<string> {
    const { context, database, tables } = this.#options;
    if (!context) return '';
    const known = await this.#storedLine(context, chunk);
    if (known !== undefined) return known;
    const hash = lineHash(context, chunk);
    const line = (await context.write(chunk, signal ? { signal } : {})).trim();
    await database.execute(
      `INSERT INTO ${tables.lines} VALUES (?, ?) ON CONFLICT (hash) DO NOTHING`,
      [hash, JSON.stringify(line)],
    );
    return line;
  }

  /** Returns the line that a chunk was embedded with; the empty one where there is none. */
  async #knownLine(chunk: Chunk): Promise<string> {
    const { context } = this.#options;
    return context ? ((await this.#storedLine(context, chunk)) ?? '') : '';
  }

  async #storedLine(context: ContextWriter, chunk: Chunk): Promise<string | undefined> {
    const { database, tables } = this.#options;
    const [known] = await database.query<{ line: string }>(
      `SELECT line FROM ${tables.lines} WHERE hash = ?`,
      [lineHash(context, chunk)],
    );
    return known && String(JSON.parse(known.line));
  }

  async #known(hashes: readonly string[]): Promise<Map<string, Float32Array>> {
    const { database, tables } = this.#options;
    const rows = await database.query<{ hash: string; bytes: Uint8Array }>(
      `SELECT hash, bytes FROM ${tables.embeddings} WHERE hash IN (${placeholders(hashes.length)})`,
      hashes,
    );
    return new Map(rows.map(({ hash, bytes }) => [hash, fromBytes(bytes)]));
  }

  #hash(text: string): string {
    const { provider, modelId } = this.#options.embeddings;
    return sha256([provider, modelId, this.#options.dimensions, text]);
  }
}

/** Why a model and a store do not fit, and what to do. */
export function dimensionsDiffer(model: string, made: number, wanted: number): string {
  return (
    `the model ${model} makes vectors of ${made} dimensions, and the vector store is for ${wanted}: ` +
    `open a new store with dimensions: ${made}, or take the model that this one was made for`
  );
}

function lineHash(context: ContextWriter, chunk: Chunk): string {
  return sha256([context.id, chunk.novelId, chunk.filePath, embeddedText(chunk)]);
}

/** Deletes the rows of all hashes but some. */
async function deleteOthers(
  database: Database,
  table: string,
  kept: ReadonlySet<string>,
): Promise<void> {
  const rows = await database.query<{ hash: string }>(`SELECT hash FROM ${table}`);
  const gone = rows.flatMap(({ hash }) => (kept.has(hash) ? [] : [hash]));
  for (const some of inParts(gone)) {
    await database.execute(
      `DELETE FROM ${table} WHERE hash IN (${placeholders(some.length)})`,
      some,
    );
  }
}

function sha256(parts: readonly (string | number)[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
}

function bytesOf(vector: Float32Array): Uint8Array {
  return new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
}

function fromBytes(bytes: Uint8Array): Float32Array {
  return new Float32Array(new Uint8Array(bytes).buffer);
}

/**
 * Writes a line that says where a chunk is in its document, for example by a model. It is embedded
 * with the chunk and never shown.
 *
 * Source: Anthropic: Introducing Contextual Retrieval (2024).
 */
export interface ContextWriter {
  /** Changes whenever the lines would be others; what was written under the same id is kept. */
  readonly id: string;
  write(chunk: Chunk, options: LongOptions): Promise<string>;
}

/** Returns the embedded text of a chunk: the line about it, its title and headings, and its text. */
function embeddedText(chunk: Chunk, line = ''): string {
  const headings = headingsOf(chunk).join(' › ');
  return [line, headings, chunk.own].filter((part) => part !== '').join('\n');
}

const LASTING: ReadonlySet<string> = new Set([
  'dimension-mismatch',
  'model-mismatch',
  'invalid-input',
  'closed',
]);

/** A model that is not installed, or does not exist. */
const WRONG: ReadonlySet<string> = new Set(['aborted', 'unsupported', 'not_found']);

/**
 * Checks whether a failure of the vector store or the embedding model is one that may pass, or that an
 * operator can repair while the program runs (a wrong key, an empty account): then keywords answer. A mistake
 * in the program itself is not an outage.
 */
export function isOutage(error: unknown): boolean {
  if (RagError.isInstance(error) || PeerError.isInstance(error)) return false;
  if (VectorError.isInstance(error)) return !LASTING.has(error.code);
  if (StorageError.isInstance(error)) return false;
  if (LLMError.isInstance(error)) return !WRONG.has(error.code);
  return true;
}

/** Why a search is degraded though store and model answer. */
export function vectorsMissing(): IndexingError {
  return new IndexingError(
    'some chunks have no vectors yet, as the vector store or the model was away when they were written',
  );
}
