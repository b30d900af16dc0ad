import { Chunk, positionOf } from '../chunk/chunk.ts';
import type { DocumentRef } from '../contract/search-backend.ts';
import type {
  ChunkIndex,
  ChunkPlace,
  GroupsByTerm,
  IndexPart,
  Neighbours,
} from '../search/chunk-index.ts';
import { ColumnPart, type IndexedChunk, type MarkedWords } from '../search/column-part.ts';
import {
  blocksByTerm,
  type BlockList,
  type BlockRow,
  decodeBlocks,
  type HeldList,
  joinLists,
} from './block-lists.ts';
import type { StoredText } from './chunk-text.ts';
import type { IndexFacts, SharedFacts, SpaceState } from './index-facts.ts';
import { type DecodedWords, OWN_TERM } from './pack-words.ts';
import {
  eachChunk,
  keepInAll,
  PAGE_CHUNKS,
  SLICE_BYTES,
  slicesOf,
  type TextSlices,
} from './page-signature.ts';
import {
  type AskedPostings,
  readBlocks,
  readSignatures,
  readState,
  readTexts,
  type SpacePlace,
} from './space-reader.ts';
import { SqlVocabulary } from './sql-vocabulary.ts';
import type { TermTable } from './term-table.ts';
import { type PackRow, readPack, type ReadText } from './text-pack.ts';

/** A revision of a space. */
export interface SeenRevision {
  readonly space: number;
  readonly revision: number;
}

/** Thrown if reads are inconsistent, as another process has written meanwhile: the search begins again. */
export class StaleRead extends Error {
  /** The facts have this revision now, so that the search need not ask for changes again. */
  readonly seen: SeenRevision | undefined;

  constructor(seen?: SeenRevision) {
    super();
    this.seen = seen;
  }
}

/**
 * How an index gets facts that are as new as the search: it reads changes first; or it uses those that it has, and reads with the
 * postings whether they are still right; or it uses those that a search that has just failed has read.
 */
export type FactsFrom = 'changes' | 'postings' | SeenRevision;

/**
 * Texts that a search remembers. It reads the best ones twice; a regular expression may read all, which have no room
 * together.
 */
const MAX_TEXTS = 1000;
/** Slices of signatures that a search reads: each is a column of a statement, and PostgreSQL takes 1,664. */
const MAX_SLICES = 256;
/** Readings of changes that others have overtaken. */
const MAX_ATTEMPTS = 5;

/** Where an index is, and what a process knows of it. */
export interface SqlIndexSource {
  /** Without the number of the space, which the facts know. */
  readonly place: Omit<SpacePlace, 'space'>;
  readonly facts: SharedFacts;
  /** The readings of a basic form, from the analyzer. */
  readonly readingsOf: (term: string) => readonly string[];
  /** @throws If the space is one of another analyzer, or gone. */
  readonly check: (state: SpaceState | undefined) => void;
}

/**
 * An index in a database as search sees it; for one search, which calls `release` at its end.
 *
 * Its facts are those of one revision. Chunks get numbers that are never used again, and postings of a chunk stay until
 * everything knows that it is gone: so what is read later than the facts has all of their chunks, and more that are left out.
 */
export class SqlIndex implements ChunkIndex {
  readonly #source: SqlIndexSource;
  readonly #texts = new Map<number, IndexedChunk>();
  readonly #markers = new WeakMap<GroupsByTerm, WordMarker>();
  #facts: IndexFacts;
  #place: SpacePlace;
  #vocabulary: SqlVocabulary | undefined;
  readonly #from: FactsFrom;
  /** True until it is known that the facts are as new as the search. */
  #isUnchecked = false;

  constructor(source: SqlIndexSource, from: FactsFrom = 'changes') {
    this.#source = source;
    this.#from = from;
    this.#facts = source.facts.current;
    this.#facts.users++;
    this.#place = { ...source.place, space: source.facts.space };
  }

