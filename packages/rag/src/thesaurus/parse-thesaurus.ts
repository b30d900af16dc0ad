import { parseSynonyms } from '../contract/synonyms.ts';
import { RagError } from '../errors.ts';

/** A word of a thesaurus. */
interface ThesaurusWord {
  readonly word: string;
  /** True if the others are found by it; false if it is only found by them. */
  readonly isAsked: boolean;
}

/** Words that mean about the same. */
export type ThesaurusGroup = readonly ThesaurusWord[];

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
