import type { DocumentRef, LongOptions, SearchBackend } from './search-backend.ts';
import type { SourceDocument } from '../chunk/chunking-strategy.ts';

/**
 * A backend that a project can be indexed into: any {@link SearchBackend}. Further methods
 * are used if there are any; `SegmentBackend` has all of them.
 */
export interface ProjectBackend extends SearchBackend {
  /** Writes many documents and takes others out, all of it or nothing. Otherwise: one by one. */
  updateFiles?(
    documents: readonly SourceDocument[],
    removed?: readonly DocumentRef[],
    options?: LongOptions,
  ): Promise<unknown>;
  /** Indexes a stream of documents of any length. Otherwise: one by one. */
  index?(
    documents: Iterable<SourceDocument> | AsyncIterable<SourceDocument>,
    options?: LongOptions,
  ): Promise<unknown>;
  /** Those that have chunks. Otherwise it is taken on trust that the index has what it was given. */
  documents?(): Iterable<DocumentRef> | Promise<Iterable<DocumentRef>>;
  /** Until then it is busy with itself, and nothing is written. */
  readonly ready?: Promise<void>;
}

/** Writes documents and takes others out, in one go where the backend can. */
export async function updateAll(
  backend: ProjectBackend,
  documents: readonly SourceDocument[],
  removed: readonly DocumentRef[],
  options: LongOptions,
): Promise<void> {
  if (backend.updateFiles) {
    await backend.updateFiles(documents, removed, options);
    return;
  }
  for (const document of documents) await backend.updateFile(document, options);
  for (const document of removed) {
    options.signal?.throwIfAborted();
    await backend.removeByFile(document);
  }
}

/** Indexes a stream of documents. */
export async function indexAll(
  backend: ProjectBackend,
  documents: AsyncIterable<SourceDocument>,
  options: LongOptions,
): Promise<void> {
  if (backend.index) {
    await backend.index(documents, options);
    return;
  }
  for await (const document of documents) await backend.updateFile(document, options);
}

/**
 * Returns the paths of the documents of a project that have chunks; nothing if the backend does not say. One
 * that has no documents at all has none of the project either.
 */
export async function indexedPaths(
  backend: ProjectBackend,
  project: string,
): Promise<ReadonlySet<string> | undefined> {
  if (!backend.documents) {
    return (await backend.stats()).documents === 0 ? new Set<string>() : undefined;
  }
  const paths = new Set<string>();
  for (const { novelId, filePath } of await backend.documents()) {
    if (novelId === project) paths.add(filePath);
  }
  return paths;
}
