import type { Logger } from '@vizprompt/providers';
import type { Listener } from '@vizprompt/providers/internal';
import {
  AMOUNT,
  FLAG,
  type Kind,
  type Kinds,
  optional,
} from '@vizprompt/providers/config/internal';
import { CUTTING_KINDS, LISTENERS, OPTIONAL_LOGGER, SYNONYMS } from '../contract/option-kinds.ts';
import type { CuttingOptions } from '../contract/with-defaults.ts';
import type { RagEvents } from '../events.ts';
import type { Synonyms } from '../contract/synonyms.ts';

/** Options of `SegmentBackend.open`. */
export interface SegmentBackendOptions extends CuttingOptions {
  /** Where the index lies; made when missing. It can be deleted at any time: it is made of documents. */
  readonly folder: string;
  /** Other names of what queries speak of, see `readSynonyms`. Default: none. */
  readonly synonyms?: Synonyms | undefined;
  /**
   * Words that mean about the same, see `openThesaurus`: they count where the best text has little of a query.
   * Default: none.
   */
  readonly thesaurus?: Synonyms | undefined;
  /**
   * True if words in Latin letters also find what is read so: `toudai` and `tōdai` find 灯台. Default: `false`, as
   * English words such as `made` may be read as Japanese.
   */
  readonly romaji?: boolean | undefined;
  /** Listeners that hear the events of opening too. */
  readonly on?:
    | { readonly [Name in keyof RagEvents]?: Listener<RagEvents[Name]> | undefined }
    | undefined;
  /** True if many documents may be indexed in a process of their own. Default: `true`. */
  readonly mayFork?: boolean | undefined;
  /** How long a write waits for other processes that write, in milliseconds. Default: 10,000. */
  readonly lockTimeoutMs?: number | undefined;
  /** Receives listeners that fail, and of an index that is rebuilt. Default: says nothing. */
  readonly logger?: Logger | undefined;
}

/** An empty path would be the folder that the process happens to be in. */
const FOLDER: Kind<string> = {
  expected: 'the path of a folder',
  accepts: (value) => typeof value === 'string' && value !== '',
};

export const SEGMENT_KINDS: Kinds<SegmentBackendOptions> = {
  folder: FOLDER,
  ...CUTTING_KINDS,
  synonyms: optional(SYNONYMS),
  thesaurus: optional(SYNONYMS),
  romaji: optional(FLAG),
  on: LISTENERS,
  mayFork: optional(FLAG),
  lockTimeoutMs: optional(AMOUNT),
  logger: OPTIONAL_LOGGER,
};
