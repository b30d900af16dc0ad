import { type Kinds, optional, TEXT } from '@vizprompt/providers/config/internal';
import type { Analyzer } from '../analyze/analyzer.ts';
import { Numbering, StringTable } from '../binary/packed-tables.ts';
import { checkOptions } from '../check-options.ts';
import { ANALYZER } from '../contract/option-kinds.ts';
import { basicsOf, keysOf } from '../contract/synonyms.ts';
import { writeDictionary } from '../dictionary/dictionary-file.ts';
import { parseThesaurus, type ThesaurusGroup } from './parse-thesaurus.ts';
import {
  SECTIONS,
  THESAURUS_FORM,
  type StoredFacts,
  type ThesaurusFacts,
} from './thesaurus-file.ts';

/** Options of `compileThesaurus`. */
export interface CompileThesaurusOptions {
  /**
   * The list: `synonyms.txt` of SudachiDict, or a file as `readSynonyms` takes it, with a group of words on each line.
   */
  readonly source: string;
  /** The analyzer of the index that is searched with it. */
  readonly analyzer: Analyzer;
  /** The file that is written, or replaced as a whole. */
  readonly path: string;
  /** The author and the licence of the list, which the file keeps. Default: none. */
  readonly notice?: string | undefined;
}

const KINDS: Kinds<CompileThesaurusOptions> = {
  source: TEXT,
  analyzer: ANALYZER,
  path: TEXT,
  notice: optional(TEXT),
};

/**
 * Compiles a list of words that mean about the same into a file, which `openThesaurus` opens in some milliseconds.
 * Analyzing tens of thousands of words takes seconds, in which the process does nothing else.
 *
 * @throws RagError with the code `invalid-input` that names the line of the list; the error of the file system.
 *
 * @example
 * ```ts
 * const source = await readFile('synonyms.txt', 'utf8');
 * compileThesaurus({ source, analyzer: await compactAnalyzer(), path: 'thesaurus.bin' });
 * ```
 */
export function compileThesaurus(options: CompileThesaurusOptions): ThesaurusFacts {
  checkOptions('compileThesaurus', options, KINDS);
  const { source, analyzer, path, notice = '' } = options;
  const { groups, names, entries, words, longest } = tablesOf(parseThesaurus(source), analyzer);
  const keys = [...entries.keys()].toSorted((a, b) => (a < b ? -1 : 1));
  const lists = keys.map((key) => entries.get(key) ?? []);
  const facts: StoredFacts = {
    groups: groups.length,
    words,
    analyzer: analyzer.id,
    notice,
    longest,
  };
  writeDictionary(
    path,
    {
      [SECTIONS.facts]: Buffer.from(JSON.stringify(facts)),
      [SECTIONS.keys]: StringTable.writePlain(keys),
      [SECTIONS.keyStarts]: startsOf(lists),
      [SECTIONS.entries]: Uint32Array.from(lists.flat()),
      [SECTIONS.groupStarts]: startsOf(groups),
      [SECTIONS.members]: Uint32Array.from(groups.flat()),
      [SECTIONS.names]: StringTable.writePlain(names),
    },
    THESAURUS_FORM,
  );
  return facts;
}

/** Names of more words are found and do not lead to others: no question quotes a definition by its words. */
const LONGEST = 10;

interface ThesaurusTables {
  /** The places of the names of each group. */
  readonly groups: readonly (readonly number[])[];
  readonly names: readonly string[];
  /** For each key: pairs of a group, and the place of its own name there. */
  readonly entries: ReadonlyMap<string, readonly number[]>;
  /** How many words lead to others. */
  readonly words: number;
  readonly longest: number;
}

function tablesOf(list: readonly ThesaurusGroup[], analyzer: Analyzer): ThesaurusTables {
  const names = new Numbering<string>();
  const groups: (readonly number[])[] = [];
  const entries = new Map<string, number[]>();
  const leading = new Set<string>();
  let longest = 0;
  for (const group of list) {
    const members = new Set<number>();
    const asked: {
      readonly word: string;
      readonly keys: ReadonlySet<string>;
      readonly own: number;
    }[] = [];
    for (const { word, isAsked } of group) {
      const words = analyzer.words(word);
      const basic = basicsOf(words).join(' ');
      if (basic === '') continue;
      const own = names.of(basic, basic);
      members.add(own);
      if (!isAsked || words.length > LONGEST) continue;
      longest = Math.max(longest, words.length);
      asked.push({ word, keys: keysOf(word, words), own });
    }
    // All of them are spellings of one word.
    if (members.size < 2) continue;
    const number = groups.push([...members]) - 1;
    for (const { word, keys, own } of asked) {
      leading.add(word);
      for (const key of keys) {
        const known = entries.get(key) ?? [];
        if (known.at(-2) !== number) entries.set(key, [...known, number, own]);
      }
    }
  }
  return { groups, names: names.things, entries, words: leading.size, longest };
}

function startsOf(lists: readonly (readonly number[])[]): Uint32Array {
  const starts = new Uint32Array(lists.length + 1);
  for (const [at, list] of lists.entries()) starts[at + 1] = (starts[at] ?? 0) + list.length;
  return starts;
}
