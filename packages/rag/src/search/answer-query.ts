import { cutSnippet, type SnippetHit } from '@vizprompt/providers/internal';
import type { Analyzer } from '../analyze/analyzer.ts';
import { toShownText } from '../analyze/normal-text.ts';
import type { Chunk } from '../chunk/chunk.ts';
import type {
  ChooseHits,
  HitSnippet,
  KeywordFacts,
  SearchFilter,
  SearchHit,
  SearchOptions,
  SearchResults,
} from '../contract/search-backend.ts';
import { compileFilter } from '../query/compile-filter.ts';
import { type CompiledRegex, compileRegex } from '../query/compile-regex.ts';
import { parseQuery } from '../query/parse-query.ts';
import type { ClauseOf, Query, QueryClause } from '../query/query.ts';
import { foldPhrase, formsOf, LINE_BREAK, sameSigns, type TextForms } from '../rank/fold-text.ts';
import { type GroupSet, type OtherWords, queryGroups } from '../rank/query-groups.ts';
import { NUMERAL, swappedNumbers } from '../rank/swapped-numbers.ts';
import { WEIGHTS } from '../rank/weights.ts';
import type { ChunkContent, ChunkIndex, ChunkPlace } from './chunk-index.ts';
import { findChunks, type FindRequest, type Found, type FoundChunk } from './find-chunks.ts';

const DEFAULT_K = 10;

/** How the words of queries are understood. */
export interface QueryLanguage extends OtherWords {
  readonly analyzer: Analyzer;
}

/** Answers a query from an index. */
export async function answerQuery(
  index: ChunkIndex,
  language: QueryLanguage,
  source: string,
  options: SearchOptions,
  choose?: ChooseHits,
): Promise<SearchResults> {
  const { limit = DEFAULT_K, k = limit, offset = 0, signal } = options;
  signal?.throwIfAborted();
  const query = parseQuery(source);
  const conditions = await textConditions(query);
  const words = wordsOf(query, language);
  if (query.clauses.length > 0) await index.prepare?.(words.similar?.(1) ?? words.sets, words.text);
  if (query.clauses.length === 0 || index.size === 0) {
    return { hits: [], total: 0, ...hintFor(query, options.filter) };
  }
  const allows = await documentFilter(index, query, options.filter);
  const found = await find(index, words, query, conditions, {
    allows,
    count: offset + k,
    explain: options.explain,
    ...(signal ? { signal } : {}),
  });
  signal?.throwIfAborted();
  const page = found.best.slice(offset, offset + k);
  const { coverage, total } = found;
  const among = allows ? total : index.size;
  const places = choose ? await chosenOf(page, { coverage, among }, choose) : page;
  const hits = await makeHits(index, found, places, conditions, { ...options, query: source });
  return { hits, total, ...(total === 0 ? hintFor(query, options.filter) : {}) };
}

async function chosenOf(
  page: readonly FoundChunk[],
  facts: KeywordFacts,
  choose: ChooseHits,
): Promise<readonly FoundChunk[]> {
  const ids = (await readChunks(page)).map((chunk) => chunk?.id);
  const ranked = page.map(({ score }, at) => ({ id: ids[at] ?? '', score }));
  const chosen = await choose(ranked, facts);
  return page.filter((_, at) => chosen.has(ids[at] ?? ''));
}

/** The words of a query, by their groups and as text. */
interface QueryWords extends Pick<FindRequest, 'sets' | 'text'> {
  /** The groups with words that mean about the same, by how much these count. Absent: there is no thesaurus. */
  readonly similar?: (share: number) => readonly GroupSet[];
}

