import { constants } from 'node:zlib';
import type { Chunk } from '../chunk/chunk.ts';
import type { UpdateReport } from '../contract/search-backend.ts';
import { positionOf } from '../chunk/chunk.ts';
import { BigramSketch } from '../segment/format/bigrams.ts';
import { type ChunkFacts, writeFacts } from './chunk-facts.ts';
import type { StoredText } from './chunk-text.ts';
import { givenRows } from './given-rows.ts';
import type { Changes, DocumentRow } from './index-facts.ts';
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
import { deleteTexts, compressTexts, writeTexts } from './write-texts.ts';

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
 * @returns The numbers that are free then, and the rows that a process without them would read.
 */
export async function writePlans(
  place: SpacePlace,
  plans: readonly PlannedChange[],
  numbers: SpaceNumbers,
  { memory, terms: known, readingsOf }: PlanWriting,
): Promise<SpaceNumbers & { readonly rows: Omit<Changes, 'state'> }> {
  const terms = new TermNumbers(known, numbers.nextTerm, memory.ids);
  const rows = new ChangeRows(numbers, known, terms, memory);
  for (const plan of plans) if (isChange(plan)) rows.add(plan);
  const effect = writeTerms(terms.changes(readingsOf), constants.Z_BEST_SPEED);
  const written = await rows.write(place, effect);
  const { nextChunk, nextDocument } = rows;
  const { revision } = numbers;
  return { revision, nextDocument, nextChunk, nextTerm: terms.next, rows: written };
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
  readonly #documents: (DocumentRow & { readonly stamp: string | null })[] = [];

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
    const row = { id, revision: this.#revision, stamp: stamp ?? null, facts: writeFacts(facts) };
    this.#documents.push({ ...ref, ...row });
  }

  async write(place: SpacePlace, effect: Uint8Array): Promise<Omit<Changes, 'state'>> {
    const { executor, dialect, tables, space } = place;
    await deleteTexts(place, this.#removed);
    // The server writes postings while the texts are compressed. Nothing may be written after the transaction has failed.
    const [blocks, texts] = await Promise.allSettled([
      writeBlocks(place, blocksOf(this.#terms.postings())),
      compressTexts(this.#texts, (id) => this.#terms.numberOf(id)),
    ]);
    if (blocks.status === 'rejected') throw blocks.reason;
    if (texts.status === 'rejected') throw texts.reason;
    await writeTexts(place, texts.value);
    const columns = {
      id: 'int',
      name: 'text',
      novel: 'text',
      path: 'text',
      stamp: 'text',
      facts: 'bytes',
    } as const;
    const documents = givenRows(
      dialect,
      columns,
      this.#documents.map(({ id, novelId, filePath, stamp, facts }) => {
        const name = hashOf(documentKey({ novelId, filePath }));
        return [id, name, toSql(novelId), toSql(filePath), stamp, facts];
      }),
    );
    await executor.execute(
      `INSERT INTO ${tables.document} (space, id, name, novel, path, stamp, revision, facts)
       SELECT CAST(? AS INTEGER), given.id, given.name, given.novel, given.path, given.stamp,
         CAST(? AS INTEGER), given.facts
       FROM ${documents.sql} WHERE true
       ON CONFLICT (space, id) DO UPDATE SET stamp = excluded.stamp,
         revision = excluded.revision, facts = excluded.facts`,
      [space, this.#revision, ...documents.params],
    );
    const sketch = this.#sketch.write().slice();
    for (const [table, data] of [
      [tables.sketch, sketch],
      [tables.vocabulary, effect],
    ] as const) {
      await executor.execute(`INSERT INTO ${table} VALUES (?, ?, 0, ?)`, [
        space,
        this.#revision,
        data,
      ]);
    }
    const own = { revision: this.#revision, isSum: false };
    return {
      documents: this.#documents,
      sketches: [{ ...own, data: sketch }],
      vocabulary: [{ ...own, data: effect }],
    };
  }

  #add(chunk: Chunk): number {
    const id = this.nextChunk++;
    const { words, count, titles } = this.#memory.wordsOf(chunk);
    this.#count(id, words);
    for (const term of titles) this.#terms.count(id, term);
    this.#texts.push({
      chunk: id,
      fields: chunk,
      words,
      count,
      titles,
    });
    this.#sketch.addText(chunk.own, 1);
    return id;
  }

  /** Counts the terms of the words of a chunk. */
  #count(chunk: number, words: WordRecords): void {
    for (let at = 0; at < words.length;) {
      const end = at + 3 + ((words[at + 2] ?? 0) >>> 1);
      for (at += 3; at < end; at++) this.#terms.count(chunk, words[at] ?? 0);
    }
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
    this.#sketch.addText(own, -1);
  }
}
