import { cutSnippet, type SnippetHit } from '@vizprompt/providers';
import type { HitSnippet, SearchHit, SearchOptions } from '../contract/search-backend.ts';
import type { Chunk } from '../chunk/chunk.ts';
import type { TextConditions } from '../rank/text-conditions.ts';
import type { ChunkContent, ChunkIndex, ChunkPlace } from './chunk-index.ts';
import type { Found, FoundChunk } from './find-chunks.ts';

/** What callers see of chunks that were found. */
export async function makeHits(
  index: ChunkIndex,
  found: Found,
  places: readonly FoundChunk[],
  conditions: TextConditions,
  { explain = false, expand }: SearchOptions,
): Promise<readonly SearchHit[]> {
  const contents = await found.read(places);
  const explanations = explain ? found.explain(places) : [];
  const hits: SearchHit[] = [];
  for (const [at, place] of places.entries()) {
    const content = contents[at];
    if (!content) continue;
    const [chunk] = await place.part.chunks([place.doc], [content]);
    if (!chunk) continue;
    const hit = hitOf(chunk, place.score, snippetOf(content, chunk.overlap, found, conditions));
    hits.push({
      ...hit,
      ...(expand ? { context: await contextIn(index, place, chunk, expand) } : {}),
      ...(explain ? { explanation: explanations[at] ?? [] } : {}),
    });
  }
  return hits;
}

/** A chunk as callers see it. */
export function hitOf(chunk: Chunk, score: number, match: HitSnippet): SearchHit {
  return {
    id: chunk.id,
    score,
    snippet: match.text,
    match,
    payload: {
      file: chunk.filePath,
      start: chunk.startLine,
      end: chunk.endLine,
      ...(chunk.tags.length > 0 ? { tags: chunk.tags } : {}),
    },
    novelId: chunk.novelId,
    title: chunk.title,
    headingPath: chunk.headingPath,
    content: chunk.content.slice(chunk.overlap),
  };
}

function snippetOf(
  { text, found: words }: ChunkContent,
  overlap: number,
  { groups }: Found,
  conditions: TextConditions,
): HitSnippet {
  const exact = conditions.ranges(text).map(([start, end]): SnippetHit => {
    return { start, end, group: groups.length };
  });
  const marked = [...words, ...exact].toSorted((a, b) => a.start - b.start || a.end - b.end);
  const weights = [...groups, Math.max(1, ...groups)];
  const { text: piece, highlights } = cutSnippet(text, marked, { from: overlap, weights });
  return { text: piece, highlights };
}

async function contextIn(
  index: ChunkIndex,
  place: ChunkPlace,
  chunk: Chunk,
  { before = 0, after = 0 }: NonNullable<SearchOptions['expand']>,
): Promise<NonNullable<SearchHit['context']>> {
  const around = await index.chunksAround(place, { before, after });
  return contextOf(around, chunk, { before, after });
}

/** A chunk with its neighbours in the document, as one text. */
export function contextOf(
  all: readonly Chunk[],
  chunk: Chunk,
  { before = 0, after = 0 }: NonNullable<SearchOptions['expand']>,
): NonNullable<SearchHit['context']> {
  const own = all.findIndex(({ id }) => id === chunk.id);
  const chunks = own < 0 ? [chunk] : all.slice(Math.max(0, own - before), own + after + 1);
  return {
    text: joinChunks(chunks),
    start: chunks[0]?.startLine ?? 0,
    end: chunks.at(-1)?.endLine ?? 0,
  };
}

/** Each text once, with the line breaks that stand between them in the document. */
function joinChunks(chunks: readonly Chunk[]): string {
  let text = '';
  for (const [index, chunk] of chunks.entries()) {
    const before = chunks[index - 1];
    if (before) text += '\n'.repeat(Math.max(0, chunk.startLine - before.endLine));
    text += chunk.content.slice(chunk.overlap);
  }
  return text;
}
