import { lowerBound } from '../binary/lower-bound.ts';
import type { Bonus } from '../rank/rerank.ts';
import type { ChunkIndex, ChunkPlace, IndexPart, ChunkText } from './chunk-index.ts';
import type { ScoreAccumulator } from './score-accumulator.ts';
import type { ResolvedQuery } from './resolve-terms.ts';
import { scoreParts } from './bm25.ts';

/** A chunk that may be among the best. */
interface Candidate extends ChunkPlace {
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
  addAll(part: IndexPart, sheet: ScoreAccumulator): void {
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

/** What chunks must be, beside the words they have. */
export interface ChunkConditions {
  /** Whether the chunks of a document with these tags are looked at. */
  readonly allows?: ((document: number, tags: readonly string[]) => boolean) | undefined;
  /** What the text of a chunk must be. */
  readonly accepts?: ((text: string, titles: readonly string[]) => boolean) | undefined;
  readonly signal?: AbortSignal;
}

/** How many texts are read between two looks at the signal and the other tasks of the process. */
const SLICE = 500;

/**
 * Gives the chunks that match to `best`.
 *
 * @returns How many they are.
 */
export async function collectChunks(
  parts: readonly IndexPart[],
  meanWords: number,
  query: ResolvedQuery,
  conditions: ChunkConditions,
  best: BestChunks,
): Promise<number> {
  let total = 0;
  for (const { part, sheet } of scoreParts(parts, meanWords, query)) {
    const { allows, accepts } = conditions;
    if (allows) sheet.keep((doc) => allows(part.documentOf(doc), part.tagsOf(doc)));
    if (accepts) await keepAccepted(part, sheet, accepts, conditions.signal);
    total += sheet.count;
    best.addAll(part, sheet);
    part.giveAccumulator(sheet);
  }
  return total;
}

/** Leaves only the chunks whose text is as it must be; they are read in the order of the file. */
async function keepAccepted(
  part: IndexPart,
  sheet: ScoreAccumulator,
  accepts: NonNullable<ChunkConditions['accepts']>,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { found, count } = sheet;
  const docs = found.subarray(0, count).toSorted();
  let kept = 0;
  for (let from = 0; from < count; from += SLICE) {
    if (from > 0) await new Promise(setImmediate);
    signal?.throwIfAborted();
    const slice = Array.from(docs.subarray(from, from + SLICE));
    const texts: readonly (ChunkText | undefined)[] = await part.texts(slice);
    for (const [at, doc] of slice.entries()) {
      const chunk = texts[at];
      if (chunk && accepts(chunk.text, chunk.headings)) found[kept++] = doc;
    }
  }
  sheet.count = kept;
}
