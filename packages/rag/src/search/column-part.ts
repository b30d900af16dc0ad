import type { SnippetHit } from '@vizprompt/providers/internal';
import type { RankedChunk } from '../rank/rerank.ts';
import { type Chunk, headingsOf } from '../chunk/chunk.ts';
import type { ChunkContent, GroupsByTerm, Awaitable, ChunkText, IndexPart } from './chunk-index.ts';
import { ScoreAccumulator } from './score-accumulator.ts';
import { unitsOf } from '../rank/fold-text.ts';

/** A chunk with its content words, as an index keeps it. */
export interface IndexedChunk {
  readonly chunk: Chunk;
  readonly words: readonly NumberedWord[];
  /** The same as of `words`, for an index that has these faster. */
  readonly markedWords?: (groups: GroupsByTerm) => MarkedWords;
}

/** The content words of a chunk, with what a query asks for. */
export interface MarkedWords {
  /** The start and the end of each. */
  readonly places: Uint32Array;
  /** The group of the query that each belongs to, or -1. */
  readonly groups: Int16Array;
}

/** The input of a {@link ColumnPart}. */
interface ColumnPartSource {
  readonly columns: ChunkColumns;
  readonly decode: IndexPart['decode'];
  read(docs: readonly number[]): Awaitable<readonly IndexedChunk[]>;
  readonly mayHold?: IndexPart['mayHold'];
  readonly mayContain?: IndexPart['mayContain'];
  /** Sheets that no search uses now. Absent: each search makes its own. */
  readonly sheets?: ScoreAccumulator[];
}

/** The only part of an index that keeps the facts of its chunks in columns. */
export class ColumnPart implements IndexPart {
  readonly number = 0;
  readonly #source: ColumnPartSource;
  readonly #columns: ChunkColumns;

  constructor(source: ColumnPartSource) {
    this.#source = source;
    this.#columns = source.columns;
  }

  get capacity(): number {
    return this.#columns.capacity;
  }

  documentOf(doc: number): number {
    return this.#columns.documentOf(doc);
  }

  indexOf(doc: number): number {
    return this.#columns.indexOf(doc);
  }

  get words(): Uint32Array {
    return this.#columns.wordCounts;
  }

  get isComplete(): boolean {
    return this.#columns.size === this.#columns.capacity;
  }

  tagsOf(doc: number): readonly string[] {
    return this.#columns.tagsOf(doc);
  }

  decode(place: number, docs: Uint32Array, frequencies: Uint8Array): number {
    return this.#source.decode(place, docs, frequencies);
  }

  mayHold(phrase: readonly string[]): ReturnType<NonNullable<IndexPart['mayHold']>> {
    return this.#source.mayHold?.(phrase);
  }

  mayContain(literals: readonly (readonly string[])[]): Awaitable<readonly number[] | undefined> {
    return this.#source.mayContain?.(literals);
  }

  takeAccumulator(): ScoreAccumulator {
    const sheet = this.#source.sheets?.pop();
    // The index may have grown since.
    if (sheet && sheet.scores.length >= this.capacity) return sheet;
    return new ScoreAccumulator(this.capacity);
  }

  giveAccumulator(sheet: ScoreAccumulator): void {
    this.#source.sheets?.push(sheet);
  }

