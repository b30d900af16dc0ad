import type { EventSource, TypedEvents } from '@vizprompt/providers';
import type { Listener } from '@vizprompt/providers/internal';
import type { ListenerCheck } from '@vizprompt/providers/config/internal';
import { listenerCheck } from './check-options.ts';
import type { IndexingError } from './errors.ts';

/** How far a long task has come. */
export interface Progress {
  readonly done: number;
  /** The total. Absent while it is not known. */
  readonly total?: number;
}

/** A passage whose text the embedding model refuses; it is found by words only. */
interface RefusedChunk {
  readonly novelId: string;
  readonly file: string;
  /** Its first and its last line. */
  readonly start: number;
  readonly end: number;
}

/** All events of this package. Changes by other processes are not among them. */
export interface RagEvents {
  /** `index` has cut a document that is new or differs. */
  'index:progress': Progress & { readonly chunks: number };
  /** The written documents can be searched, and survive a crash. */
  'index:committed': { readonly added: number; readonly removed: number };
  /**
   * The index on the disk cannot be used: it belongs to another version or analyzer, or damaged. It starts
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
  /** The model refuses the texts of chunks, which are found by words only; it is not asked again. */
  'vectors:refused': { readonly chunks: readonly RefusedChunk[] };
  /** Chunks that waited have their vectors. */
  'vectors:caught-up': { readonly chunks: number };
  /**
   * Vectors find the first hit of words for few of the questions that words are sure of, and the fusion lets them count
   * (`by: 'ranks'` or `gate: 1`): answers are worse than by words alone. Emitted once.
   */
  'vectors:weak': { readonly questions: number; readonly agreed: number };
  /** A search was answered without all of its vectors, or without its reranker. */
  'search:degraded': { readonly error: unknown };
}

/** Refuses listeners of events that are not among these. */
export const checkRagListener: ListenerCheck = listenerCheck<RagEvents>({
  'index:progress': true,
  'index:committed': true,
  'index:discarded': true,
  'index:merged': true,
  'index:merge-failed': true,
  'vectors:progress': true,
  'vectors:queued': true,
  'vectors:refused': true,
  'vectors:caught-up': true,
  'vectors:weak': true,
  'search:degraded': true,
});

/** All events of `NovelService`. Those of a project come as long as its index is open. */
export interface NovelEvents {
  /** The dictionary is compiled, once on a machine, before the first search: how many of 100 parts are done. */
  'dictionary:progress': Progress;
  /** The index of a project is being made or brought up to date. */
  'project:progress': Progress & { readonly novelId: string };
  /** A file was written by way of the service. */
  'file:written': { readonly novelId: string; readonly path: string; readonly created: boolean };
  /**
   * A file is not in the index, and no search finds it. Emitted each time that the index is opened, and
   * when the reason is another one.
   */
  'file:failed': { readonly novelId: string; readonly path: string; readonly error: IndexingError };
  /** A file is in the index as it is now. */
  'file:indexed': { readonly novelId: string; readonly path: string };
  /** A file is not in the index any more, as it is gone. */
  'file:removed': { readonly novelId: string; readonly path: string };
  /** The index could not be brought up to date in the background; it is tried again. */
  'index:failed': { readonly novelId: string; readonly error: unknown };
  /** A search was answered without all of its vectors, or without its reranker. */
  'search:degraded': { readonly novelId: string; readonly error: unknown };
  /** The vector store or the model is away: chunks wait for their vectors. */
  'vectors:queued': { readonly novelId: string; readonly chunks: number; readonly error: unknown };
  /** The model refuses the texts of chunks, which are found by words only; it is not asked again. */
  'vectors:refused': { readonly novelId: string; readonly chunks: readonly RefusedChunk[] };
  /** Vectors are much weaker than words, and the fusion lets them count. */
  'vectors:weak': { readonly novelId: string; readonly questions: number; readonly agreed: number };
  /** Chunks that waited have their vectors. */
  'vectors:caught-up': { readonly novelId: string; readonly chunks: number };
}

/** Refuses listeners of events that are not among these. */
export const checkNovelListener: ListenerCheck = listenerCheck<NovelEvents>({
  'dictionary:progress': true,
  'project:progress': true,
  'file:written': true,
  'file:failed': true,
  'file:indexed': true,
  'file:removed': true,
  'index:failed': true,
  'search:degraded': true,
  'vectors:queued': true,
  'vectors:refused': true,
  'vectors:weak': true,
  'vectors:caught-up': true,
});

/**
 * The events of a `ProjectIndexer`. But for `index:changed`, what other processes do is not among
 * them.
 */
export interface IndexingEvents {
  /** Another process is at work on the project; this one waits for it. */
  'index:waiting': object;
  /** Files that may differ are read, and documents that are gone removed. */
  'index:started': { readonly files: number; readonly removed: number };
  /** A file was read, and given to the index if it differs. */
  'index:progress': Progress & { readonly path: string };
  /** The index is as the project was, but for what failed. */
  'index:finished': {
    readonly indexed: number;
    readonly removed: number;
    readonly unchanged: number;
    readonly failed: number;
  };
  /** A refresh in the background failed; it is tried again. */
  'index:failed': { readonly error: unknown };
  /** Searches may find something else than before, by this process or by another one. */
  'index:changed': { readonly byOthers: boolean };
  /** A document is in the index as it is now. */
  'file:indexed': { readonly path: string };
  /** A document is not in the index any more. */
  'file:removed': { readonly path: string };
  /**
   * A file is not in the index, all others are. Emitted once by each indexer that is opened, and again when
   * the reason is another one.
   */
  'file:failed': { readonly path: string; readonly error: IndexingError };
  /** Changes are seen from now on: as events, or by looking every now and then. */
  'watch:ready': { readonly isPolling: boolean };
  /** No events come any more. It is looked every now and then until they can be had again. */
  'watch:failed': { readonly error: unknown };
}

/** Refuses listeners of events that are not among these. */
export const checkIndexingListener: ListenerCheck = listenerCheck<IndexingEvents>({
  'index:waiting': true,
  'index:started': true,
  'index:progress': true,
  'index:finished': true,
  'index:failed': true,
  'index:changed': true,
  'file:indexed': true,
  'file:removed': true,
  'file:failed': true,
  'watch:ready': true,
  'watch:failed': true,
});

/** Checks whether a backend emits events. */
export function hasEvents(backend: object): backend is { readonly events: EventSource<RagEvents> } {
  if (!('events' in backend) || typeof backend.events !== 'object') return false;
  return backend.events !== null && 'on' in backend.events;
}

/** Adds the listeners of an `on` option. */
export function addListeners<Events extends object>(
  events: TypedEvents<Events>,
  on: { readonly [Name in keyof Events]?: Listener<Events[Name]> | undefined } = {},
): void {
  for (const [name, listener] of Object.entries(on)) {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of the type above
    if (listener) events.on(name as keyof Events & string, listener as Listener<unknown>);
  }
}
