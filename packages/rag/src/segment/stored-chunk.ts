import { Chunk } from '../chunk/chunk.ts';
import { DEAD } from './live-segment.ts';
import type { ChunkPlace, Snapshot } from './snapshot.ts';

/**
 * A chunk as it was added.
 *
 * @param text - Its text, if it has been read already.
 */
export function storedChunk(
  snapshot: Snapshot,
  { segment, doc }: ChunkPlace,
  text: string = segment.reader.textOf(segment.reader.formsOf(doc)),
): Chunk {
  const { reader } = segment;
  const document = snapshot.documents[segment.documents[doc] ?? DEAD];
  const { titles, headings, tags } = reader.strings;
  return new Chunk(
    {
      title: titles[reader.column(doc, 'title')] ?? '',
      content: text,
      filePath: document?.filePath ?? '',
      startLine: segment.startLines[doc] ?? 0,
      endLine: segment.endLines[doc] ?? 0,
      chunkIndex: segment.indexes[doc] ?? 0,
      novelId: document?.novelId ?? '',
      tags: tags[reader.column(doc, 'tags')] ?? [],
      headingPath: headings[reader.column(doc, 'headings')] ?? [],
      overlap: reader.column(doc, 'overlap'),
    },
    reader.column(doc, 'ordinal'),
  );
}