  async rank(
    docs: readonly number[],
    groups: GroupsByTerm,
    visit: (at: number, chunk: RankedChunk) => void,
  ): Promise<void> {
    for (const [at, indexed] of (await this.#source.read(docs)).entries()) {
      const { content, overlap } = indexed.chunk;
      visit(at, rankedChunk(content, overlap, marked(indexed, groups)));
    }
  }

  async texts(docs: readonly number[]): Promise<readonly ChunkText[]> {
    const read = await this.#source.read(docs);
    return read.map(({ chunk }) => ({ text: chunk.own, headings: headingsOf(chunk) }));
  }

  async contents(docs: readonly number[], groups: GroupsByTerm): Promise<readonly ChunkContent[]> {
    const read = await this.#source.read(docs);
    return read.map((indexed) => contentOf(indexed.chunk.content, marked(indexed, groups)));
  }

  async chunks(docs: readonly number[]): Promise<readonly Chunk[]> {
    return (await this.#source.read(docs)).map(({ chunk }) => chunk);
  }
}

/** The columns of every chunk for ranking, read so often that they have to be in memory. */
interface ChunkFacts {
  /** The number of its document. */
  readonly document: number;
  /** Its place in the document. */
  readonly index: number;
  /** Content words. */
  readonly words: number;
  /** UTF-16 code units. */
  readonly length: number;
  readonly tags: readonly string[];
}

/** The facts of the chunks of an index by their numbers, 20 bytes each. */
export class ChunkColumns {
  #documents = new Int32Array();
  #indexes = new Uint32Array();
  #words = new Uint32Array();
  #lengths = new Uint32Array();
  /** The numbers of lists of tags, 0 for none: a plain array that is filled in any order would be a hash table. */
  #tags = new Uint32Array();
  #lists = new TagLists();
  /** How many chunks there are. */
  size = 0;
  /** Content words of all. */
  words = 0;
  /** UTF-16 code units of all. */
  characters = 0;

  /** The same facts, which may change apart from these. */
  copy(): ChunkColumns {
    const copy = new ChunkColumns();
    copy.#documents = this.#documents.slice();
    copy.#indexes = this.#indexes.slice();
    copy.#words = this.#words.slice();
    copy.#lengths = this.#lengths.slice();
    copy.#tags = this.#tags.slice();
    copy.#lists = this.#lists;
    copy.size = this.size;
    copy.words = this.words;
    copy.characters = this.characters;
    return copy;
  }

  /** All numbers are lower. */
  get capacity(): number {
    return this.#documents.length;
  }

  /** Returns the number of the document of a chunk, or -1 if there is no such chunk. */
  documentOf(doc: number): number {
    return (this.#documents[doc] ?? 0) - 1;
  }

  indexOf(doc: number): number {
    return this.#indexes[doc] ?? 0;
  }

  /** Content words by number. */
  get wordCounts(): Uint32Array {
    return this.#words;
  }

  /** Returns the same list for equal tags. */
  tagsOf(doc: number): readonly string[] {
    return this.#lists.of(this.#tags[doc] ?? 0);
  }

  /** Makes room for all numbers below this one. */
  reserve(capacity: number): void {
    if (capacity > this.capacity) this.#grow(capacity);
  }

  set(doc: number, { document, index, words, length, tags }: ChunkFacts): void {
    this.delete(doc);
    if (doc >= this.capacity) this.#grow(doc + 1);
    this.#documents[doc] = document + 1;
    this.#indexes[doc] = index;
    this.#words[doc] = words;
    this.#lengths[doc] = length;
    this.#tags[doc] = this.#lists.numberOf(tags);
    this.size++;
    this.words += words;
    this.characters += length;
  }

  delete(doc: number): void {
    if (this.documentOf(doc) < 0) return;
    this.size--;
    this.words -= this.#words[doc] ?? 0;
    this.characters -= this.#lengths[doc] ?? 0;
    this.#documents[doc] = 0;
    this.#tags[doc] = 0;
  }

  #grow(needed: number): void {
    const capacity = Math.max(64, needed, Math.ceil(this.capacity * 1.5));
    this.#documents = enlarged(this.#documents, new Int32Array(capacity));
    this.#indexes = enlarged(this.#indexes, new Uint32Array(capacity));
    this.#words = enlarged(this.#words, new Uint32Array(capacity));
    this.#lengths = enlarged(this.#lengths, new Uint32Array(capacity));
    this.#tags = enlarged(this.#tags, new Uint32Array(capacity));
  }
}

/** Different lists of tags, with a number for each. */
class TagLists {
  readonly #lists: (readonly string[])[] = [[]];
  readonly #numbers = new Map([['[]', 0]]);
  /** Chunks of a document mostly have the same list. */
  #last: { readonly tags: readonly string[]; readonly number: number } | undefined;

  of(number: number): readonly string[] {
    return this.#lists[number] ?? [];
  }

  numberOf(tags: readonly string[]): number {
    if (tags === this.#last?.tags) return this.#last.number;
    const key = JSON.stringify(tags);
    const number = this.#numbers.get(key) ?? this.#lists.push(tags) - 1;
    this.#numbers.set(key, number);
    this.#last = { tags, number };
    return number;
  }
}

function enlarged<T extends Int32Array | Uint32Array>(old: T, fresh: T): T {
  fresh.set(old);
  return fresh;
}

/** A content word of a chunk, with the places of its terms. */
export interface NumberedWord {
  readonly start: number;
  readonly end: number;
  readonly terms: readonly number[];
}

function marked(indexed: IndexedChunk, groups: GroupsByTerm): MarkedWords {
  if (indexed.markedWords) return indexed.markedWords(groups);
  const { words } = indexed;
  return {
    places: Uint32Array.from(words.flatMap(({ start, end }) => [start, end])),
    groups: Int16Array.from(words, (word) => groupOf(word, groups)),
  };
}

/** Finds the words of a text that a query asks for. */
function contentOf(text: string, { places, groups }: MarkedWords): ChunkContent {
  const found: SnippetHit[] = [];
  for (const [at, group] of groups.entries()) {
    if (group < 0) continue;
    found.push({ start: places[at * 2] ?? 0, end: places[at * 2 + 1] ?? 0, group });
  }
  return { text, found };
}

/**
 * Returns the facts of a chunk for ranking.
 *
 * @param from - Where its own text begins; what is before repeats the chunk before.
 */
function rankedChunk(text: string, from: number, { places, groups }: MarkedWords): RankedChunk {
  const ends = new Uint32Array(groups.length);
  for (let at = 0; at < ends.length; at++) ends[at] = (places[at * 2 + 1] ?? 0) - from;
  return { hits: groups, ends, units: unitsOf(text.slice(from)) };
}

/** Returns the group that a word belongs to, or -1. */
function groupOf({ terms }: NumberedWord, groups: GroupsByTerm): number {
  const term = terms.find((number) => groups.get(number) >= 0);
  return term === undefined ? -1 : groups.get(term);
}
