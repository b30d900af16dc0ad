import {
  FUNCTION,
  having,
  type Kind,
  type Kinds,
  LOGGER,
  OBJECT,
  optional,
  type OptionalKind,
  SIGNAL,
  TEXT,
} from '@vizprompt/providers/config/internal';
import type { Analyzer } from '../analyze/analyzer.ts';
import { compactAnalyzer } from '../analyze/compact-analyzer.ts';
import { AutoChunkingStrategy } from '../chunk/auto-chunking-strategy.ts';
import type { ChunkingStrategy } from '../chunk/chunking-strategy.ts';
import type { LongOptions } from './search-backend.ts';

export const ANALYZER: Kind<never> = having(
  'an analyser, such as segmenterAnalyzer()',
  'words',
  'readings',
);
export const CHUNKING: Kind<never> = having('a chunking strategy with id and chunk', 'id', 'chunk');
export const DATABASE: Kind<never> = having(
  'a Database, such as sqliteDatabase() or the database of postgresStorage()',
  'query',
  'transaction',
);
export const SYNONYMS: Kind<never> = having('what readSynonyms() gives', 'expand', 'size');
export const BACKEND: Kind<never> = having('a search backend', 'search', 'updateChunks');
/** Listeners by the names of events. */
export const LISTENERS: OptionalKind<never> = optional(OBJECT);
export const OPTIONAL_LOGGER: OptionalKind<never> = optional(LOGGER);
export const OPTIONAL_TEXT: OptionalKind<string> = optional(TEXT);
export const OPTIONAL_FUNCTION: OptionalKind<never> = optional(FUNCTION);

export const CUTTING_KINDS: Kinds<CuttingOptions> = {
  analyzer: optional(ANALYZER),
  chunking: optional(CHUNKING),
};

export const LONG_KINDS: Kinds<LongOptions> = { signal: optional(SIGNAL) };

/** How a backend cuts texts. */
export interface CuttingOptions {
  /**
   * Finds the words of texts and queries. An index of another analyzer is analyzed again. Default:
   * {@link compactAnalyzer}.
   */
  readonly analyzer?: Analyzer | undefined;
  /** Cuts documents into chunks. Default: `AutoChunkingStrategy`. */
  readonly chunking?: ChunkingStrategy | undefined;
}

/** Options with an analyzer and a chunking strategy, those of the caller or the defaults. */
export type Cutting<Options extends CuttingOptions> = Options & {
  readonly analyzer: Analyzer;
  readonly chunking: ChunkingStrategy;
};

/** Fills in what the caller left open; the dictionary is opened only if it is needed. */
export async function withDefaults<Options extends CuttingOptions>(
  options: Options,
): Promise<Cutting<Options>> {
  const analyzer = options.analyzer ?? (await compactAnalyzer());
  const chunking = options.chunking ?? new AutoChunkingStrategy();
  return { ...options, analyzer, chunking };
}
