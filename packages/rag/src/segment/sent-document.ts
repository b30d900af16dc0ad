import { Chunk, type ChunkFields } from '../chunk/chunk.ts';
import type { NewDocument } from './new-document.ts';

/** A chunk on its way to the process that indexes. */
export type SentChunk = ChunkFields & { readonly ordinal: number };

/** A document on its way to the process that indexes. */
export type SentDocument = Omit<NewDocument, 'chunks'> & { readonly chunks: readonly SentChunk[] };

export function toSentChunk(chunk: Chunk): SentChunk {
  const { title, content, filePath, startLine, endLine, chunkIndex, novelId } = chunk;
  const { tags, headingPath, overlap, ordinal } = chunk;
  const where = { filePath, startLine, endLine, chunkIndex, novelId };
  return { title, content, tags, headingPath, overlap, ordinal, ...where };
}

export function fromSentChunk({ ordinal, ...fields }: SentChunk): Chunk {
  return new Chunk(fields, ordinal);
}

export function toSent({ chunks, ...document }: NewDocument): SentDocument {
  return { ...document, chunks: chunks.map(toSentChunk) };
}

export function fromSent({ chunks, ...document }: SentDocument): NewDocument {
  return { ...document, chunks: chunks.map(fromSentChunk) };
}
