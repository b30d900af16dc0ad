import { toNormalText } from '../analyze/normal-text.ts';
import type { ClauseOf, Query } from '../query/query.ts';
import { compileRegex, type CompiledRegex } from '../query/compile-regex.ts';

/** What the text of a chunk must be, besides the words it has. */
export interface TextConditions {
  /** Absent: any text will do. */
  readonly accepts?: (text: string, titles: readonly string[]) => boolean;
  /** Where phrases and patterns stand, to mark them; not all of them. */
  ranges(text: string): readonly (readonly [start: number, end: number])[];
}

/** How many places of a phrase or pattern are marked. */
const MAX_RANGES = 20;
/** What stands in texts that are read otherwise than they are written. */
const READ_OTHERWISE = /》|［＃|[ゝゞヽヾ]/;

/** Compiles the phrases and regular expressions of a query. */
export async function textConditions(query: Query): Promise<TextConditions> {
  const phrases = query.clauses.filter((clause) => clause.kind === 'phrase');
  const patterns: { readonly regex: CompiledRegex; readonly isWanted: boolean }[] = [];
  for (const clause of query.clauses) {
    if (clause.kind !== 'regex') continue;
    patterns.push({ regex: await compileRegex(clause), isWanted: clause.occur !== 'not' });
  }
  const wanted = phrases.filter(({ occur }) => occur !== 'not');
  const ranges = (text: string): readonly (readonly [number, number])[] => [
    ...wanted.flatMap(({ text: phrase }) => literalRanges(text, phrase)),
    ...patterns.flatMap(({ regex, isWanted }) => (isWanted ? regex.ranges(text, MAX_RANGES) : [])),
  ];
  if (phrases.length === 0 && patterns.length === 0) return { ranges };
  const checks = phrases.map(phraseCheck);
  const accepts = (text: string, titles: readonly string[]): boolean => {
    const body = formsOf(checks.length > 0 ? text : '');
    const heads = formsOf(checks.length > 0 ? titles.join('\n') : '');
    return (
      checks.every((check) => check(body, heads)) &&
      patterns.every(({ regex, isWanted }) => matches(regex, text) === isWanted)
    );
  };
  return { accepts, ranges };
}

/** A text as it is written, and as it is read where ruby, notes or iteration marks stand in it. */
interface TextForms {
  readonly written: string;
  /** Takes several times as long as the other; empty if it is the same. */
  readonly read: () => string;
}

function formsOf(text: string): TextForms {
  let read: string | undefined;
  return {
    written: foldSpaces(text),
    read: () => (read ??= READ_OTHERWISE.test(text) ? foldSpaces(toNormalText(text).text) : ''),
  };
}

function phraseCheck({
  text,
  occur,
  field,
}: ClauseOf<'phrase'>): (body: TextForms, titles: TextForms) => boolean {
  const written = foldSpaces(text);
  const read = foldSpaces(toNormalText(text).text);
  const phrases = read === '' ? [written] : [written, read];
  // Reading takes kanji away and brings none.
  const kanji = read.match(/\p{sc=Han}/gu) ?? [];
  const isIn = (form: TextForms): boolean =>
    phrases.some((phrase) => form.written.includes(phrase)) ||
    (kanji.every((character) => form.written.includes(character)) &&
      phrases.some((phrase) => form.read().includes(phrase)));
  return (body, titles) => (isIn(titles) || (field === 'any' && isIn(body))) === (occur !== 'not');
}

function matches(regex: CompiledRegex, text: string): boolean {
  return regex.literals.every((literal) => text.includes(literal)) && regex.test(text);
}

/** NFKC, small letters, one space for any; a new line between characters of Japanese is none. */
function foldSpaces(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/\s+/gu, (spaces: string, at: number, all: string) => {
      const isWrapped = isBeyondAscii(all, at - 1) && isBeyondAscii(all, at + spaces.length);
      return isWrapped && spaces.includes('\n') ? '' : ' ';
    })
    .trim();
}

function isBeyondAscii(text: string, at: number): boolean {
  return text.charCodeAt(at) > 127;
}

function literalRanges(text: string, phrase: string): readonly (readonly [number, number])[] {
  const pattern = phrase
    .trim()
    .replaceAll(/[.*+?^${}()|[\]\\/]/gu, String.raw`\$&`)
    .replaceAll(/\s+/gu, String.raw`\s+`);
  if (pattern === '') return [];
  const found = [...text.matchAll(new RegExp(pattern, 'giu'))].slice(0, MAX_RANGES);
  return found.map(({ 0: match, index }) => [index, index + match.length] as const);
}
