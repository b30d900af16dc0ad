import { messageOf } from '@vizprompt/providers';
import { type Kinds, TEXT } from '@vizprompt/providers/config/internal';
import type { Analyzer } from '../analyze/analyzer.ts';
import { StringTable } from '../binary/packed-tables.ts';
import { type FileForm, SectionFile } from '../binary/section-file.ts';
import { checkOptions } from '../check-options.ts';
import { ANALYZER } from '../contract/backend-options.ts';
import { expandNames, type Synonyms } from '../contract/synonyms.ts';
import { RagError } from '../errors.ts';

/** Options of `openThesaurus`. */
export interface OpenThesaurusOptions {
  /** The file that `compileThesaurus` or the command `dialogoi thesaurus` wrote. */
  readonly path: string;
  /** The analyzer of the index that is searched with it. */
  readonly analyzer: Analyzer;
}

/** A thesaurus in a file: words that mean about the same. */
export interface Thesaurus extends Synonyms {
  readonly facts: ThesaurusFacts;
}

const KINDS: Kinds<OpenThesaurusOptions> = { path: TEXT, analyzer: ANALYZER };

/**
 * Opens a compiled thesaurus, for the option `thesaurus` of a backend. It takes some milliseconds, and as much memory as
 * the file is long.
 *
 * @throws RagError with the code `dictionary-failed` if the file is missing, damaged, or compiled for another analyzer.
 *
 * @example
 * ```ts
 * const analyzer = await compactAnalyzer();
 * const thesaurus = openThesaurus({ path: 'thesaurus.bin', analyzer });
 * const backend = await SegmentBackend.open({ folder: '.cache/index', analyzer, thesaurus });
 * ```
 */
export function openThesaurus(options: OpenThesaurusOptions): Thesaurus {
  checkOptions('openThesaurus', options, KINDS);
  const { path, analyzer } = options;
  const file = openFile(path);
  const numbers = (name: string): Uint32Array => {
    const { buffer, byteOffset, byteLength } = file.section(name);
    return new Uint32Array(buffer, byteOffset, byteLength / 4);
  };
  const stored: StoredFacts = JSON.parse(Buffer.from(file.section(SECTIONS.facts)).toString());
  if (stored.analyzer !== analyzer.id) {
    const problem = `it was compiled for the analyzer '${stored.analyzer}', not '${analyzer.id}'`;
    throw THESAURUS_FORM.damaged(path, problem);
  }
  const keys = StringTable.readPlain(file.section(SECTIONS.keys));
  const names = StringTable.readPlain(file.section(SECTIONS.names));
  const [keyStarts, entries] = [numbers(SECTIONS.keyStarts), numbers(SECTIONS.entries)];
  const [groupStarts, members] = [numbers(SECTIONS.groupStarts), numbers(SECTIONS.members)];
  const { longest, ...facts } = stored;

  function find(key: string): readonly (readonly string[])[] | undefined {
    const place = keys.find(key);
    if (place < 0) return undefined;
    const others = new Set<number>();
    for (let at = keyStarts[place] ?? 0; at < (keyStarts[place + 1] ?? 0); at += 2) {
      const [group = 0, own] = entries.subarray(at, at + 2);
      for (const name of members.subarray(groupStarts[group], groupStarts[group + 1])) {
        if (name !== own) others.add(name);
      }
    }
    return Array.from(others, (name) => names.get(name).split(' '));
  }

  return {
    facts,
    size: facts.groups,
    expand: (words, text) => expandNames({ longest, find }, words, text),
  };
}

function openFile(path: string): SectionFile {
  let file: SectionFile;
  try {
    file = new SectionFile(path, THESAURUS_FORM);
  } catch (error) {
    throw RagError.isInstance(error)
      ? error
      : THESAURUS_FORM.damaged(path, messageOf(error), error);
  }
  // All sections are in memory.
  file.close();
  return file;
}

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
