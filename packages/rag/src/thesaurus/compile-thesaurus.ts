import { type Kinds, optional, TEXT } from '@vizprompt/providers/config/internal';
import type { Analyzer } from '../analyze/analyzer.ts';
import { Numbering, StringTable } from '../binary/packed-tables.ts';
import { checkOptions } from '../check-options.ts';
import { ANALYZER } from '../contract/backend-options.ts';
import { basicsOf, keysOf, parseSynonyms } from '../contract/synonyms.ts';
import { writeDictionary } from '../dictionary/dictionary-file.ts';
import { RagError } from '../errors.ts';
import {
  SECTIONS,
  type StoredFacts,
  THESAURUS_FORM,
  type ThesaurusFacts,
} from './open-thesaurus.ts';

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

/** A word of a thesaurus. */
interface ThesaurusWord {
  readonly word: string;
  /** True if the others are found by it; false if it is only found by them. */
  readonly isAsked: boolean;
}

/** Words that mean about the same. */
type ThesaurusGroup = readonly ThesaurusWord[];

/** The columns of Sudachi that are read: the group, how a word is expanded, and the word. */
const COLUMNS = { group: 0, expansion: 2, word: 8 } as const;
const FEWEST_COLUMNS = 9;
/** Value of the column `expansion`: only found by others, and never used. */
const ONLY_FOUND = '1';
const UNUSED = '2';
/** Abbreviations such as `it` and `pc`, which are words of their own. */
const TOO_SHORT = /^[\p{ASCII}\p{sc=Latin}]{1,2}$/u;

/**
 * Parses a thesaurus: the synonyms of SudachiDict (`synonyms.txt`, a word on each line, by groups), or a synonym file
 * with a group on each line.
 *
 * Source of the first format: https://github.com/WorksApplications/SudachiDict/blob/develop/docs/synonyms.md
 *
 * @throws RagError with the code `invalid-input` that names the line.
 */
export function parseThesaurus(source: string): readonly ThesaurusGroup[] {
  const lines = source.replace(/^\ufeff/, '').split(/\r\n|[\r\n]/);
  const first = lines.find((line) => line.trim() !== '' && !line.startsWith('#')) ?? '';
  const isSudachi = /^\d+,/.test(first) && columnsOf(first).length >= FEWEST_COLUMNS;
  if (isSudachi) return bySudachi(lines);
  return parseSynonyms(source).map((group) => group.map((word) => ({ word, isAsked: true })));
}

function bySudachi(lines: readonly string[]): readonly ThesaurusGroup[] {
  const groups = new Map<string, Map<string, ThesaurusWord>>();
  for (const [at, line] of lines.entries()) {
    if (line.trim() === '' || line.startsWith('#')) continue;
    const columns = columnsOf(line);
    const group = columns[COLUMNS.group] ?? '';
    const word = columns[COLUMNS.word]?.trim() ?? '';
    if (!/^\d+$/.test(group) || word === '') throw badLine(at + 1, columns.length);
    const expansion = columns[COLUMNS.expansion];
    if (expansion === UNUSED || TOO_SHORT.test(word)) continue;
    const words = groups.get(group) ?? new Map<string, ThesaurusWord>();
    groups.set(group, words);
    if (!words.has(word)) words.set(word, { word, isAsked: expansion !== ONLY_FOUND });
  }
  return [...groups.values()].flatMap((words) => (words.size > 1 ? [[...words.values()]] : []));
}

/** Splits a line of CSV (RFC 4180), whose columns may be in quotes. */
function columnsOf(line: string): readonly string[] {
  if (!line.includes('"')) return line.split(',');
  const columns = line.matchAll(/(?:^|,)(?:"([^"]*(?:""[^"]*)*)"|([^,]*))/g);
  return Array.from(columns, ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? '');
}

function badLine(line: number, columns: number): RagError {
  const wanted = `at least ${FEWEST_COLUMNS} columns with a group in the first and a word in the ninth`;
  return new RagError(
    'invalid-input',
    `thesaurus, line ${line}: expected ${wanted}, got ${columns} columns`,
    { context: { line } },
  );
}
