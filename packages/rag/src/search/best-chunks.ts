import type { ChunkIndex, ChunkPlace, IndexPart } from './chunk-index.ts';

/** A chunk that may be among the best. */
export interface Candidate extends ChunkPlace {
  score: number;
  /** Whether the second look was taken. */
  isReranked: boolean;
}

/** The best of the chunks that it is given, best first. */
export class BestChunks {
  readonly head: Candidate[] = [];
  readonly #index: ChunkIndex;
  readonly #size: number;

  constructor(index: ChunkIndex, size: number) {
    this.#index = index;
    this.#size = size;
  }

  add(part: IndexPart, doc: number, score: number): void {
    const { head } = this;
    if (head.length >= this.#size && score < (head[head.length - 1]?.score ?? 0)) return;
    const candidate: Candidate = { part, doc, score, isReranked: false };
    let low = 0;
    let high = head.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const other = head[middle];
      if (other && this.#order(other, candidate) <= 0) low = middle + 1;
      else high = middle;
    }
    head.splice(low, 0, candidate);
    if (head.length > this.#size) head.pop();
  }

  /** Scores have changed. */
  sort(): void {
    this.head.sort((a, b) => this.#order(a, b));
  }

  #order(a: Candidate, b: Candidate): number {
    return b.score - a.score || compare(this.#index, a, b);
  }
}

/** By project, document and place: an order that does not depend on how the index came about. */
function compare(index: ChunkIndex, a: ChunkPlace, b: ChunkPlace): number {
  const [first, second] = [a, b].map(({ part, doc }) => index.document(part.documentOf(doc)));
  if (!first || !second) return 0;
  if (first.novelId !== second.novelId) return first.novelId < second.novelId ? -1 : 1;
  if (first.filePath !== second.filePath) return first.filePath < second.filePath ? -1 : 1;
  return a.part.indexOf(a.doc) - b.part.indexOf(b.doc);
}
