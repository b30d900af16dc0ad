import { ByteWriter } from '../binary/byte-writer.ts';
import { byUnits, type TermData } from './term-sections.ts';

/** More occurrences of a term in a chunk than this count as this many. */
const MAX_FREQUENCY = 255;

/** The chunks of one term; the last of them may still get more occurrences. */
export class TermPostings {
  readonly #bytes = new ByteWriter();
  #count = 0;
  #before = -1;
  #doc = -1;
  #frequency = 0;

  /** In how many chunks it is. Right after `flush`. */
  get count(): number {
    return this.#count;
  }

  /** @param doc - Not lower than before. */
  add(doc: number, times = 1): void {
    if (doc === this.#doc) {
      this.#frequency += times;
      return;
    }
    this.#close();
    this.#doc = doc;
    this.#frequency = times;
  }

  flush(): Uint8Array {
    this.#close();
    this.#doc = -1;
    return this.#bytes.view();
  }

  #close(): void {
    if (this.#doc < 0) return;
    const isMany = this.#frequency > 1;
    this.#bytes.varint((this.#doc - this.#before) * 2 + (isMany ? 1 : 0));
    if (isMany) this.#bytes.byte(Math.min(this.#frequency, MAX_FREQUENCY));
    this.#before = this.#doc;
    this.#count++;
  }
}

/** Collects which chunks have which terms. */
export class PostingsBuilder {
  readonly #terms = new Map<string, TermPostings>();

  /** @param doc - The place of the chunk in the segment; not lower than before. */
  add(term: string, doc: number): void {
    let postings = this.#terms.get(term);
    if (!postings) {
      postings = new TermPostings();
      this.#terms.set(term, postings);
    }
    postings.add(doc);
  }

  finish(): TermData {
    const terms = [...this.#terms.keys()].toSorted(byUnits);
    const counts = new Uint32Array(terms.length);
    const ends = new Uint32Array(terms.length);
    const bytes = new ByteWriter(terms.length * 8);
    for (const [place, term] of terms.entries()) {
      const postings = this.#terms.get(term);
      if (!postings) continue;
      bytes.append(postings.flush());
      counts[place] = postings.count;
      ends[place] = bytes.length;
    }
    return { terms, counts, ends, postings: bytes };
  }
}
