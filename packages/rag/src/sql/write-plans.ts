import type { TermMemory } from '../analyze/term-memory.ts';
import type { UpdateReport } from '../contract/search-backend.ts';
import { positionOf } from '../chunk/chunk.ts';
import { BigramSketch, bucketsOf } from '../segment/format/bigram-sketch.ts';
import { type ChunkFacts, writeFacts } from './chunk-facts.ts';
import type { StoredText } from './chunk-text.ts';
import { givenRows } from './given-rows.ts';
import { isChange, type PlannedChange, type StoredChunk } from './plan-changes.ts';
import type { SpacePlace } from './space-reader.ts';
import { hashOf, toSql } from './sql-text.ts';
import { documentKey } from '../contract/document-change.ts';
import { blocksOf, writeBlocks } from './posting-rows.ts';
import { addKeys, TermNumbers } from './term-numbers.ts';
import type { NumberedText } from './text-pack.ts';
import { deleteTexts, writeTexts } from './write-texts.ts';

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
  const keys = new Set<string>();
  for (const { chunks, removed } of changed) {
    for (const { chunk, id } of chunks) {
      if (!id) addKeys(keys, memory.termsOf(chunk));
    }
    for (const { id } of removed) for (const term of ownTerms(id.text)) keys.add(term);
  }
  await terms.number(keys);
  const rows = new ChangeRows(numbers, terms, memory);
  for (const plan of changed) rows.add(plan);
  await rows.write(place);
  await terms.write(rows.termChanges);
  const { nextChunk, nextDocument } = rows;
  return { revision: numbers.revision, nextDocument, nextChunk, nextTerm: terms.next };
}

/** The terms of a text that are its words as they are written. */
function ownTerms({ fields, words }: StoredText): readonly string[] {
  return words
    .filter(({ isOwnTerm }) => isOwnTerm)
    .map(({ start, end }) => fields.content.slice(start, end));
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
  readonly #texts: NumberedText[] = [];
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
    await deleteTexts(place, this.#removed);
    await writeTexts(place, this.#texts);
    await writeBlocks(place, this.#blocks());
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
    const numberOf = (term: string): number => this.#terms.of(term);
    const words = found.words.map(({ start, end, terms }) => {
      const isOwnTerm = terms.length === 1 && terms[0] === chunk.content.slice(start, end);
      const word = { start, end, terms: terms.map(numberOf) };
      return isOwnTerm ? { ...word, isOwnTerm } : word;
    });
    const titles = found.titles.map((term) => this.#terms.of(term, true));
    this.#texts.push({ chunk: id, text: { fields: chunk, words, titles } });
    const times = new Map<number, number>();
    const count = (term: number): unknown => times.set(term, (times.get(term) ?? 0) + 1);
    for (const { terms } of words) for (const term of terms) count(term);
    for (const term of titles) count(term);
    for (const [term, often] of times) {
      this.#change(term, 1);
      let postings = this.#postings.get(term);
      if (!postings) this.#postings.set(term, (postings = { docs: [], times: [] }));
      postings.docs.push(id);
      postings.times.push(often);
    }
    this.#sketch.addBuckets(bucketsOf(chunk.own), 1);
    return id;
  }

  /** Its postings stay until blocks are merged. */
  #remove({ facts: { id }, text }: StoredChunk, own: string): void {
    this.#removed.push(id);
    const terms = new Set(text.titles);
    for (const word of text.words) {
      if (!word.isOwnTerm) for (const term of word.terms) terms.add(term);
    }
    for (const term of ownTerms(text)) terms.add(this.#terms.of(term));
    for (const term of terms) this.#change(term, -1);
    this.#sketch.addBuckets(bucketsOf(own), -1);
  }

  #change(term: number, by: 1 | -1): void {
    this.termChanges.set(term, (this.termChanges.get(term) ?? 0) + by);
  }

  #blocks(): ReturnType<typeof blocksOf> {
    const lists = Array.from(this.#postings, ([term, { docs, times }]) => {
      return { term, docs, times, count: docs.length };
    });
    // A new term has no other rows, so that its neighbours may share one with it.
    return blocksOf(lists, (term) => this.#terms.isNew(term));
  }
}
