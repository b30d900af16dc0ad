import type { BestChunks } from './best-chunks.ts';
import type { ChunkText, IndexPart } from './chunk-index.ts';
import type { ResolvedQuery } from './resolve-query.ts';
import { scoreParts, type PartScores } from './score-parts.ts';

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
  const isByWords = query.ranking.length > 0;
  let total = 0;
  for (const scored of scoreParts(parts, meanWords, query)) {
    const { part, scores } = scored;
    const add = (doc: number): void => {
      total++;
      best.add({ part, doc, score: scores[doc] ?? 0, isReranked: false });
    };
    if (conditions.accepts) {
      const docs = [...matching(scored, isByWords, conditions)];
      for (const doc of await accepted(part, docs, conditions.accepts, conditions.signal)) add(doc);
    } else {
      for (const doc of matching(scored, isByWords, conditions)) add(doc);
    }
  }
  return total;
}

function* matching(
  { part, scores, excluded }: PartScores,
  isByWords: boolean,
  { allows }: ChunkConditions,
): Generator<number> {
  for (let doc = 0; doc < scores.length; doc++) {
    if (excluded[doc] === 1 || (isByWords && scores[doc] === 0)) continue;
    if (allows && !allows(part.documentOf(doc), part.tagsOf(doc))) continue;
    yield doc;
  }
}

async function accepted(
  part: IndexPart,
  docs: readonly number[],
  accepts: (text: string, titles: readonly string[]) => boolean,
  signal: AbortSignal | undefined,
): Promise<readonly number[]> {
  const found: number[] = [];
  for (let from = 0; from < docs.length; from += SLICE) {
    if (from > 0) await new Promise(setImmediate);
    signal?.throwIfAborted();
    const slice = docs.slice(from, from + SLICE);
    const texts: readonly (ChunkText | undefined)[] = await part.texts(slice);
    for (const [at, doc] of slice.entries()) {
      const chunk = texts[at];
      if (chunk && accepts(chunk.text, chunk.headings)) found.push(doc);
    }
  }
  return found;
}
