import type { SearchHit, SearchOptions } from '../backends/search-backend.ts';
import type { Chunk } from '../chunk/chunk.ts';
import { chooseSnippet, type FoundWord } from '../rank/snippet.ts';
import type { TextConditions } from '../rank/text-conditions.ts';
import type { Found, FoundChunk } from './find-chunks.ts';
import type { ChunkPlace, Snapshot } from './snapshot.ts';
import { storedChunk } from './stored-chunk.ts';

/** What callers see of a chunk that was found. */
export function makeHit(
  snapshot: Snapshot,
  found: Found,
  place: FoundChunk,
  conditions: TextConditions,
  { explain = false, expand }: SearchOptions,
): SearchHit {
  const { text, found: words } = found.read(place);
  const chunk = storedChunk(snapshot, place, text);
  const exact = conditions.ranges(text).map(([start, end]): FoundWord => {
    return { start, end, group: found.groups.length };
  });
  const marked = [...words, ...exact].toSorted((a, b) => a.start - b.start || a.end - b.end);
  const best = Math.max(1, ...found.groups);
  const match = chooseSnippet(text, chunk.overlap, marked, [...found.groups, best]);
  return {
    id: chunk.id,
    score: place.score,
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
    ...(expand ? { context: contextOf(snapshot, place, expand) } : {}),
    ...(explain ? { explanation: found.explain(place) } : {}),
  };
}

/** A chunk with its neighbours in the document, as one text. */
function contextOf(
  snapshot: Snapshot,
  place: ChunkPlace,
  { before = 0, after = 0 }: NonNullable<SearchOptions['expand']>,
): NonNullable<SearchHit['context']> {
  const document = snapshot.documents[place.segment.documents[place.doc] ?? 0];
  const places = document ? snapshot.chunksOf(document) : [place];
  const own = places.findIndex(
    ({ segment, doc }) => segment === place.segment && doc === place.doc,
  );
  const chunks = places
    .slice(Math.max(0, own - before), own + after + 1)
    .map((one) => storedChunk(snapshot, one));
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
