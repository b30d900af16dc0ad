/** What ranking asks of every chunk, so often that it has to lie in memory. */
export interface ChunkFacts {
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

/** The facts of the chunks of an index by their numbers, 17 bytes each and one place for its tags. */
export class ChunkColumns {
  #documents = new Int32Array();
  #indexes = new Uint32Array();
  #words = new Uint32Array();
  #lengths = new Uint32Array();
  readonly #tags: (readonly string[] | undefined)[] = [];
  readonly #tagLists = new Map<string, readonly string[]>();
  /** How many chunks there are. */
  size = 0;
  /** Content words of all. */
  words = 0;
  /** UTF-16 code units of all. */
  characters = 0;

  /** All numbers are lower. */
  get capacity(): number {
    return this.#documents.length;
  }

  /** The number of the document of a chunk, or -1 if there is no such chunk. */
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

  /** The same list for equal tags. */
  tagsOf(doc: number): readonly string[] {
    return this.#tags[doc] ?? [];
  }

  set(doc: number, { document, index, words, length, tags }: ChunkFacts): void {
    this.delete(doc);
    if (doc >= this.capacity) this.#grow(doc + 1);
    this.#documents[doc] = document + 1;
    this.#indexes[doc] = index;
    this.#words[doc] = words;
    this.#lengths[doc] = length;
    this.#tags[doc] = this.#shared(tags);
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
    this.#tags[doc] = undefined;
  }

  #grow(needed: number): void {
    const capacity = Math.max(64, needed, Math.ceil(this.capacity * 1.5));
    this.#documents = enlarged(this.#documents, new Int32Array(capacity));
    this.#indexes = enlarged(this.#indexes, new Uint32Array(capacity));
    this.#words = enlarged(this.#words, new Uint32Array(capacity));
    this.#lengths = enlarged(this.#lengths, new Uint32Array(capacity));
  }

  #shared(tags: readonly string[]): readonly string[] {
    const key = JSON.stringify(tags);
    const known = this.#tagLists.get(key) ?? tags;
    this.#tagLists.set(key, known);
    return known;
  }
}

function enlarged<T extends Int32Array | Uint32Array>(old: T, fresh: T): T {
  fresh.set(old);
  return fresh;
}
