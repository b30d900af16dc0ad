import {
  FUNCTION,
  having,
  type Kind,
  type Kinds,
  LOGGER,
  OBJECT,
  optional,
  SIGNAL,
  TEXT,
} from '@vizprompt/providers/config';
import type { LongOptions } from './search-backend.ts';
import type { CuttingOptions } from './with-defaults.ts';

export const ANALYZER: Kind = having(
  'an analyser, such as segmenterAnalyzer()',
  'words',
  'readings',
);
export const CHUNKING: Kind = having('a chunking strategy with id and chunk', 'id', 'chunk');
export const DATABASE: Kind = having(
  'a Database, such as sqliteDatabase()',
  'query',
  'transaction',
);
export const SYNONYMS: Kind = having('what readSynonyms() gives', 'expand', 'size');
export const BACKEND: Kind = having('a search backend', 'search', 'updateChunks');
/** Listeners by the names of events. */
export const LISTENERS: Kind = optional(OBJECT);
export const OPTIONAL_LOGGER: Kind = optional(LOGGER);
export const OPTIONAL_TEXT: Kind = optional(TEXT);
export const OPTIONAL_FUNCTION: Kind = optional(FUNCTION);

export const CUTTING_KINDS: Kinds<CuttingOptions> = {
  analyzer: optional(ANALYZER),
  chunking: optional(CHUNKING),
};

export const LONG_KINDS: Kinds<LongOptions> = { signal: optional(SIGNAL) };
