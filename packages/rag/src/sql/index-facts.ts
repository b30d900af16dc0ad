import { LruMap } from '@vizprompt/providers/internal';
import type { DocumentRef } from '../contract/search-backend.ts';
import { ChunkColumns } from '../search/column-part.ts';
import type { ScoreAccumulator } from '../search/score-accumulator.ts';
import { BigramSketch } from '../segment/format/bigrams.ts';
import { type BlockCache, blockCache } from './block-lists.ts';
import { type ChunkFacts, eachFacts, readFacts } from './chunk-facts.ts';
import { applyTerms } from './term-rows.ts';
import { TermTable } from './term-table.ts';
import type { PackRow } from './text-pack.ts';

/** Maximum size of the rows of texts in memory, in bytes. */
const MAX_TEXT_BYTES: number = 8 * 1024 * 1024;
/** Bytes of a row in memory, besides those of its texts. */
const ROW_BYTES = 320;

/** A document as its row says. */
export interface DocumentRow extends DocumentRef {
  readonly id: number;
  readonly revision: number;
  readonly facts: Uint8Array;
}

/** The effect of a change on the counts of pairs of characters, or on the terms. */
export interface EffectRow {
  readonly revision: number;
  /** True if it is the sum of all changes up to this one. */
  readonly isSum: boolean;
  readonly data: Uint8Array;
}

/** The row of a space. */
export interface SpaceState {
  readonly id: number;
  readonly analyzer: string;
  /** The number of the last change. */
  readonly revision: number;
  /** The last change whose dead chunks are in no postings any more. */
  readonly swept: number;
  /** The last change whose documents that went have no rows any more. */
  readonly purged: number;
  /** All numbers of chunks are lower. */
  readonly nextChunk: number;
}

/** The changes since some revision. */
export interface Changes {
  readonly state: SpaceState;
  readonly documents: readonly DocumentRow[];
  /** By their revisions. */
  readonly sketches: readonly EffectRow[];
  /** By their revisions. */
  readonly vocabulary: readonly EffectRow[];
}

/** A document with its chunks in order, which are decoded when they are asked for first. */
class HeldDocument implements DocumentRef {
  readonly novelId: string;
  readonly filePath: string;
  readonly #facts: Uint8Array;
  #chunks: readonly ChunkFacts[] | undefined;

  constructor({ novelId, filePath, facts }: DocumentRow) {
    this.novelId = novelId;
    this.filePath = filePath;
    this.#facts = facts;
  }

  get chunks(): readonly ChunkFacts[] {
    return (this.#chunks ??= readFacts(this.#facts));
  }

  /** @param index - The place of the chunk in the document, which most lists of chunks have it at. */
  chunkOf(id: number, index: number): ChunkFacts | undefined {
    const likely = this.chunks[index];
    return likely?.id === id ? likely : this.chunks.find((chunk) => chunk.id === id);
  }
}

/**
 * Holds the facts of all chunks that ranking reads, as of one revision of a space. It does not change while it is used:
 * later changes are applied to a copy.
 */
export class IndexFacts {
  readonly columns: ChunkColumns;
  readonly documents: Map<number, HeldDocument>;
  readonly sketch: BigramSketch;
  terms: TermTable;
  /** The postings that searches of this revision and of those before it have read. */
  readonly postings: BlockCache = blockCache();
  /**
   * The rows of the texts that they have read, by the numbers of their chunks. Decoded texts take ten times as much, and
   * chunks of one row count it once each.
   */
  readonly texts: LruMap<number, PackRow> = new LruMap(
    MAX_TEXT_BYTES,
    ({ data }) => ROW_BYTES + data.length,
  );
  /** Sheets that no search uses now. */
  readonly sheets: ScoreAccumulator[] = [];
  /** -1: nothing has been read. */
  revision: number;
  /** All numbers of chunks are lower; those below it that have no document are dead. */
  nextChunk: number;
  /** Searches that use it now. */
  users = 0;

