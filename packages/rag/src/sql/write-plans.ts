import type { Chunk } from '../chunk/chunk.ts';
import type { UpdateReport } from '../contract/search-backend.ts';
import { positionOf } from '../chunk/chunk.ts';
import { BigramSketch, bucketsOf } from '../segment/format/bigrams.ts';
import { type ChunkFacts, writeFacts } from './chunk-facts.ts';
import type { StoredText } from './chunk-text.ts';
import { givenRows } from './given-rows.ts';
import { isChange, type PlannedChange, type StoredChunk } from './plan-changes.ts';
import type { SpacePlace } from './space-reader.ts';
import { hashOf, toSql } from './sql-text.ts';
import { documentKey } from '../contract/document-change.ts';
import { blocksOf, writeBlocks } from './posting-rows.ts';
import { TermNumbers } from './term-numbers.ts';
import { writeTerms } from './term-rows.ts';
import type { TermTable } from './term-table.ts';
import type { WordMemory } from './word-memory.ts';
import type { WordRecords, WrittenText } from './word-records.ts';
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
  readonly memory: WordMemory;
  /** The terms of the space when its lock was taken; they do not change. */
  readonly terms: TermTable;
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
 * Does what was planned, in a transaction that has the lock of the space: six statements, however much it is.
 *
 * @returns The numbers that are free then, and what it did to the terms, as `applyTerms` reads it.
 */
export async function writePlans(
  place: SpacePlace,
  plans: readonly PlannedChange[],
  numbers: SpaceNumbers,
  { memory, terms: known, readingsOf }: PlanWriting,
): Promise<SpaceNumbers & { readonly effect: Uint8Array }> {
  const terms = new TermNumbers(known, numbers.nextTerm, memory.ids);
  const rows = new ChangeRows(numbers, known, terms, memory);
  for (const plan of plans) if (isChange(plan)) rows.add(plan);
  const effect = writeTerms(terms.changes(readingsOf));
  await rows.write(place, effect);
  const { nextChunk, nextDocument } = rows;
  return { revision: numbers.revision, nextDocument, nextChunk, nextTerm: terms.next, effect };
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
  readonly #revision: number;
  readonly #known: TermTable;
  readonly #terms: TermNumbers;
  readonly #memory: WordMemory;
  readonly #sketch = new BigramSketch();
  readonly #removed: number[] = [];
  readonly #texts: WrittenText[] = [];
  readonly #documents: (readonly [
    id: number,
    name: string,
    novel: string,
    path: string,
    stamp: string | null,
    facts: Uint8Array,
  ])[] = [];

  constructor(numbers: SpaceNumbers, known: TermTable, terms: TermNumbers, memory: WordMemory) {
    this.#revision = numbers.revision;
    this.nextChunk = numbers.nextChunk;
    this.nextDocument = numbers.nextDocument;
    this.#known = known;
    this.#terms = terms;
    this.#memory = memory;
  }

  add({ ref, stamp, document, chunks, removed }: PlannedChange): void {
    for (const { id, chunk } of removed) this.#remove(id, chunk.own);
    const facts = chunks.map(({ chunk, id }): ChunkFacts => {
      const words = id ? id.facts.words : this.#memory.wordsOf(chunk).count;
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

  async write(place: SpacePlace, effect: Uint8Array): Promise<void> {
    const { executor, dialect, tables, space } = place;
    await deleteTexts(place, this.#removed);
    await writeTexts(place, this.#texts);
    await writeBlocks(place, blocksOf(this.#terms.postings()));
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
    for (const [table, data] of [
      [tables.sketch, this.#sketch.write().slice()],
      [tables.vocabulary, effect],
    ] as const) {
      await executor.execute(`INSERT INTO ${table} VALUES (?, ?, 0, ?)`, [
        space,
        this.#revision,
        data,
      ]);
    }
  }

  #add(chunk: Chunk): number {
    const id = this.nextChunk++;
    const { words, count, titles } = this.#memory.wordsOf(chunk);
    this.#texts.push({
      chunk: id,
      fields: chunk,
      words: this.#number(id, words),
      count,
      titles: titles.map((term) => this.#terms.count(id, term)),
    });
    this.#sketch.addBuckets(bucketsOf(chunk.own), 1);
    return id;
  }

  /** Counts the terms of the words of a chunk, and returns them with the numbers that the space has for them. */
  #number(chunk: number, words: WordRecords): WordRecords {
    const numbered = words.slice();
    for (let at = 0; at < words.length;) {
      const end = at + 3 + ((words[at + 2] ?? 0) >>> 1);
      for (at += 3; at < end; at++) numbered[at] = this.#terms.count(chunk, words[at] ?? 0);
    }
    return numbered;
  }

  /** Its postings stay until blocks are merged. */
  #remove({ facts: { id }, text }: StoredChunk, own: string): void {
    this.#removed.push(id);
    const terms = new Set(text.titles);
    for (const word of text.words) {
      if (!word.isOwnTerm) for (const term of word.terms) terms.add(term);
    }
    for (const term of ownTerms(text)) terms.add(this.#known.find(term));
    for (const term of terms) if (term > 0) this.#terms.remove(term);
    this.#sketch.addBuckets(bucketsOf(own), -1);
  }
}
