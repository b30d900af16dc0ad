import type { Synonyms } from './synonyms.ts';
import type { CuttingOptions } from './with-defaults.ts';

/** How a backend cuts texts, and other words that it knows. */
export interface LanguageOptions extends CuttingOptions {
  /** Words that mean about the same. */
  readonly thesaurus?: Synonyms | undefined;
  /** True if words in Latin letters also find what is read so: `toudai` finds 灯台. Default: `false`. */
  readonly romaji?: boolean | undefined;
}
