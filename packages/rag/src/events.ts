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
}

/** All events of `NovelService`. */
export interface NovelEvents {
  /** The index of a project is being made or brought up to date. */
  'project:progress': Progress & { readonly novelId: string };
  /** A file was written by way of the service. */
  'file:written': { readonly novelId: string; readonly path: string; readonly created: boolean };
}
