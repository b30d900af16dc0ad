import type { Logger } from '@vizprompt/providers';
import type { Listener } from '@vizprompt/providers/internal';
import {
  AMOUNT,
  FLAG,
  type Kind,
  type Kinds,
  optional,
} from '@vizprompt/providers/config/internal';
import { LISTENERS, OPTIONAL_LOGGER } from '../contract/option-kinds.ts';
import type { RagEvents } from '../events.ts';
import { LANGUAGE_KINDS, type LanguageOptions } from '../contract/language-options.ts';

/** Options of `SegmentBackend.open`. */
export interface SegmentBackendOptions extends LanguageOptions {
  /** Where the index lies; made when missing. It can be deleted at any time: it is made of documents. */
  readonly folder: string;
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
  ...LANGUAGE_KINDS,
  on: LISTENERS,
  mayFork: optional(FLAG),
  lockTimeoutMs: optional(AMOUNT),
  logger: OPTIONAL_LOGGER,
};
