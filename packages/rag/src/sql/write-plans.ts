import { encodePostings } from '@vizprompt/providers/internal';
import type { TermMemory } from '../analyze/term-memory.ts';
import type { UpdateReport } from '../contract/search-backend.ts';
import { positionOf } from '../chunk/chunk.ts';
import { BigramSketch, bucketsOf } from '../segment/format/bigram-sketch.ts';
import { type ChunkFacts, writeFacts } from './chunk-facts.ts';
import { writeText } from './chunk-text.ts';
import { givenRows, isAmong } from './given-rows.ts';
import { isChange, type PlannedChange, type StoredChunk } from './plan-changes.ts';
import type { SpacePlace } from './space-reader.ts';
import { hashOf, toSql } from './sql-text.ts';
import { documentKey } from '../contract/document-change.ts';
import { keysOf, TermNumbers } from './term-numbers.ts';

/** Postings of one row. Rare terms have one row for all of theirs. */
export const BLOCK = 1024;

/** The numbers of a space that its writers share; read and written under its lock. */
export interface SpaceNumbers {
  /** The number of this change. */
  readonly revision: number;
  readonly nextDocument: number;
  readonly nextChunk: number;
  readonly nextTerm: number;
}

/** Dependencies of the writing of a plan. */
export interface PlanWriting {
  readonly memory: TermMemory;
  /** The readings of a basic form, from the analyzer. */
  readonly readingsOf: (term: string) => readonly string[];
}

/** Returns what plans come to. */
export function reportOf(plans: readonly PlannedChange[]): UpdateReport {
  const sum = (of: (plan: PlannedChange) => number): number =>
    plans.reduce((total, plan) => total + of(plan), 0);
  return {
    added: sum(({ added }) => added),
    removed: sum(({ removed }) => removed.length),
    kept: sum(({ kept }) => kept),
  };
}

/**
 * Does what was planned, in a transaction that has the lock of the space: some ten statements, however much it is.
 *
 * @returns The numbers that are free then.
 */
export async function writePlans(
  place: SpacePlace,
  plans: readonly PlannedChange[],
  numbers: SpaceNumbers,
  { memory, readingsOf }: PlanWriting,
): Promise<SpaceNumbers> {
  const changed = plans.filter(isChange);
  const terms = new TermNumbers(place, numbers.nextTerm, readingsOf);
  const keys = changed.flatMap(({ chunks }) =>
    chunks.flatMap(({ chunk, id }) => (id ? [] : keysOf(memory.termsOf(chunk)))),
  );
  await terms.number(new Set(keys));
  const rows = new ChangeRows(numbers, terms, memory);
  for (const plan of changed) rows.add(plan);
  await rows.write(place);
  await terms.write(rows.termChanges);
  const { nextChunk, nextDocument } = rows;
  return { revision: numbers.revision, nextDocument, nextChunk, nextTerm: terms.next };
}

