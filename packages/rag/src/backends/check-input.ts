import type { Chunk } from '../chunk/chunk.ts';
import type { SourceDocument } from '../chunk/chunking-strategy.ts';
import { RagError } from '../errors.ts';
import type { DocumentRef, SearchOptions } from './search-backend.ts';

/** @throws RagError with the code `invalid-input` for a document without a project, path or text. */
export function checkDocument({ novelId, filePath, text }: SourceDocument): void {
  for (const [name, value] of Object.entries({ novelId, filePath, text })) {
    if (typeof value === 'string') continue;
    const reason = `${name} of a document must be a string, not ${String(value)}`;
    throw invalid(reason, { novelId, filePath });
  }
}

/** @throws RagError with the code `invalid-input` for chunks of another document or without a place. */
export function checkChunks({ novelId, filePath }: DocumentRef, chunks: readonly Chunk[]): void {
  if (filePath === '') throw invalid('a document has an empty path', { novelId });
  for (const chunk of chunks) {
    const where = { novelId, filePath, chunkIndex: chunk.chunkIndex };
    if (chunk.filePath !== filePath || chunk.novelId !== novelId) {
      const owner = `${chunk.novelId}:${chunk.filePath}`;
      throw invalid(`a chunk of ${owner} cannot belong to ${novelId}:${filePath}`, where);
    }
    const { startLine, endLine, chunkIndex, overlap, content } = chunk;
    const isPlaced =
      isCount(startLine) && startLine >= 1 && isCount(endLine) && endLine >= startLine;
    if (!isPlaced || !isCount(chunkIndex)) {
      const lines = `${startLine}-${endLine}`;
      throw invalid(`chunk ${chunkIndex} of ${filePath} stands on the lines ${lines}`, where);
    }
    if (!isCount(overlap) || overlap > content.length) {
      throw invalid(`chunk ${chunkIndex} of ${filePath} has an overlap of ${overlap}`, where);
    }
  }
}

/** @throws RagError with the code `invalid-input`. */
export function checkSearch(
  query: unknown,
  { k = 10, offset = 0, expand, filter }: SearchOptions,
): void {
  if (typeof query !== 'string') throw invalid('the query must be a string', { query });
  if (!isCount(k) || k < 1) throw invalid(`k must be a whole number from 1, not ${k}`, { k });
  if (!isCount(offset)) {
    throw invalid(`offset must be a whole number from 0, not ${String(offset)}`, { offset });
  }
  for (const [name, count] of Object.entries(expand ?? {})) {
    if (!isCount(count))
      throw invalid(`expand.${name} must be a whole number from 0, not ${String(count)}`, {
        expand,
      });
  }
  for (const [name, values] of Object.entries(filter ?? {})) {
    if (values !== undefined && !Array.isArray(values))
      throw invalid(`filter.${name} must be an array, not ${String(values)}`, { filter });
  }
}

/** What 32 bits hold. */
function isCount(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 0 && Number(value) < 2 ** 32;
}

function invalid(message: string, context: Readonly<Record<string, unknown>>): RagError {
  return new RagError('invalid-input', message, { context });
}
