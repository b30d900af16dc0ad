import { toShownText } from '../analyze/normal-text.ts';
import { foldPhrase, formsOf, sameSigns, type TextForms } from './fold-text.ts';
import type { ClauseOf, Query, QueryClause } from '../query/query.ts';
import { compileRegex, type CompiledRegex } from '../query/compile-regex.ts';

/** The conditions on the text of a chunk, besides the words it has. */
export interface TextConditions {
  /** Absent: any text will do. */
  readonly accepts?: (text: string, titles: readonly string[]) => boolean;
  /** The phrases that must be in a text or its titles, each in the forms of {@link foldPhrase}. */
  readonly phrases: readonly (readonly string[])[];
  /** True if `accepts` asks for these phrases in any field, and for nothing else. */
  readonly arePhrases?: boolean;
  /** Lists of strings; a text has one of each, as they are, if the required regular expressions match it. */
  readonly literals: readonly (readonly string[])[];
  /** Returns ranges of phrases and patterns, to mark them; not all of them. */
  ranges(text: string): readonly (readonly [start: number, end: number])[];
}

/** How many places of a phrase or pattern are marked. */
const MAX_RANGES = 20;
/** A phrase over such a break: a sign or digit next to a character of Japanese. */
const MAY_BE_JOINED = /[!-@[-`{-~][^\0-\x7f]|[^\0-\x7f][!-@[-`{-~]/;

/** Compiles the phrases and regular expressions of a query. */
export async function textConditions(query: Query): Promise<TextConditions> {
  const phrases = query.clauses.flatMap(asPhrase);
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
  const texts = wanted.flatMap(({ field, text }) => (field === 'any' ? [foldPhrase(text)] : []));
  const literals = patterns.flatMap(({ regex, isWanted }) => (isWanted ? regex.literals : []));
  if (phrases.length === 0 && patterns.length === 0) return { ranges, phrases: texts, literals };
  const checks = phrases.map(phraseCheck);
  const accepts = (text: string, titles: readonly string[]): boolean => {
    const body = formsOf(text);
    const heads = formsOf(titles.join('\n'));
    return (
      checks.every((check) => check(body, heads)) &&
      patterns.every(({ regex, isWanted }) => matches(regex, text) === isWanted)
    );
  };
  const arePhrases = patterns.length === 0 && texts.length === phrases.length;
  return { accepts, ranges, phrases: texts, arePhrases, literals };
}

/** Returns phrases, and words with a minus as phrases: they exclude what the same word finds as text. */
function asPhrase(clause: QueryClause): readonly Phrase[] {
  if (clause.kind === 'phrase') return [clause];
  if (clause.kind !== 'words' || clause.occur !== 'not' || clause.field === 'reading') return [];
  return [{ text: clause.text, occur: 'not', field: clause.field }];
}

/** A text that must be there or not. */
type Phrase = Pick<ClauseOf<'phrase'>, 'text' | 'occur' | 'field'>;

/** Marks that change the character before them. */
const MARK = /[\p{M}\uff9e\uff9f]/u;

function phraseCheck({
  text,
  occur,
  field,
}: Phrase): (body: TextForms, titles: TextForms) => boolean {
  const phrases = foldPhrase(text);
  // Reading takes kanji away and brings none but those that are described.
  const kanji = phrases.at(-1)?.match(/\p{sc=Han}/gu) ?? [];
  const isRaw = (raw: string): boolean => {
    const at = raw.indexOf(text);
    return at >= 0 && !MARK.test(raw.charAt(at + text.length)) && text === text.trim();
  };
  const isIn = (form: TextForms): boolean =>
    isRaw(form.raw) ||
    phrases.some((phrase) => form.written().includes(phrase)) ||
    ((/&#|※［＃/u.test(form.raw) ||
      kanji.every((character) => form.written().includes(character))) &&
      phrases.some(
        (phrase) =>
          form.read().includes(phrase) ||
          (MAY_BE_JOINED.test(phrase) && form.joined().includes(phrase)),
      ));
  return (body, titles) => (isIn(titles) || (field === 'any' && isIn(body))) === (occur !== 'not');
}

function matches(regex: CompiledRegex, text: string): boolean {
  return regex.literals.every((list) => list.some((one) => text.includes(one))) && regex.test(text);
}

/** Finds a phrase in a text as it is written; if it is not there, as it is read. */
function literalRanges(text: string, phrase: string): readonly (readonly [number, number])[] {
  const written = rangesOf(text, phrase.trim());
  if (written.length > 0 || phrase.trim() === '') return written;
  const { text: read, offsets } = toShownText(text);
  return rangesOf(read, toShownText(phrase).text.trim()).map(([start, end]) => {
    return [offsets.startOf(start), offsets.endOf(end)] as const;
  });
}

function rangesOf(text: string, phrase: string): readonly (readonly [number, number])[] {
  if (phrase === '') return [];
  const pattern = Array.from(phrase.replaceAll(/\s\s*/gu, ' '), (character) => {
    if (character === ' ') return String.raw`\s\s*`;
    const same = sameSigns(character);
    if (same !== character) return `[${same.replace('-', String.raw`\-`)}]`;
    return character.replace(/[.*+?^${}()|[\]\\/]/u, String.raw`\$&`);
  });
  // A line may break between characters of Japanese.
  const wrapped = pattern.map((piece, at) => {
    const next = pattern[at + 1] ?? '';
    return piece > '\u007f' || next > '\u007f' ? String.raw`${piece}(?:\s*[\n\v\f\r]\s*)?` : piece;
  });
  const found = [...text.matchAll(new RegExp(wrapped.join(''), 'giu'))].slice(0, MAX_RANGES);
  return found.map(({ 0: match, index }) => [index, index + match.length] as const);
}