  constructor(before?: IndexFacts) {
    this.columns = before?.columns.copy() ?? new ChunkColumns();
    this.documents = new Map(before?.documents);
    this.sketch = new BigramSketch();
    if (before) this.sketch.addBytes(before.sketch.write());
    this.terms = before?.terms.copy() ?? new TermTable();
    this.revision = before?.revision ?? -1;
    this.nextChunk = before?.nextChunk ?? 0;
    for (const [term, list] of before?.postings ?? []) this.postings.set(term, list);
    for (const [chunk, row] of before?.texts ?? []) this.texts.set(chunk, row);
  }

  /** Takes in what changed since its revision, or since an older one. */
  apply({ state, documents, sketches, vocabulary }: Changes): void {
    for (const [term, { revision }] of this.postings) {
      if (revision < state.swept) this.postings.delete(term);
    }
    this.columns.reserve(state.nextChunk);
    for (const row of documents) {
      if (row.revision <= this.revision) continue;
      const before = this.documents.get(row.id)?.chunks ?? [];
      for (const { id } of before) this.columns.delete(id);
      this.documents.delete(row.id);
      if (row.facts.length > 0) this.documents.set(row.id, new HeldDocument(row));
      eachFacts(row.facts, ({ id, chunkIndex: index, words, length, tags }) => {
        this.columns.set(id, { document: row.id, index, words, length, tags });
      });
      for (const { id } of before) if (this.columns.documentOf(id) < 0) this.texts.delete(id);
    }
    for (const { revision, isSum, data } of sketches) {
      if (revision <= this.revision) continue;
      if (isSum) this.sketch.clear();
      this.sketch.addBytes(data);
    }
    this.terms = withEffects(this.terms, vocabulary, this.revision);
    this.revision = state.revision;
    this.nextChunk = state.nextChunk;
  }
}

/**
 * Applies to terms what changed after a revision.
 *
 * @returns The same table, or a new one if all of it was read again.
 */
export function withEffects(
  terms: TermTable,
  rows: readonly EffectRow[],
  after: number,
): TermTable {
  let table = terms;
  for (const { revision, isSum, data } of rows) {
    if (revision <= after) continue;
    if (isSum) table = new TermTable();
    applyTerms(table, data);
  }
  return table;
}

/** The facts of a space, shared by the searches of a process. */
export class SharedFacts {
  #facts: IndexFacts = new IndexFacts();
  #space = 0;

  get current(): IndexFacts {
    return this.#facts;
  }

  /** The number of the space that they are of. */
  get space(): number {
    return this.#space;
  }

  /**
   * Brings the facts up to date.
   *
   * @param request - The space whose changes were read, and the revision after which they begin.
   * @returns The facts of exactly the revision of the changes; `undefined` if these changes do not lead there.
   */
  advance(
    changes: Changes,
    request: { readonly space: number; readonly since: number },
  ): IndexFacts | undefined {
    const { state } = changes;
    const { since } = request;
    if (state.id !== this.#space) this.begin(state.id);
    if (state.id !== request.space) return undefined;
    const { revision } = this.#facts;
    if (revision === state.revision) return this.#facts;
    // Another search has read more, or these changes begin after what is known.
    if (revision > state.revision || since > revision) return undefined;
    // Documents that went before this have no rows any more.
    if (since >= 0 && since < state.purged) {
      this.begin(state.id);
      return undefined;
    }
    if (this.#facts.users > 0) this.#facts = new IndexFacts(this.#facts);
    this.#facts.apply(changes);
    return this.#facts;
  }

  /** The same facts, which other searches do not bring up to date. */
  fork(): SharedFacts {
    const fork = new SharedFacts();
    fork.#facts = this.#facts;
    fork.#space = this.#space;
    return fork;
  }

  /** Begins with a space of which nothing has been read. */
  begin(space: number): void {
    this.#facts = new IndexFacts();
    this.#space = space;
  }
}
