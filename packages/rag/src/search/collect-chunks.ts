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
    const { allows, accepts } = conditions;
    if (allows) sheet.keep((doc) => allows(part.documentOf(doc), part.tagsOf(doc)));
    if (accepts) await keepAccepted(part, sheet, accepts, conditions.signal);
    total += sheet.count;
    best.addAll(part, sheet);
    part.giveSheet(sheet);
  }
  return total;
}

/** Leaves only the chunks whose text is as it must be; they are read in the order of the file. */
async function keepAccepted(
  part: IndexPart,
  sheet: ScoreSheet,
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