function wordsOf(
  query: Query,
  { analyzer, synonyms, thesaurus, romaji }: QueryLanguage,
): QueryWords {
  const text = query.clauses
    .flatMap((clause) => {
      const isText = clause.kind === 'words' || clause.kind === 'phrase' || clause.kind === 'part';
      // How a reading is written says nothing of how the word is.
      const isReading = clause.kind === 'words' && clause.field === 'reading';
      return isText && !isReading && clause.occur !== 'not' ? [clause.text] : [];
    })
    .join('\n');
  return {
    sets: queryGroups(query, analyzer, { synonyms, romaji }),
    text,
    ...(thesaurus
      ? { similar: (share) => queryGroups(query, analyzer, { synonyms, thesaurus, romaji, share }) }
      : {}),
  };
}

/**
 * Finds by words. The chunks that may have a phrase are found by its characters, as its words may be cut in another way
 * in a text; where a query has no words at all, the texts themselves are read.
 */
async function find(
  index: ChunkIndex,
  { sets, text, similar }: QueryWords,
  query: Query,
  conditions: TextConditions,
  request: Pick<FindRequest, 'allows' | 'count' | 'explain' | 'signal'>,
): Promise<Found> {
  const isWordless = !sets.some(({ occur }) => occur !== 'not');
  const { accepts, phrases, arePhrases, literals } = isWordless
    ? await literally(query, conditions)
    : conditions;
  const search = (groups: readonly GroupSet[]): Promise<Found> =>
    findChunks(index, { ...request, sets: groups, text, accepts, phrases, arePhrases, literals });
  const exact = await search(sets);
  // Texts that have the words of the query say more than those with words that mean about the same.
  const { coverage } = exact;
  const share = shareOfThesaurus(coverage);
  const found = similar && share > 0 ? { ...(await search(similar(share))), coverage } : exact;
  const isTitled = query.clauses.some((clause) => {
    return clause.kind === 'phrase' && clause.occur !== 'not' && clause.field === 'title';
  });
  if (found.total > 0 || !isTitled) return found;
  return search(sets.filter(({ isPhrase }) => !isPhrase));
}

/** Returns how much words that mean about the same count, from 0 to 1. */
function shareOfThesaurus(coverage: number): number {
  const { thesaurusFull: full, thesaurusNone: none } = WEIGHTS;
  return Math.min(1, Math.max(0, (none - coverage) / (none - full)));
}

/** Returns the conditions of a query of particles and signs alone, which asks for exactly these characters. */
function literally(
  query: Query,
  conditions: TextConditions,
): TextConditions | Promise<TextConditions> {
  const clauses = query.clauses.map((clause) => {
    if (clause.kind !== 'words' || clause.occur === 'not' || clause.text.trim() === '')
      return clause;
    const { start, end, text } = clause;
    const field = clause.field === 'title' ? ('title' as const) : ('any' as const);
    return { kind: 'phrase' as const, occur: 'must' as const, start, end, text, field };
  });
  const isChanged = clauses.some((clause, place) => clause !== query.clauses[place]);
  return isChanged ? textConditions({ ...query, clauses }) : conditions;
}

/** Compiles a filter and the `tag:` and `path:` of a query; nothing if all documents pass. */
async function documentFilter(
  index: ChunkIndex,
  query: Query,
  filter: SearchFilter = {},
): Promise<((document: number, tags: readonly string[]) => boolean) | undefined> {
  const isFiltered =
    Object.keys(filter).length > 0 ||
    query.clauses.some(({ kind }) => kind === 'tag' || kind === 'path');
  if (!isFiltered) return undefined;
  const fits = await compileFilter(filter, query.clauses);
  const known = new Map<number, Map<readonly string[], boolean>>();
  return (number, tags) => {
    const byTags = known.get(number) ?? new Map<readonly string[], boolean>();
    known.set(number, byTags);
    let isAllowed = byTags.get(tags);
    if (isAllowed === undefined) {
      const document = index.document(number);
      isAllowed = document !== undefined && fits({ ...document, tags });
      byTags.set(tags, isAllowed);
    }
    return isAllowed;
  };
}

