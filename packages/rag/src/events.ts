/** How far a long task has come. */
export interface Progress {
  readonly done: number;
  /** Of how many. Absent while it is not known. */
  readonly total?: number;
}

/** All events of this package. What happens in other processes is not among them. */
export interface RagEvents {
  /** `index` has cut a document that is new or differs. */
  'index:progress': Progress & { readonly chunks: number };
  /** What was written can be searched, and survives a crash. */
  'index:committed': { readonly added: number; readonly removed: number };
  /**
   * The index on the disk cannot be used: it is of another version or analyser, or damaged. It starts
   * empty, or from its `source`.
   */
  'index:discarded': { readonly reason: string };
  /** Segments were put together in the background. */
  'index:merged': { readonly segments: number; readonly chunks: number };
  /** Merging failed; the index stays as it was, and it is tried again later. */
  'index:merge-failed': { readonly error: unknown };
  /** Chunks were embedded. */
  'vectors:progress': Progress;
  /** The vector store or the model is away: chunks wait for their vectors. */
  'vectors:queued': { readonly chunks: number; readonly error: unknown };
  /** Chunks that waited have their vectors. */
  'vectors:caught-up': { readonly chunks: number };
  /** A search was answered without its vectors, or without its reranker. */
  'search:degraded': { readonly error: unknown };
}
