import {
  having,
  OBJECT,
  optional,
  shownValue,
  TEXT,
  TEXTS,
} from '@vizprompt/providers/config/internal';
import type { Chunk } from '../chunk/chunk.ts';
import type { SourceDocument } from '../chunk/chunking-strategy.ts';
import { checkArgument, checkOptions } from '../check-options.ts';
import { RagError } from '../errors.ts';
import { type DocumentRef, SEARCH_OPTIONS, type SearchOptions } from './search-backend.ts';

/** @throws RagError with the code `invalid-input` for a document without a project, path or text. */
export function checkDocument(document: SourceDocument): void {
  checkArgument('a document', document, OBJECT);
  const { novelId, filePath, text, tags } = document;
  checkArgument('tags of a document', tags, optional(TEXTS));
  for (const [name, value] of Object.entries({ novelId, filePath, text })) {
    if (typeof value === 'string') continue;
    const reason = `${name} of a document must be a string, not ${shownValue(value)}`;
    throw invalid(reason, { novelId, filePath });
  }
}

/** @throws RagError with the code `invalid-input` for what is no document of a project. */
export function checkRef(document: DocumentRef): void {
  checkArgument('a document', document, OBJECT);
  checkArgument('novelId of a document', document.novelId, TEXT);
  checkArgument('filePath of a document', document.filePath, TEXT);
}

/** @throws RagError with the code `invalid-input` for what cannot be gone through. */
export function checkIterable(what: string, values: unknown): void {
  const isObject = typeof values === 'object' && values !== null;
  if (isObject && (Symbol.iterator in values || Symbol.asyncIterator in values)) return;
  throw invalid(`${what} takes an array or another iterable, not ${shownValue(values)}`, {});
}

/** @throws RagError with the code `invalid-input` for chunks of another document or without a place. */
export function checkChunks({ novelId, filePath }: DocumentRef, chunks: readonly Chunk[]): void {
  if (!Array.isArray(chunks))
    throw invalid(`chunks must be an array, not ${shownValue(chunks)}`, {});
  if (filePath === '') throw invalid('a document has an empty path', { novelId });
  for (const chunk of chunks) {
    checkArgument('a chunk', chunk, CHUNK);
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
export function checkSearch(query: unknown, options: SearchOptions): void {
  checkArgument('the query', query, TEXT);
  checkOptions('search', options, SEARCH_OPTIONS);
}

/** What was sent or stored has the fields of a chunk, and not what the class adds. */
const CHUNK = having('a Chunk (see new Chunk)', 'content', 'startLine', 'chunkIndex', 'own');

/** What 32 bits hold. */
function isCount(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 0 && Number(value) < 2 ** 32;
}

function invalid(message: string, context: Readonly<Record<string, unknown>>): RagError {
  return new RagError('invalid-input', message, { context });
}