/** Makes the hits of found chunks for callers. */
async function makeHits(
  index: ChunkIndex,
  found: Found,
  places: readonly FoundChunk[],
  conditions: TextConditions,
  { explain = false, expand, query }: SearchOptions & { readonly query: string },
): Promise<readonly SearchHit[]> {
  const contents = await found.read(places);
  const explanations = explain ? found.explain(places) : [];
  const isSwapped = NUMERAL.test(query) ? swappedNumbers(query) : undefined;
  const hits: SearchHit[] = [];
  const chunks = await readChunks(places, contents);
  for (const [at, place] of places.entries()) {
    const [content, chunk] = [contents[at], chunks[at]];
    if (!content || !chunk) continue;
    const { text } = content;
    const words = content.found.filter((mark) => isSwapped?.(text, mark) !== true);
    const match = snippetOf({ text, found: words }, chunk.overlap, found, conditions);
    const hit = hitOf(chunk, place.score, match);
    hits.push({
      ...hit,
      ...(expand ? { context: await contextIn(index, place, chunk, expand) } : {}),
      ...(explain ? { explanation: explanations[at] ?? [] } : {}),
    });
  }
  return hits;
}

/** Reads chunks, those of each part at once. */
async function readChunks(
  places: readonly ChunkPlace[],
  contents?: readonly ChunkContent[],
): Promise<readonly (Chunk | undefined)[]> {
  const chunks: (Chunk | undefined)[] = places.map(() => undefined);
  for (const part of new Set(places.map((place) => place.part))) {
    const own = [...places.keys()].filter((at) => places[at]?.part === part);
    const docs = own.flatMap((at) => places[at]?.doc ?? []);
    const read = await part.chunks(docs, contents && own.flatMap((at) => contents[at] ?? []));
    for (const [place, at] of own.entries()) chunks[at] = read[place];
  }
  return chunks;
}

/** Returns a chunk as callers see it. */
export function hitOf(chunk: Chunk, score: number, match: HitSnippet): SearchHit {
  return {
    id: chunk.id,
    score,
    snippet: match.text,
    match,
    payload: {
      file: chunk.filePath,
      start: chunk.startLine,
      end: chunk.endLine,
      ...columnsOf(chunk),
      ...(chunk.tags.length > 0 ? { tags: chunk.tags } : {}),
    },
    novelId: chunk.novelId,
    title: chunk.title,
    headingPath: chunk.headingPath,
    content: chunk.content.slice(chunk.overlap),
  };
}

/** An index of a version before columns has none until its documents are compared again. */
function columnsOf({ startColumn, endColumn }: Chunk): Partial<SearchHit['payload']> {
  return startColumn === undefined || endColumn === undefined ? {} : { startColumn, endColumn };
}

function snippetOf(
  { text, found: words }: ChunkContent,
  overlap: number,
  { groups }: Found,
  conditions: TextConditions,
): HitSnippet {
  const exact = conditions.ranges(text).map(([start, end]): SnippetHit => {
    return { start, end, group: groups.length };
  });
  const marked = [...words, ...exact].toSorted((a, b) => a.start - b.start || a.end - b.end);
  const weights = [...groups, Math.max(1, ...groups)];
  const { text: piece, highlights } = cutSnippet(text, marked, { from: overlap, weights });
  return { text: piece, highlights };
}

async function contextIn(
  index: ChunkIndex,
  place: ChunkPlace,
  chunk: Chunk,
  { before = 0, after = 0 }: NonNullable<SearchOptions['expand']>,
): Promise<NonNullable<SearchHit['context']>> {
  const around = await index.chunksAround(place, { before, after });
  return contextOf(around, chunk, { before, after });
}

