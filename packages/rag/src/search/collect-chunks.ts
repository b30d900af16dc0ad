import type { BestChunks } from './best-chunks.ts';
import type { ChunkText, IndexPart } from './chunk-index.ts';
import type { ResolvedQuery } from './resolve-query.ts';
import { scoreParts } from './score-parts.ts';
import type { ScoreSheet } from './score-sheet.ts';

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
    let count = listMatches(part, sheet, query.ranking.length > 0, conditions);
    if (conditions.accepts) count = await keepAccepted(part, sheet.docs, count, conditions);
    total += count;
    best.addAll(part, sheet, count);
    part.giveSheet(sheet);
  }
  return total;
}

/** Writes the chunks that match on the sheet; tells how many. */
function listMatches(
  part: IndexPart,
  { scores, excluded, docs }: ScoreSheet,
  isByWords: boolean,
  { allows }: ChunkConditions,
): number {
  let count = 0;
  for (let doc = 0; doc < scores.length; doc++) {
    if (excluded[doc] === 1 || (isByWords && scores[doc] === 0)) continue;
    if (allows && !allows(part.documentOf(doc), part.tagsOf(doc))) continue;
    docs[count++] = doc;
  }
  return count;
}

/** Leaves only the chunks whose text is as it must be. */
async function keepAccepted(
  part: IndexPart,
  docs: Uint32Array,
  count: number,
  { accepts, signal }: ChunkConditions,
): Promise<number> {
  let kept = 0;
  for (let from = 0; from < count; from += SLICE) {
    if (from > 0) await new Promise(setImmediate);
    signal?.throwIfAborted();
    const slice = Array.from(docs.subarray(from, Math.min(count, from + SLICE)));
    const texts: readonly (ChunkText | undefined)[] = await part.texts(slice);
    for (const [at, doc] of slice.entries()) {
      const chunk = texts[at];
      if (chunk && accepts?.(chunk.text, chunk.headings) === true) docs[kept++] = doc;
    }
  }
  return kept;
}