/** The rows of one change, until they are written all at once. */
class ChangeRows {
  nextChunk: number;
  nextDocument: number;
  /** By how much the chunks of terms become more or fewer. */
  readonly termChanges: Map<number, number> = new Map();
  readonly #revision: number;
  readonly #terms: TermNumbers;
  readonly #memory: TermMemory;
  readonly #sketch = new BigramSketch();
  readonly #removed: number[] = [];
  readonly #texts: (readonly [chunk: number, data: Uint8Array])[] = [];
  readonly #postings = new Map<number, { readonly docs: number[]; readonly times: number[] }>();
  readonly #documents: (readonly [
    id: number,
    name: string,
    novel: string,
    path: string,
    stamp: string | null,
    facts: Uint8Array,
  ])[] = [];

  constructor(numbers: SpaceNumbers, terms: TermNumbers, memory: TermMemory) {
    this.#revision = numbers.revision;
    this.nextChunk = numbers.nextChunk;
    this.nextDocument = numbers.nextDocument;
    this.#terms = terms;
    this.#memory = memory;
  }

  add({ ref, stamp, document, chunks, removed }: PlannedChange): void {
    for (const { id, chunk } of removed) this.#remove(id, chunk.own);
    const facts = chunks.map(({ chunk, id }): ChunkFacts => {
      const words = id ? id.facts.words : this.#memory.termsOf(chunk).words.length;
      const number = id ? id.facts.id : this.#add(chunk);
      const { tags } = chunk;
      return { id: number, words, length: chunk.own.length, tags, ...positionOf(chunk) };
    });
    const id = document ?? this.nextDocument++;
    const { novelId, filePath } = ref;
    const name = hashOf(documentKey(ref));
    const row = [toSql(novelId), toSql(filePath), stamp ?? null, writeFacts(facts)] as const;
    this.#documents.push([id, name, ...row]);
  }

  async write(place: SpacePlace): Promise<void> {
    const { executor, dialect, tables, space } = place;
    if (this.#removed.length > 0) {
      const among = isAmong(dialect, 'chunk', this.#removed);
      await executor.execute(`DELETE FROM ${tables.text} WHERE space = ? AND ${among.sql}`, [
        space,
        ...among.params,
      ]);
    }
    if (this.#texts.length > 0) {
      const texts = givenRows(dialect, { chunk: 'int', data: 'bytes' }, this.#texts);
      await executor.execute(
        `INSERT INTO ${tables.text} SELECT CAST(? AS INTEGER), given.chunk, given.data FROM ${texts.sql}`,
        [space, ...texts.params],
      );
      await writeBlocks(place, this.#blocks());
    }
    const columns = {
      id: 'int',
      name: 'text',
      novel: 'text',
      path: 'text',
      stamp: 'text',
      facts: 'bytes',
    } as const;
    const documents = givenRows(dialect, columns, this.#documents);
    await executor.execute(
      `INSERT INTO ${tables.document} (space, id, name, novel, path, stamp, revision, facts)
       SELECT CAST(? AS INTEGER), given.id, given.name, given.novel, given.path, given.stamp,
         CAST(? AS INTEGER), given.facts
       FROM ${documents.sql} WHERE true
       ON CONFLICT (space, id) DO UPDATE SET stamp = excluded.stamp,
         revision = excluded.revision, facts = excluded.facts`,
      [space, this.#revision, ...documents.params],
    );
    await executor.execute(`INSERT INTO ${tables.sketch} VALUES (?, ?, 0, ?)`, [
      space,
      this.#revision,
      this.#sketch.write().slice(),
    ]);
  }

  #add(chunk: Parameters<TermMemory['termsOf']>[0]): number {
    const id = this.nextChunk++;
    const found = this.#memory.termsOf(chunk);
    const numberOf = (term: string, isTitle: boolean): number => this.#terms.of(term, isTitle);
    this.#texts.push([id, writeText(chunk, found, numberOf)]);
    const times = new Map<number, number>();
    for (const key of keysOf(found)) {
      const term = this.#terms.of(key);
      times.set(term, (times.get(term) ?? 0) + 1);
    }
    for (const [term, count] of times) {
      this.#change(term, 1);
      let postings = this.#postings.get(term);
      if (!postings) this.#postings.set(term, (postings = { docs: [], times: [] }));
      postings.docs.push(id);
      postings.times.push(count);
    }
    this.#sketch.addBuckets(bucketsOf(chunk.own), 1);
    return id;
  }

  /** Its postings stay until blocks are merged. */
  #remove({ facts: { id }, text: { words, titles } }: StoredChunk, own: string): void {
    this.#removed.push(id);
    const terms = new Set([...words.flatMap(({ terms: numbers }) => numbers), ...titles]);
    for (const term of terms) this.#change(term, -1);
    this.#sketch.addBuckets(bucketsOf(own), -1);
  }

  #change(term: number, by: 1 | -1): void {
    this.termChanges.set(term, (this.termChanges.get(term) ?? 0) + by);
  }

  *#blocks(): Generator<NewBlock> {
    for (const [term, { docs, times }] of this.#postings) yield* blocksOf(term, docs, times);
  }
}

/** A row of postings. */
export type NewBlock = readonly [term: number, first: number, n: number, data: Uint8Array];

/** Cuts the postings of a term into blocks. */
export function* blocksOf(
  term: number,
  docs: ArrayLike<number>,
  times: ArrayLike<number>,
  count: number = docs.length,
): Generator<NewBlock> {
  for (let from = 0; from < count; from += BLOCK) {
    const to = Math.min(count, from + BLOCK);
    const first = docs[from] ?? 0;
    yield [term, first, to - from, encodePostings(first, docs, times, from, to)];
  }
}

/** Blocks of one statement. */
const BLOCKS_AT_ONCE = 20_000;

export async function writeBlocks(
  { executor, dialect, tables, space }: SpacePlace,
  blocks: Iterable<NewBlock>,
): Promise<void> {
  const all = [...blocks].toSorted((a, b) => a[0] - b[0] || a[1] - b[1]);
  const columns = { term: 'int', first: 'int', n: 'int', data: 'bytes' } as const;
  for (let from = 0; from < all.length; from += BLOCKS_AT_ONCE) {
    const given = givenRows(dialect, columns, all.slice(from, from + BLOCKS_AT_ONCE));
    await executor.execute(
      `INSERT INTO ${tables.block} SELECT CAST(? AS INTEGER), given.term, given.first, given.n, given.data
       FROM ${given.sql}`,
      [space, ...given.params],
    );
  }
}