  /** Brings the facts up to date, with all terms, so that resolving reads nothing; or leaves that to `parts`. */
  async prepare(): Promise<void> {
    const { facts: shared, check } = this.#source;
    const from = this.#from;
    if (from === 'postings') {
      // Without chunks no postings are read.
      this.#isUnchecked = this.size > 0;
      if (this.#isUnchecked) return;
    } else if (from !== 'changes' && shared.space === from.space) {
      if (shared.current.revision >= from.revision) {
        this.#use(shared.current);
        this.#place = { ...this.#source.place, space: shared.space };
        return;
      }
    }
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      this.#use(shared.current);
      const since = this.#facts.revision;
      const place = { ...this.#source.place, space: shared.space };
      const { changes } = await readState(place, since);
      check(changes?.state);
      if (!changes) continue;
      // These facts may be brought up to date in their place.
      this.#facts.users--;
      const facts = shared.advance(changes, { space: place.space, since });
      this.#facts.users++;
      if (!facts) continue;
      this.#use(facts);
      this.#place = place;
      return;
    }
    throw new StaleRead();
  }

  /** The facts that it was prepared with, and the number of their space. */
  get facts(): { readonly facts: IndexFacts; readonly space: number } {
    return { facts: this.#facts, space: this.#place.space };
  }

  /** Other searches may change the facts again. */
  release(): void {
    this.#facts.users--;
  }

  get vocabulary(): SqlVocabulary {
    return (this.#vocabulary ??= new SqlVocabulary(this.#facts.terms, this.#source.readingsOf));
  }

  get size(): number {
    return this.#facts.columns.size;
  }

  get words(): number {
    return this.#facts.columns.words;
  }

  get characters(): number {
    return this.#facts.columns.characters;
  }

  document(number: number): DocumentRef | undefined {
    return this.#facts.documents.get(number);
  }

  async parts(places: readonly (readonly number[])[]): Promise<readonly IndexPart[]> {
    const { columns, sheets } = this.#facts;
    const terms = [...new Set(places.flatMap(([term = -1]) => (term < 0 ? [] : [term])))];
    const blocks = await this.#blocksOf(terms);
    const part = new ColumnPart({
      columns,
      sheets,
      decode: (term, docs, frequencies) =>
        decodeBlocks(blocks.get(term), columns.capacity, docs, frequencies),
      read: (docs) => this.#read(docs),
      mayHold: (phrase) => this.#docsWith([phrase]),
      mayContain: (literals) => this.#docsWith(literals),
    });
    return [part];
  }

  bigramCounts(): (pair: number) => number {
    return (pair) => this.#facts.sketch.count(pair);
  }

  async chunksAround({ part, doc }: ChunkPlace, { before, after }: Neighbours): Promise<Chunk[]> {
    const chunks = this.#facts.documents.get(part.documentOf(doc))?.chunks ?? [];
    const own = chunks.findIndex(({ id }) => id === doc);
    const near = chunks.slice(Math.max(0, own - before), own + after + 1).map(({ id }) => id);
    return (await this.#read(near)).map(({ chunk }) => chunk);
  }

  /** Reads the postings that searches before have not read, and what later changes added to those that they have. */
  async #blocksOf(terms: readonly number[]): Promise<ReadonlyMap<number, BlockList>> {
    const { postings, revision, nextChunk } = this.#facts;
    const blocks = new Map<number, BlockList>();
    const older = new Map<number, HeldList>();
    for (const term of terms) {
      const held = postings.get(term);
      if (!held) continue;
      blocks.set(term, held);
      if (held.revision < revision) older.set(term, held);
    }
    const missing = terms.filter((term) => !blocks.has(term));
    const unread = [...missing, ...older.keys()];
    if (unread.length === 0 && !this.#isUnchecked) return blocks;
    const later = new Map(Array.from(older, ([term, held]) => [term, held.nextChunk]));
    const { rows, swept, isComplete } = await this.#readBlocks({ terms: missing, later });
    const merged = [...older].filter(([, held]) => held.revision < swept);
    if (merged.length > 0) {
      for (const [term] of merged) postings.delete(term);
      return this.#blocksOf(terms);
    }
    // Rows of changes after the facts would be read again with those of the next ones.
    const read = blocksByTerm(rows.filter(({ first }) => first < nextChunk));
    for (const term of unread) {
      const own = joinLists(older.get(term), read.get(term));
      blocks.set(term, own);
      if (isComplete) postings.set(term, { ...own, revision, nextChunk });
    }
    return blocks;
  }

  /** A replica with an older revision than the facts does not have all of their postings. */
  async #readBlocks(asked: AskedPostings): Promise<{
    readonly rows: readonly BlockRow[];
    readonly swept: number;
    readonly isComplete: boolean;
  }> {
    const { revision } = this.#facts;
    if (this.#isUnchecked) {
      this.#isUnchecked = false;
      const { changes, blocks: rows } = await readState(this.#place, revision, asked);
      this.#source.check(changes?.state);
      const { id: space, revision: current = 0, swept = 0 } = changes?.state ?? { id: 0 };
      if (space === this.#place.space && current === revision) {
        return { rows, swept, isComplete: true };
      }
      // The search that begins again uses what was read here.
      this.#facts.users--;
      const facts =
        changes &&
        this.#source.facts.advance(changes, { space: this.#place.space, since: revision });
      this.#facts.users++;
      throw new StaleRead(facts && { space, revision: current });
    }
    const read = await readBlocks(this.#place, asked);
    if (!read || read.swept > revision) throw new StaleRead();
    return { rows: read.blocks, swept: read.swept, isComplete: read.revision >= revision };
  }

  #use(facts: IndexFacts): void {
    facts.users++;
    this.#facts.users--;
    this.#facts = facts;
    this.#vocabulary = undefined;
  }

  async #read(docs: readonly number[]): Promise<readonly IndexedChunk[]> {
    const read = new Map<number, IndexedChunk>();
    for (const doc of docs) {
      const known = this.#texts.get(doc);
      if (known) read.set(doc, known);
    }
    const missing = docs.filter((doc) => !read.has(doc));
    for (const { chunk: doc, text: stored, decoded } of await this.#readTexts(missing)) {
      const text: IndexedChunk = {
        chunk: this.#chunkOf(doc, stored.fields),
        get words() {
          return stored.words;
        },
        markedWords: (groups) => this.#markerOf(groups).mark(stored.fields.content, decoded()),
      };
      read.set(doc, text);
      this.#remember(doc, text);
    }
    return docs.map((doc) => {
      const found = read.get(doc);
      if (!found) throw new StaleRead();
      return found;
    });
  }

  /** Reads the texts that searches before have not read of this revision. */
  async #readTexts(docs: readonly number[]): Promise<readonly ReadText[]> {
    const { texts, terms } = this.#facts;
    const numberOf = (term: string): number => terms.find(term);
    const asked = new Set(docs);
    const rows = new Set(docs.flatMap((doc) => texts.get(doc) ?? []));
    const cached = Array.from(rows, (row) => readPack(row, numberOf, asked)).flat();
    const known = new Set(cached.map(({ chunk }) => chunk));
    const missing = [...asked].filter((doc) => !known.has(doc));
    if (missing.length === 0) return cached;
    const read = await readTexts(this.#place, missing, numberOf);
    // Rows that are read together share memory, which one of them would keep.
    const copies = new Map<PackRow, PackRow>();
    for (const { chunk, row } of read) {
      const copy = copies.get(row) ?? { chunk: row.chunk, data: new Uint8Array(row.data) };
      copies.set(row, copy);
      texts.set(chunk, copy);
    }
    return [...cached, ...read];
  }

  /** One for the chunks of a request. */
  #markerOf(groups: GroupsByTerm): WordMarker {
    const known = this.#markers.get(groups);
    if (known) return known;
    const marker = new WordMarker(groups, this.#facts.terms);
    this.#markers.set(groups, marker);
    return marker;
  }

  /** The best chunks are read last, so those that were read first are forgotten. */
  #remember(doc: number, text: IndexedChunk): void {
    this.#texts.set(doc, text);
    if (this.#texts.size <= MAX_TEXTS) return;
    const [oldest = doc] = this.#texts.keys();
    this.#texts.delete(oldest);
  }

  #chunkOf(doc: number, fields: StoredText['fields']): Chunk {
    const document = this.#facts.documents.get(this.#facts.columns.documentOf(doc));
    const facts = document?.chunkOf(doc, this.#facts.columns.indexOf(doc));
    if (!document || !facts) throw new StaleRead();
    const { novelId, filePath } = document;
    const place = { novelId, filePath, ...positionOf(facts) };
    return new Chunk({ ...fields, ...place }, fields.ordinal);
  }

  /** The chunks that may have one string of each of these lists; nothing if that cannot be known of any list. */
  async #docsWith(lists: readonly (readonly string[])[]): Promise<readonly number[] | undefined> {
    const own = firstSlices(
      lists
        .map((list) => list.map((text) => slicesOf(text, list.length)))
        .filter((list) => list.every(isSigned)),
    );
    const all = own.flat();
    if (all.length === 0) return undefined;
    const wanted = {
      chunks: [...new Set(all.flatMap(({ chunks }) => chunks))],
      packs: [...new Set(all.flatMap(({ packs }) => packs))],
    };
    const columnOf = { chunks: placesIn(wanted.chunks), packs: placesIn(wanted.packs) };
    const pages = await readSignatures(this.#place, wanted);
    const { columns } = this.#facts;
    const docs: number[] = [];
    for (let page = 0; page * PAGE_CHUNKS < columns.capacity; page++) {
      const { chunks, packs } = pages.get(page) ?? {};
      const found = new Uint8Array(SLICE_BYTES).fill(255);
      for (const list of own) {
        const any = new Uint8Array(SLICE_BYTES);
        for (const text of list) {
          const one = new Uint8Array(SLICE_BYTES).fill(255);
          const slicesIn = (
            slices: readonly Uint8Array[] | undefined,
            kind: keyof TextSlices,
          ): readonly Uint8Array[] =>
            slices
              ? text[kind].flatMap((place) => slices[columnOf[kind].get(place) ?? -1] ?? [])
              : [];
          keepInAll(one, slicesIn(chunks, 'chunks'), slicesIn(packs, 'packs'));
          for (let at = 0; at < SLICE_BYTES; at++) any[at] = (any[at] ?? 0) | (one[at] ?? 0);
        }
        keepInAll(found, [any], []);
      }
      eachChunk(found, (chunk) => {
        const doc = page * PAGE_CHUNKS + chunk;
        if (columns.documentOf(doc) >= 0) docs.push(doc);
      });
    }
    return docs;
  }
}

/**
 * Returns lists up to `MAX_SLICES`, those of fewest alternatives first: hardly a chunk has one of each by chance, so that the
 * rest would leave out next to nothing.
 */
function firstSlices(
  lists: readonly (readonly TextSlices[])[],
): readonly (readonly TextSlices[])[] {
  let sum = 0;
  const fewestFirst = lists.toSorted((a, b) => a.length - b.length);
  return fewestFirst.filter((list) => {
    const size = list.reduce((all, { chunks, packs }) => all + chunks.length + packs.length, 0);
    if (sum + size > MAX_SLICES) return false;
    sum += size;
    return true;
  });
}

function placesIn(values: readonly number[]): ReadonlyMap<number, number> {
  return new Map(values.map((value, at) => [value, at]));
}

function isSigned({ chunks, packs }: TextSlices): boolean {
  return chunks.length > 0 || packs.length > 0;
}

/** A term of a query. */
interface AskedTerm {
  readonly key: string;
  readonly group: number;
}

/**
 * Finds which words of chunks a query asks for. Most words are stored without the number of their term, which is their surface:
 * these are compared with the terms of the query, which are fewer than the words, in place of being looked up.
 */
export class WordMarker {
  readonly #groups: GroupsByTerm;
  /** The terms of the query by their first characters. */
  readonly #asked = new Map<number, AskedTerm[]>();

  constructor(groups: GroupsByTerm, terms: Pick<TermTable, 'keyOf'>) {
    this.#groups = groups;
    groups.eachKey((number) => {
      const key = terms.keyOf(number);
      if (key === undefined) return;
      const asked = { key, group: groups.get(number) };
      const first = key.charCodeAt(0);
      const known = this.#asked.get(first);
      if (known) known.push(asked);
      else this.#asked.set(first, [asked]);
    });
  }

  mark(content: string, { places, kinds, lists }: DecodedWords): MarkedWords {
    const groups = new Int16Array(kinds.length);
    for (let at = 0; at < kinds.length; at++) {
      const kind = kinds[at] ?? OWN_TERM;
      if (kind > 0) groups[at] = this.#groups.get(kind);
      else if (kind < 0) groups[at] = this.#groupOfAny(lists[-1 - kind] ?? []);
      else groups[at] = this.#groupOfText(content, places[at * 2] ?? 0, places[at * 2 + 1] ?? 0);
    }
    return { places, groups };
  }

  #groupOfAny(terms: readonly number[]): number {
    for (const term of terms) {
      const group = this.#groups.get(term);
      if (group >= 0) return group;
    }
    return -1;
  }

  #groupOfText(content: string, start: number, end: number): number {
    const first = start === end ? Number.NaN : content.charCodeAt(start);
    for (const { key, group } of this.#asked.get(first) ?? []) {
      if (key.length === end - start && content.startsWith(key, start)) return group;
    }
    return -1;
  }
}
