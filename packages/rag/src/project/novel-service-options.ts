import type { EmbeddingModel, Logger, Storage } from '@vizprompt/providers';
import type { Listener } from '@vizprompt/providers/internal';
import type { Analyzer } from '../analyze/analyzer.ts';
import type { SearchBackend } from '../contract/search-backend.ts';
import type { Synonyms } from '../contract/synonyms.ts';
import type { LanguageOptions } from '../contract/language-options.ts';
import type { Cutting } from '../contract/backend-options.ts';
import type { RagConfig } from '../config/rag-config.ts';
import type { NovelEvents } from '../events.ts';

/** Options of `NovelService.open`. */
export interface NovelServiceOptions {
  /** The settings, see `loadRagConfig`. `projectRoot` must be a folder. */
  readonly config: RagConfig;
  /** Finds the words of texts and queries. Default: `compactAnalyzer()`, at the first search. */
  readonly analyzer?: Analyzer | undefined;
  /**
   * Words that mean about the same, see `openThesaurus`; a backend of `openBackend` gets it with `cutting`. Default: the
   * file that `thesaurus` in the settings names.
   */
  readonly thesaurus?: Synonyms | undefined;
  /**
   * Makes the index of a project in a folder, such as one with vectors; the service closes it. It is
   * given the analyzer, and the chunking of the settings. Default: what `vector` and `backend` in the settings say:
   * a `SegmentBackend` or `SqlBackend`, or a `HybridBackend` with Qdrant over it.
   */
  readonly openBackend?:
    | ((indexFolder: string, cutting: Cutting<LanguageOptions>) => Promise<SearchBackend>)
    | undefined;
  /**
   * Where the indexes of words are that several machines share, such as `postgresStorage()`: in its `cache`, by a
   * `SqlBackend`, a space for each project. One machine indexes a project at a time, by a lock of the storage, and all search.
   * It stays open. Default: what `backend` in the settings says.
   */
  readonly storage?: Storage | undefined;
  /** The model of `vector` in the settings. Default: its name is looked up in a model registry. */
  readonly embeddings?: EmbeddingModel | undefined;
  /**
   * Where the index of a project lies. Default: `.vizprompt/rag` in the project, or in the cache folder of the
   * user where the project cannot be written.
   */
  readonly indexFolder?: ((projectId: string) => string) | undefined;
  /** Bytes of the largest file that is read, indexed or written. Default: 10,485,760 (10 MB). */
  readonly maxFileBytes?: number | undefined;
  /**
   * True if the files of a project that is searched are watched. Otherwise it is looked before each
   * search which have changed. Default: `true`.
   */
  readonly watch?: boolean | undefined;
  /** Polls for changes instead of waiting for events, as network drives need it. Default: `false`. */
  readonly usePolling?: boolean | undefined;
  /** After how long without a search the index of a project is closed, in milliseconds. Default: 300,000. */
  readonly idleMs?: number | undefined;
  /** Listeners, see {@link NovelEvents}. */
  readonly on?:
    | { readonly [Name in keyof NovelEvents]?: Listener<NovelEvents[Name]> | undefined }
    | undefined;
  /** Receives what fails in the background. Default: says nothing. */
  readonly logger?: Logger | undefined;
}
