import { TEXT } from '@vizprompt/providers/config/internal';
import { ANALYZER } from './backend-options.ts';
import { checkArgument } from '../check-options.ts';
import { plainBasic, type Analyzer, type Word } from '../analyze/analyzer.ts';
import { RagError } from '../errors.ts';

/** A piece of a query that has other names. */
export interface SynonymMatch {
  /** Offsets in the query. */
  readonly start: number;
  readonly end: number;
  /** The other names, each as the basic forms of its words in their order. */
  readonly alternatives: readonly (readonly string[])[];
}

/** Names that mean the same, such as the nicknames of characters. */
export interface Synonyms {
  /** How many groups of names there are. */
  readonly size: number;

  /**
   * Finds the names in a query. The longest of the names that begin at the same word is taken; they do
   * not overlap.
   *
   * @param words - The words of `text`, by the analyzer that the synonyms were made with.
   */
  expand(words: readonly Word[], text: string): readonly SynonymMatch[];
}

/**
 * Reads a synonym file: a group of names on each line, separated by commas or tabs; `#` begins a
 * comment. A query for one name of a group then finds the others.
 *
 * @throws RagError with the code `invalid-input` that names line and column.
 *
 * @example
 * ```ts
 * const synonyms = readSynonyms('坂本龍馬, 龍馬, 才谷梅太郎 # 変名\n', analyzer);
 * synonyms.expand(analyzer.words('龍馬の手紙'), '龍馬の手紙');
 * // [{ start: 0, end: 2, alternatives: [['坂本', '龍馬'], ['才', '谷', '梅太郎']] }]
 * ```
 */
export function readSynonyms(source: string, analyzer: Analyzer): Synonyms {
  checkArgument('the source of readSynonyms', source, TEXT);
  checkArgument('the analyzer of readSynonyms', analyzer, ANALYZER);
  const groups = parseSynonyms(source);
  const names = new Map<string, string[][]>();
  let longest = 0;
  for (const group of groups) {
    const basics = group.map((name) => basicsOf(analyzer.words(name)));
    for (const [index, name] of group.entries()) {
      const others = basics.filter((other, at) => at !== index && other.length > 0);
      const words = analyzer.words(name);
      longest = Math.max(longest, words.length);
      for (const key of keysOf(name, words)) {
        names.set(key, [...(names.get(key) ?? []), ...others]);
      }
    }
  }
  return {
    size: groups.length,
    expand: (words, text) => expandNames({ longest, find: (key) => names.get(key) }, words, text),
  };
}

/** Names by their keys, see {@link keysOf}. */
export interface NameTable {
  /** How many words a name has at most. */
  readonly longest: number;
  /** Returns the other names for a key. */
  find(key: string): readonly (readonly string[])[] | undefined;
}

/** Finds the names of a table in a query. */
export function expandNames(
  { longest, find }: NameTable,
  words: readonly Word[],
  text: string,
): SynonymMatch[] {
  // In its sentence a name may fall into more words than alone.
  const reach = 2 * longest;
  const longestName = (
    first: number,
  ): { readonly found: SynonymMatch; readonly next: number } | undefined => {
    const start = words[first]?.start ?? 0;
    for (let next = Math.min(words.length, first + reach); next > first; next--) {
      const end = words[next - 1]?.end ?? start;
      for (const key of keysOf(text.slice(start, end), words.slice(first, next))) {
        const alternatives = find(key);
        if (alternatives) return { found: { start, end, alternatives }, next };
      }
    }
    return undefined;
  };
  const matches: SynonymMatch[] = [];
  for (let first = 0; first < words.length;) {
    const match = longestName(first);
    if (match) matches.push(match.found);
    first = match ? match.next : first + 1;
  }
  return matches;
}

/** Returns the keys of a name: as it is written, and the basic forms of its words, with numbers in digits. */
export function keysOf(name: string, words: readonly Word[]): ReadonlySet<string> {
  const keys = new Set([writtenKey(name), basicKey(words)]);
  keys.delete('');
  return keys;
}

/** Returns the basic forms of the words of a name that are searched for. */
export function basicsOf(words: readonly Word[]): string[] {
  return words.filter(({ isContent }) => isContent).map(({ basic }) => basic);
}

function basicKey(words: readonly Word[]): string {
  return words.map((word) => plainBasic(word)).join(' ');
}

function writtenKey(name: string): string {
  return name.normalize('NFKC').toLowerCase().replace(/\s\s*/g, ' ').trim();
}

/** Names that mean the same: two or more, as they are written. */
export type SynonymGroup = readonly string[];

const SEPARATOR = /[,\t，、]/;
const COMMENT = /#.*$/;

/**
 * Parses a synonym file: a group on each line, its names separated by commas or tabs; `#` begins a
 * comment, empty lines are skipped.
 *
 * @throws RagError with the code `invalid-input` for an empty name, one that occurs twice in a group,
 *   or a group of one name. Its context has `line` and `column`, from 1.
 *
 * @example
 * ```ts
 * parseSynonyms('坂本龍馬, 龍馬, 才谷梅太郎\n'); // [['坂本龍馬', '龍馬', '才谷梅太郎']]
 * ```
 */
export function parseSynonyms(source: string): readonly SynonymGroup[] {
  const lines = source.replace(/^\ufeff/, '').split(/\r\n|[\r\n]/);
  return lines.flatMap((text, index) => {
    const content = text.replace(COMMENT, '');
    return content.trim() === '' ? [] : [parseGroup(content, index + 1)];
  });
}

function parseGroup(content: string, line: number): SynonymGroup {
  const names: string[] = [];
  let column = 1;
  for (const field of content.split(SEPARATOR)) {
    const name = field.trim();
    const at = column + Math.max(field.search(/\S/), 0);
    if (name === '') fail('a name is missing', line, at);
    if (names.includes(name)) fail(`the name '${name}' occurs twice in its group`, line, at);
    names.push(name);
    column += field.length + 1;
  }
  if (names.length === 1)
    fail(`the name '${names[0]}' is alone: give a name that means the same`, line, 1);
  return names;
}

function fail(problem: string, line: number, column: number): never {
  throw new RagError('invalid-input', `synonyms, line ${line}, column ${column}: ${problem}`, {
    context: { line, column },
  });
}