/** Returns a chunk with its neighbours in the document, as one text. */
export function contextOf(
  all: readonly Chunk[],
  chunk: Chunk,
  { before = 0, after = 0 }: NonNullable<SearchOptions['expand']>,
): NonNullable<SearchHit['context']> {
  const own = all.findIndex(({ id }) => id === chunk.id);
  const chunks = own < 0 ? [chunk] : all.slice(Math.max(0, own - before), own + after + 1);
  return {
    text: joinChunks(chunks),
    start: chunks[0]?.startLine ?? 0,
    end: chunks.at(-1)?.endLine ?? 0,
  };
}

/** Each text once, with the line breaks between them in the document. */
function joinChunks(chunks: readonly Chunk[]): string {
  let text = '';
  for (const [index, chunk] of chunks.entries()) {
    const before = chunks[index - 1];
    if (before) text += '\n'.repeat(Math.max(0, chunk.startLine - before.endLine));
    text += chunk.content.slice(chunk.overlap);
  }
  return text;
}

/** The notes on every answer of an index from which documents may be missing, by the reason. */
export const MISSING = {
  damaged: {
    degraded: true,
    hint: 'The index was damaged, and documents may be missing: index again.',
  },
  'other-version': {
    degraded: true,
    hint: 'The index is from another version of the software, and documents are missing: index again.',
  },
} as const;

/** Returns advice for a search that found nothing. */
export function hintFor(query: Query, filter: SearchFilter = {}): { readonly hint?: string } {
  const { clauses } = query;
  const kinds = new Set(clauses.map(({ kind }) => kind));
  if (clauses.length === 0) return { hint: 'The query is empty: ask in words.' };
  if (kinds.has('tag') || kinds.has('path')) {
    return { hint: 'Nothing matches with these tags and paths: search without them.' };
  }
  // The project of the search is not a filter that could be left out.
  if (filter.files ?? filter.tags) {
    return {
      hint: 'Nothing that the filter leaves matches: search without it, or in other words.',
    };
  }
  if (clauses.some(({ occur }) => occur === 'not')) {
    return {
      hint: 'Nothing matches without the words that have a minus: remove the minus, or try other words.',
    };
  }
  if (kinds.has('phrase') || kinds.has('regex')) {
    return { hint: 'Nothing holds this very text: ask for the words, without quotes or slashes.' };
  }
  if (clauses.some(({ occur }) => occur === 'must')) {
    return { hint: 'Nothing has all words with a plus: leave the plus away.' };
  }
  if (clauses.some((clause) => clause.kind === 'words' && clause.field === 'title')) {
    return { hint: 'No title or heading has these words: search without title:.' };
  }
  const asked = filter.projects ? 'No chunk of these projects' : 'No chunk';
  return { hint: `${asked} has any of these words: try other words, or *part* of a word.` };
}

/** The conditions on the text of a chunk, besides the words it has. */
interface TextConditions {
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
/** A phrase over such a break: a sign or digit next to a character of Japanese, or to another one that may be a folded one. */
const MAY_BE_JOINED = /[!-@[-`{-~][^\0-\x7f]|[^\0-\x7f][!-@[-`{-~]|[!-@[-`{-~]{2}/;

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
  const characters = Array.from(phrase.replaceAll(/\s\s*/gu, ' '));
  const pattern = characters.map((character) => {
    if (character === ' ') return String.raw`\s\s*`;
    const same = sameSigns(character);
    if (same !== character) return `[${same.replace('-', String.raw`\-`)}]`;
    return character.replace(/[.*+?^${}()|[\]\\/]/u, String.raw`\$&`);
  });
  // A line may break between characters of Japanese.
  const wrapped = pattern.map((piece, at) => {
    const sides = characters.slice(at, at + 2);
    return sides.some((side) => side > '\u007f' || sameSigns(side) !== side)
      ? String.raw`${piece}(?:\s*${LINE_BREAK.source}\s*)?`
      : piece;
  });
  const found = [...text.matchAll(new RegExp(wrapped.join(''), 'giu'))].slice(0, MAX_RANGES);
  return found.map(({ 0: match, index }) => [index, index + match.length] as const);
}
