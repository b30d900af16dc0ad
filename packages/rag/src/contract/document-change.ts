import {
  OBJECT,
  TEXT,
  TEXTS,
  having,
  optional,
  shownValue,
} from '@vizprompt/providers/config/internal';
import { checkArgument } from '../check-options.ts';
import type { Chunk } from '../chunk/chunk.ts';
import type { SourceDocument } from '../chunk/chunking-strategy.ts';
import { RagError } from '../errors.ts';
import type { DocumentRef } from './search-backend.ts';

/** A document as it shall be. */
export interface DocumentChange extends DocumentRef {
  /** Its chunks in order. */
  readonly chunks: readonly Chunk[];
  /** True if they come to those that it has; otherwise they replace them. */
  readonly isAddition?: boolean;
  /** The version that the caller wants to store. */
  readonly stamp?: string;
}

/** Returns the key of a document. */
export function documentKey({ novelId, filePath }: DocumentRef): string {
  return JSON.stringify([novelId, filePath]);
}

/** Puts changes of the same document together: the last one that replaces, and what came after. */
export function mergeChanges(changes: readonly DocumentChange[]): readonly DocumentChange[] {
  const merged = new Map<string, DocumentChange>();
  for (const change of changes) {
    const key = documentKey(change);
    const before = merged.get(key);
    const isJoined = before !== undefined && change.isAddition === true;
    merged.set(
      key,
      isJoined ? { ...before, chunks: joinChunks(before.chunks, change.chunks) } : change,
    );
  }
  return [...merged.values()];
}

/** A chunk that the index has, and how the index knows it. */
export interface KnownChunk<Id> {
  readonly chunk: Chunk;
  readonly id: Id;
}

/** How a document gets to what it shall be. */
export interface UpdatePlan<Id> {
  /** Its chunks in order; those without an id are new and must be analyzed. */
  readonly chunks: readonly { readonly chunk: Chunk; readonly id?: Id }[];
  readonly removed: readonly KnownChunk<Id>[];
  readonly added: number;
  readonly kept: number;
}

/** Finds out what of a document is new; equal chunks stay, perhaps on other lines. */
export function planUpdate<Id>(
  known: readonly KnownChunk<Id>[],
  { chunks, isAddition = false }: Pick<DocumentChange, 'chunks' | 'isAddition'>,
): UpdatePlan<Id> {
  const present = isAddition ? known.map(({ chunk }) => chunk) : [];
  const left = new Map(known.map((one) => [samenessOf(one.chunk), one]));
  const planned = joinChunks(present, chunks).map((chunk) => {
    const key = samenessOf(chunk);
    const same = left.get(key);
    if (!same) return { chunk };
    left.delete(key);
    return { chunk, id: same.id };
  });
  const kept = known.length - left.size;
  return { chunks: planned, removed: [...left.values()], added: planned.length - kept, kept };
}

/** Returns the chunks of a document with more of it, in order; of equal ids the last one counts. */
function joinChunks(known: readonly Chunk[], more: readonly Chunk[]): readonly Chunk[] {
  const byId = new Map(known.map((chunk) => [chunk.id, chunk]));
  for (const chunk of more) byId.set(chunk.id, chunk);
  return [...byId.values()].toSorted((a, b) => a.chunkIndex - b.chunkIndex);
}

/** Equal for chunks that need not be analyzed again: everything but their place. */
function samenessOf(chunk: Chunk): string {
  const { title, content, headingPath, tags, overlap, ordinal } = chunk;
  return `${JSON.stringify([title, headingPath, tags, overlap, ordinal])}${content}`;
}

/** @throws RagError with the code `invalid-input` for a document without a project, path or text. */
export function checkDocument(document: SourceDocument): void {
  checkArgument('a document', document, OBJECT);
  const { novelId, filePath, text, tags } = document;
  checkArgument('tags of a document', tags, optional(TEXTS));
  for (const [name, value] of Object.entries({ novelId, filePath, text })) {
    if (typeof value === 'string') continue;
    const reason = `${name} of a document: expected a string, got ${shownValue(value)}`;
    throw invalid(reason, { novelId, filePath });
  }
}

/** @throws RagError with the code `invalid-input` for what is not a document of a project. */
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
    throw invalid(`chunks: expected an array, got ${shownValue(chunks)}`, {});
  if (filePath === '') throw invalid('a document has an empty path', { novelId });
  for (const chunk of chunks) {
    checkArgument('a chunk', chunk, CHUNK);
    const where = { novelId, filePath, chunkIndex: chunk.chunkIndex };
    if (chunk.filePath !== filePath || chunk.novelId !== novelId) {
      const owner = `${chunk.novelId}:${chunk.filePath}`;
      throw invalid(`a chunk of ${owner} cannot belong to ${novelId}:${filePath}`, where);
    }
    const { startLine, startColumn, endLine, chunkIndex, overlap, content } = chunk;
    const isPlaced =
      isCount(startLine) && startLine >= 1 && isCount(endLine) && endLine >= startLine;
    if (!isPlaced || !isCount(chunkIndex)) {
      const lines = `${startLine}-${endLine}`;
      throw invalid(`chunk ${chunkIndex} of ${filePath} is on the lines ${lines}`, where);
    }
    if (startColumn !== undefined && !(isCount(startColumn) && startColumn >= 1)) {
      throw invalid(`chunk ${chunkIndex} of ${filePath} is at the column ${startColumn}`, where);
    }
    if (!isCount(overlap) || overlap > content.length) {
      throw invalid(`chunk ${chunkIndex} of ${filePath} has an overlap of ${overlap}`, where);
    }
  }
}

/** Fields of a chunk that was sent or stored, without those that the class adds. */
const CHUNK = having('a Chunk (see new Chunk)', 'content', 'startLine', 'chunkIndex', 'own');

/** Checks whether a value is an unsigned 32-bit integer. */
function isCount(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 0 && Number(value) < 2 ** 32;
}

function invalid(message: string, context: Readonly<Record<string, unknown>>): RagError {
  return new RagError('invalid-input', message, { context });
}
