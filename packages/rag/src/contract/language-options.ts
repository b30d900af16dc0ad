import { FLAG, type Kinds, optional } from '@vizprompt/providers/config/internal';
import { CUTTING_KINDS, type CuttingOptions, SYNONYMS } from './backend-options.ts';
import type { Synonyms } from './synonyms.ts';

/** How a backend cuts texts, and what else the words of a query find. */
export interface LanguageOptions extends CuttingOptions {
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
}

export const LANGUAGE_KINDS: Kinds<LanguageOptions> = {
  ...CUTTING_KINDS,
  synonyms: optional(SYNONYMS),
  thesaurus: optional(SYNONYMS),
  romaji: optional(FLAG),
};
