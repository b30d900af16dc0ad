import {
  FUNCTION,
  having,
  type Kind,
  type OptionalKind,
  type Kinds,
  LOGGER,
  OBJECT,
  optional,
  SIGNAL,
  TEXT,
} from '@vizprompt/providers/config/internal';
import type { LongOptions } from './search-backend.ts';
import type { CuttingOptions } from './with-defaults.ts';

export const ANALYZER: Kind<never> = having(
  'an analyser, such as segmenterAnalyzer()',
  'words',
  'readings',
);
export const CHUNKING: Kind<never> = having('a chunking strategy with id and chunk', 'id', 'chunk');
export const DATABASE: Kind<never> = having(
  'a Database, such as sqliteDatabase()',
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
