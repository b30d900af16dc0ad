import { lowerBound } from '../binary/lower-bound.ts';
import type { Bonus } from '../rank/rerank.ts';
import type { ChunkIndex, ChunkPlace, IndexPart } from './chunk-index.ts';
import type { ScoreSheet } from './score-sheet.ts';

/** A chunk that may be among the best. */
export interface Candidate extends ChunkPlace {
  score: number;
  /** What the second look added, if it was taken. */
  bonus: Bonus | undefined;
}

/** The best of the candidates that it is given, best first. */
export class BestChunks {
  readonly head: Candidate[] = [];
  readonly #index: ChunkIndex;
  readonly #size: number;

  constructor(index: ChunkIndex, size: number) {
    this.#index = index;
    this.#size = size;
  }

  /** Takes the chunks that were found on a sheet. */
  addAll(part: IndexPart, sheet: ScoreSheet): void {
    for (let at = 0; ; at++) {
      at = sheet.nextAbove(at, this.#least());
      if (at === sheet.count) return;
      const doc = sheet.found[at] ?? 0;
      this.#add({ part, doc, score: sheet.scores[doc] ?? 0, bonus: undefined });
    }
  }

  /** The score that a chunk needs at least. */
  #least(): number {
    return this.head.length < this.#size ? -1 : (this.head.at(-1)?.score ?? -1);
  }

  #add(candidate: Candidate): void {
    const { head } = this;
    const place = lowerBound(head.length, (at) => {
      const other = head[at];
      return other !== undefined && this.#order(other, candidate) <= 0;
    });
    head.splice(place, 0, candidate);
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
