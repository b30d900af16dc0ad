import type { FileForm } from '../binary/section-file.ts';
import { RagError } from '../errors.ts';

/** Files that hold a compiled thesaurus. */
export const THESAURUS_FORM: FileForm = {
  magic: 'VZRAGTHE',
  version: 1,
  damaged(path, problem, cause) {
    return new RagError(
      'dictionary-failed',
      `cannot read the thesaurus ${path}: ${problem}; compile it again: dialogoi thesaurus`,
      { cause, context: { path } },
    );
  },
};

/** The facts of a compiled thesaurus. */
export interface ThesaurusFacts {
  /** How many groups of words it has. */
  readonly groups: number;
  /** How many words lead to others. */
  readonly words: number;
  /** The analyzer that cut its words; queries have to be cut by it. */
  readonly analyzer: string;
  /** The notice of its source: the author and the licence. */
  readonly notice: string;
}

/** The facts that only {@link THESAURUS_FORM} needs. */
export interface StoredFacts extends ThesaurusFacts {
  /** How many words a name has at most. */
  readonly longest: number;
}

/** The sections of the file. */
export const SECTIONS = {
  facts: 'facts',
  /** Names by which a query is expanded, sorted. */
  keys: 'keys',
  /** Where the entries of each key begin: pairs of a group, and the place of the own name in `names`. */
  keyStarts: 'keyStarts',
  entries: 'entries',
  /** Where the members of each group begin, and their places in `names`. */
  groupStarts: 'groupStarts',
  members: 'members',
  /** The basic forms of names, with a space between words. */
  names: 'names',
} as const;
