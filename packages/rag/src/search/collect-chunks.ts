import type { BestChunks } from './best-chunks.ts';
import type { ChunkText, IndexPart } from './chunk-index.ts';
import type { ResolvedQuery } from './resolve-query.ts';
import { scoreParts } from './score-parts.ts';

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
  const { allows, accepts, signal } = conditions;
  let total = 0;
  for (const { part, scores, excluded } of scoreParts(parts, meanWords, query)) {
    const unread: number[] = [];
    for (let doc = 0; doc < scores.length; doc++) {
      const score = scores[doc] ?? 0;
      if (excluded[doc] === 1 || (isByWords && score === 0)) continue;
      if (allows && !allows(part.documentOf(doc), part.tagsOf(doc))) continue;
      if (accepts) {
        unread.push(doc);
        continue;
      }
      total++;
      best.add(part, doc, score);
    }
    if (!accepts) continue;
    for (const doc of await accepted(part, unread, accepts, signal)) {
      total++;
      best.add(part, doc, scores[doc] ?? 0);
    }
  }
  return total;
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
