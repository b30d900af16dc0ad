import type { Logger, RedactOptions, Storage } from '@vizprompt/providers';
import type { TextAnalyzer } from '@vizprompt/providers/text';
import type { EmbeddingOptions } from './vectors/vector-options.ts';

/** What is deleted by itself. Nothing, unless it is given; never a session that has not ended. */
export interface RetentionOptions {
  /** Sessions in which nothing happened for so many days. */
  readonly maxAgeDays?: number;
  /** The sessions that rested longest, until all events and files take at most so many bytes. */
  readonly maxBytes?: number;
}

/** Options of `MemoryStore.open`. */
export interface MemoryStoreOptions {
  /**
   * The SQLite file, made when missing so that only this user can read it; `':memory:'` for a memory that is
   * never stored. Default: `~/.ptta/ptta.db`. Not together with `storage`.
   */
  readonly path?: string;
  /** Where to keep it instead, such as `postgresStorage(...)`; whoever opened it closes it. */
  readonly storage?: Storage;
  /**
   * What is taken out of everything before it is stored: known formats of secrets and `<private>` parts.
   * `rules` are a list that comes on top of the default rules, or `{ add, remove }`; `false` stores everything as
   * it comes. Default: the default rules, no entropy.
   */
  readonly redact?: RedactOptions | false;
  /** Applied when the store is opened, and by `applyRetention()`. Default: everything stays. */
  readonly retention?: RetentionOptions;
  /**
   * Finds events by meaning beside words. Their vectors are made in the background, after the events are
   * stored; if the model is away, search goes by words alone, `vectors:failed` tells so, and the vectors are
   * made up for later. Default: by words alone.
   */
  readonly embeddings?: EmbeddingOptions;
  /** Separates those who share a database: nobody sees anything of another tenant. Default: `''`. */
  readonly tenant?: string;
  /** How text is cut into words for the search. Default: `wordAnalyzer({ stems: 'english' })`. */
  readonly analyzer?: TextAnalyzer;
  /** The largest text of a file or event, in UTF-8 bytes. Default: 33,554,432 (32 MiB). */
  readonly maxContentBytes?: number;
  /** Default: `() => new Date()`. */
  readonly clock?: () => Date;
  /** Default: a silent one. */
  readonly logger?: Logger;
}
