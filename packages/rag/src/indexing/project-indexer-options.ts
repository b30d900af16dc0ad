import type { FileStore, Logger } from '@vizprompt/providers';
import type { Listener } from '@vizprompt/providers/internal';
import {
  AMOUNT,
  FLAG,
  having,
  type Kinds,
  optional,
  TEXT,
} from '@vizprompt/providers/config/internal';
import {
  CUTTING_KINDS,
  type CuttingOptions,
  LISTENERS,
  OPTIONAL_FUNCTION,
  OPTIONAL_LOGGER,
  OPTIONAL_TEXT,
} from '../contract/backend-options.ts';
import type { SearchResults } from '../contract/search-backend.ts';
import type { CacheService } from '../cache/search-cache.ts';
import type { IndexingEvents } from '../events.ts';
import type { ProjectBackend } from '../contract/project-backend.ts';

/** Options of `ProjectIndexer.open`. */
export interface ProjectIndexerOptions extends CuttingOptions {
  /** The name of the project: the `novelId` of its chunks. */
  readonly project: string;
  /** The folder of the project, with `settings/`, `contents/` and `DIALOGOI.md`. */
  readonly folder: string;
  /**
   * Where the index lies; made when missing. All that is in it is derived and may be deleted. Default:
   * `.vizprompt/rag` in the project, which git ignores, or, where the project cannot be written, a folder of
   * it in `$XDG_CACHE_HOME/vizprompt/rag` (`~/.cache/vizprompt/rag`, `%LOCALAPPDATA%\vizprompt\rag`).
   */
  readonly indexFolder?: string | undefined;
  /**
   * Indexes of a project that are made in different ways lie next to each other, each in a folder of this
   * name in the index folder. Default: it is in the index folder itself.
   */
  readonly indexName?: string | undefined;
  /**
   * Opens the index in the index folder. The indexer closes it. Default: a `SegmentBackend` with the
   * `analyzer` and `chunking` of these options.
   */
  readonly openBackend?: ((indexFolder: string) => Promise<ProjectBackend>) | undefined;
  /**
   * Where the lock is that an indexer holds while it works, so that of several one does. Default: in the index folder. For
   * an index that several machines share it is the `files` of a storage that they share, too.
   */
  readonly locks?: Pick<FileStore, 'lock'> | undefined;
  /** Larger files are left out, in bytes. Default: 10 MB, as in `NovelService`. */
  readonly maxFileBytes?: number | undefined;
  /** After how much time without a further change a watched project is indexed, in ms. Default: 500. */
  readonly debounceMs?: number | undefined;
  /**
   * True if watching means to poll, for file systems without events (network
   * drives, containers). Default: `false`, unless the system has no events to give.
   */
  readonly usePolling?: boolean | undefined;
  /** How often it is looked when polling, in milliseconds. Default: 1000. */
  readonly pollMs?: number | undefined;
  /**
   * How often it is scanned besides events, as some get lost, in milliseconds; `Infinity` for never.
   * Default: 60,000.
   */
  readonly rescanMs?: number | undefined;
  /** Keeps what was found until the project changes. Default: nothing is kept. */
  readonly cache?: CacheService<SearchResults> | undefined;
  /** Listeners, see {@link IndexingEvents}. */
  readonly on?:
    | { readonly [Name in keyof IndexingEvents]?: Listener<IndexingEvents[Name]> | undefined }
    | undefined;
  /** Receives what fails in the background. Default: says nothing. */
  readonly logger?: Logger | undefined;
}

export const PROJECT_INDEXER_KINDS: Kinds<ProjectIndexerOptions> = {
  project: TEXT,
  folder: TEXT,
  indexFolder: OPTIONAL_TEXT,
  indexName: OPTIONAL_TEXT,
  ...CUTTING_KINDS,
  openBackend: OPTIONAL_FUNCTION,
  locks: optional(having('the files of a Storage', 'lock')),
  maxFileBytes: optional(AMOUNT),
  debounceMs: optional(AMOUNT),
  usePolling: optional(FLAG),
  pollMs: optional(AMOUNT),
  rescanMs: optional(AMOUNT),
  cache: optional(having('a cache, such as a SearchCache', 'get', 'set', 'invalidate')),
  on: LISTENERS,
  logger: OPTIONAL_LOGGER,
};
