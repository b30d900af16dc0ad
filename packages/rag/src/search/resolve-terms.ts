import {
  halvesOf,
  isCompound,
  isInside,
  isLongEnough,
  isPartOfWords,
  isSingleKanji,
  kanjiOf,
  partsOf,
  saysLittle,
} from '../rank/query-expansion.ts';
import type { GroupSet, QueryGroup, TermWay } from '../rank/query-groups.ts';
import { idf } from '../rank/rerank.ts';
import { WEIGHTS } from '../rank/weights.ts';
import { TITLE_PREFIX } from '../chunk/chunk.ts';
import type { TermEntry, Vocabulary, GroupsByTerm } from './chunk-index.ts';
import { rewriteBySound, rewriteBySpelling } from '../spelling/kanji-and-okurigana.ts';
import { NumberTable } from '../binary/packed-tables.ts';

/** A query, looked up in an index. */
export interface ResolvedQuery {
  /** The groups that rank, without doubles, in the order of the query. */
  readonly ranking: readonly ResolvedGroup[];
  /** Places in `ranking` of the groups that must be there. */
  readonly required: ReadonlySet<number>;
  /**
   * Places in `ranking` of words that this many chunks have that they find nothing in addition to more telling
   * ones; they count when the best chunks are looked at again.
   */
  readonly common: ReadonlySet<number>;
  /** Sets of groups of which a chunk may not have all. */
  readonly forbidden: readonly (readonly ResolvedGroup[])[];
}

/** How many telling words a query must have for its common ones not to find anything. */
const ENOUGH_TELLING = 2;
/** Not 大人しい for 大人, nor 人気ない. */
const HAS_OKURIGANA = /^(?!.*(?:しい|ない|な)$)(?:\p{sc=Han}[\u3041-\u3096]{0,3})+$/u;
/** Ways to find a word that count less than this, as its reading does, find nothing common either. */
const WEAK_WAY = 0.5;

/** Looks the words of a query up. */
export async function resolveQuery(
  resolver: TermResolver,
  sets: readonly GroupSet[],
): Promise<ResolvedQuery> {
  const ranking = new Map<string, ResolvedGroup>();
  const requiredKeys = new Set<string>();
  const forbidden: ResolvedGroup[][] = [];
  for (const { occur, groups } of sets) {
    if (occur === 'not') {
      const resolved: ResolvedGroup[] = [];
      for (const group of groups) resolved.push(await resolver.resolve(group));
      forbidden.push(resolved);
      continue;
    }
    for (const group of groups) {
      const key = keyOf(group);
      const known = ranking.get(key);
      if (!known || known.group.weight < group.weight) {
        const resolved = await resolver.resolve(group);
        if (group.isGuess === true && resolved.terms.length === 0) continue;
        ranking.set(key, resolved);
      }
      if (occur === 'must') requiredKeys.add(key);
    }
  }
  const required = new Set<number>();
  for (const [place, key] of [...ranking.keys()].entries()) {
    if (requiredKeys.has(key)) required.add(place);
  }
  const groups = [...ranking.values()];
  const common = commonGroups(groups, required);
  const telling = groups.filter(({ value }, place) => value > 0 && !common.has(place));
  if (telling.length < ENOUGH_TELLING) {
    return { ranking: groups, required, common: new Set(), forbidden };
  }
  const rest = groups.map((group, place) => (required.has(place) ? group : tellingly(group)));
  return { ranking: rest, required, common, forbidden };
}

/** Matched only by informative words: 入る not by いる, which is read the same and everywhere. */
function tellingly(group: ResolvedGroup): ResolvedGroup {
  const finding = group.terms.filter(({ factor, isTitle, isCommon }) => {
    return isTitle || !isCommon || factor >= WEAK_WAY;
  });
  return { ...group, finding };
}

function commonGroups(
  groups: readonly ResolvedGroup[],
  required: ReadonlySet<number>,
): ReadonlySet<number> {
  const common = groups.flatMap(({ terms }, place) => {
    const isCommon = terms.some((term) => {
      return term.factor === 1 && !term.isTitle && term.isCommon;
    });
    return isCommon && !required.has(place) ? [place] : [];
  });
  return new Set(common);
}

/** Returns a word and the same characters as a part of words or as a reading ask for different things. */
function keyOf({ term, field, ways }: QueryGroup): string {
  const special = ways.find(
    ({ kind, factor }) => kind === 'part' || (kind === 'reading' && factor === 1),
  );
  return JSON.stringify([term, field, special]);
}

/** A term that is in the index, and how it counts for a group. */
interface ResolvedTerm {
  readonly term: string;
  /** The share of the group's weight. */
  readonly factor: number;
  readonly idf: number;
  /** Its place in each part of the index, or -1. */
  readonly places: readonly number[];
  readonly isTitle: boolean;
  /** True for a form of the word itself: it counts only where the terms before it are not. */
  readonly isForm: boolean;
  /** The term that it is a form of; a form of another name counts only where that name is not. */
  readonly formOf: string | undefined;
  /** True if a chunk with it can be said to have the word. */
  readonly isCertain: boolean;
  /** True if it occurs in too many chunks to be informative. */
  readonly isCommon: boolean;
}

/** A group with the terms that the index has for it. */
export interface ResolvedGroup {
  readonly group: QueryGroup;
  readonly terms: readonly ResolvedTerm[];
  /** The terms that find chunks; the others are only checked in the found ones. */
  readonly finding: readonly ResolvedTerm[];
  /** How telling the group is, by its weight and its best term. */
  readonly value: number;
}

/** A word is expanded to this many others at most, the most frequent ones. */
const MAX_EXPANSIONS = 48;
/** Compounds are rare, each of them. */
const MAX_COMPOUNDS = 200;
/** A further term of a number, with its counter: `2人~`. Most texts with it have the number, but those with 二つ have not. */
const COUNTED = /^\d.*~$/;
/** Ways to find a word that are weaker than this do not make it "there" where it must be. */
const CERTAIN = 0.3;

/** Looks the groups of queries up in one index. */
export class TermResolver {
  readonly #size: number;
  readonly #vocabulary: Vocabulary;

  /** @param size - How many chunks the index has. */
  constructor(size: number, vocabulary: Vocabulary) {
    this.#size = size;
    this.#vocabulary = vocabulary;
  }

  async resolve(group: QueryGroup): Promise<ResolvedGroup> {
    const factors = new Map<string, number>();
    const add = (term: string, factor: number): void => {
      factors.set(term, Math.max(factors.get(term) ?? 0, factor));
    };
    const isPlain = group.ways.every(({ kind }) => kind !== 'part') && group.field === 'any';
    if (isPlain || group.field === 'title') add(group.term, 1);
    // By form, the term that it is one of.
    const forms = new Map<string, string>();
    for (const way of group.ways) {
      const isForm = way.kind === 'term' && way.isForm === true;
      const formOf = isForm ? (way.formOf ?? group.term) : undefined;
      for (const term of await this.#expand(group, way)) {
        const of = way.kind === 'part' && COUNTED.test(term) ? group.term : formOf;
        if (of !== undefined && !factors.has(term)) forms.set(term, of);
        add(term, way.factor);
      }
    }
    let entries = await this.#entriesOf(factors.keys());
    if (group.ways.length > 0 && entries.every((entry) => entry === undefined)) {
      const others = await this.#typos(group.term);
      for (const term of others) add(term, WEIGHTS.typo);
      if (others.length > 0) entries = await this.#entriesOf(factors.keys());
    }
    const size = this.#size;
    // Every text with a word has its forms as well, which are no more telling.
    const order = [...factors.keys()];
    const idfOf = (term: string, { count }: TermEntry, from: number): number => {
      const place = order.indexOf(forms.get(term) ?? '');
      const own = place < 0 ? undefined : entries[from + place];
      return idf(size, Math.max(count, own?.count ?? 0));
    };
    const terms: ResolvedTerm[] = [];
    let at = 0;
    for (const [term, factor] of factors) {
      const isCertain = factor >= CERTAIN;
      const body = entries[at];
      if (body && group.field === 'any') {
        terms.push({
          term,
          factor,
          idf: idfOf(term, body, 0),
          places: body.places,
          isTitle: false,
          isForm: forms.get(term) === group.term,
          formOf: forms.get(term),
          isCertain,
          isCommon: saysLittle(size, body.count),
        });
      }
      const title = entries[order.length + at];
      if (title) {
        terms.push({
          term,
          factor: group.field === 'title' ? factor : factor * WEIGHTS.title,
          idf: idfOf(term, title, order.length),
          places: title.places,
          isTitle: true,
          isForm: forms.get(term) === group.term,
          formOf: forms.get(term),
          isCertain,
          isCommon: false,
        });
      }
      at++;
    }
    terms.sort((a, b) => rankOf(a, group) - rankOf(b, group));
    const value = Math.max(0, ...terms.map((term) => term.factor * term.idf)) * group.weight;
    return { group, terms, finding: terms, value };
  }

  /** Returns the entries of terms, and after all of them, of the same ones in titles. */
  async #entriesOf(terms: Iterable<string>): Promise<readonly (TermEntry | undefined)[]> {
    const all = [...terms];
    if (!this.#vocabulary.hasTitles) return this.#vocabulary.entries(all);
    return this.#vocabulary.entries([...all, ...all.map((term) => TITLE_PREFIX + term)]);
  }

  async #count(term: string): Promise<number> {
    const [entry] = await this.#vocabulary.entries([term]);
    return entry?.count ?? 0;
  }

  async #expand(group: QueryGroup, way: TermWay): Promise<readonly string[]> {
    const { term } = group;
    const vocabulary = this.#vocabulary;
    const found = new Set<string>();
    switch (way.kind) {
      case 'term':
        return [way.term];
      case 'reading':
        addAll(found, await vocabulary.readAs(way.reading));
        found.add(term);
        break;
      case 'spelling': {
        // 弘瀬 and 広瀬 are two names.
        const rewrite = group.isName === true ? (kanji: string): string => kanji : rewriteBySound;
        const kanji = rewrite(way.kanji);
        const spelling = rewriteBySpelling(way.kanji);
        for (const other of await vocabulary.readAs(way.reading)) {
          const theirs = kanjiOf(other);
          const isSame =
            group.isName !== true && other.length > 1 && rewriteBySpelling(theirs) === spelling;
          if (isSame || isSpeltLike(rewrite(theirs), kanji)) found.add(other);
        }
        found.delete(term);
        break;
      }
      case 'okurigana':
        for (const other of await vocabulary.startingWith(Array.from(way.kanji)[0] ?? '')) {
          if (kanjiOf(other) === way.kanji && HAS_OKURIGANA.test(other)) found.add(other);
        }
        found.delete(term);
        break;
      case 'part':
        addAll(found, await vocabulary.withPart(way.part, way.at));
        found.add(way.part);
        break;
      case 'compound': {
        if (!isLongEnough(term) && !isSingleKanji(term)) return [];
        const count = await this.#count(term);
        if (count > 0 && !isLongEnough(term)) return [];
        if (saysLittle(this.#size, count)) return [];
        addAll(found, partsOf(term));
        for (const other of await vocabulary.startingWith(term)) {
          if (isCompound(term, other.slice(term.length))) found.add(other);
        }
        for (const other of await vocabulary.endingWith(term)) {
          if (isCompound(term, other.slice(0, -term.length))) found.add(other);
        }
        found.delete(term);
        break;
      }
      case 'inside': {
        if (!isPartOfWords(term) || saysLittle(this.#size, await this.#count(term))) return [];
        const accepts = (other: string): boolean => other !== term && isInside(term, other);
        const known = vocabulary.mostFrequentWith?.(term, MAX_COMPOUNDS, accepts);
        if (known) return known;
        for (const other of await vocabulary.withPart(term, 'anywhere')) {
          if (accepts(other)) found.add(other);
        }
        return this.#mostFrequent(found, false, MAX_COMPOUNDS);
      }
    }
    return this.#mostFrequent(found, way.kind !== 'compound');
  }

  async #mostFrequent(
    terms: ReadonlySet<string>,
    mayBeTitles = false,
    most = MAX_EXPANSIONS,
  ): Promise<readonly string[]> {
    if (terms.size === 0) return [];
    const all = [...terms];
    const entries = mayBeTitles ? await this.#entriesOf(all) : await this.#vocabulary.entries(all);
    const known: { readonly term: string; readonly count: number; readonly last: number }[] = [];
    for (const [at, term] of all.entries()) {
      const count = (entries[at]?.count ?? 0) + (entries[all.length + at]?.count ?? 0);
      if (count > 0) known.push({ term, count, last: COUNTED.test(term) ? 1 : 0 });
    }
    return known
      .toSorted((a, b) => a.last - b.last || b.count - a.count || (a.term < b.term ? -1 : 1))
      .slice(0, most)
      .map(({ term }) => term);
  }

  /** Terms that differ by one character: they share their first or their second half. */
  async #typos(term: string): Promise<readonly string[]> {
    const halves = halvesOf(term);
    if (!halves) return [];
    const found = new Set<string>();
    for (const candidates of [
      await this.#vocabulary.startingWith(halves[0]),
      await this.#vocabulary.endingWith(halves[1]),
    ]) {
      for (const other of candidates) {
        if (Math.abs(other.length - term.length) > 1) continue;
        if (isOneEditApart(term, other) && !isOtherWord(term, other)) found.add(other);
      }
    }
    return this.#mostFrequent(found);
  }
}

/** The word itself comes first, then its forms, then the same in titles; what is counted, after the other terms of a part. */
function rankOf(
  { term, isTitle, isForm, factor, idf: value }: ResolvedTerm,
  { term: word, ways: [way] }: QueryGroup,
): number {
  if (way?.kind === 'part') return isForm ? 1 : 0;
  if (!isForm && term !== word) return 0;
  return (isTitle ? -1 : -4) - (isForm ? Math.atan(factor * value) : 2);
}

function addAll(into: Set<string>, terms: Iterable<string>): void {
  for (const term of terms) into.add(term);
}

/** 子ども and 子供: what one has in kanji, the other has in kanji or kana. */
function isSpeltLike(one: string, other: string): boolean {
  return one !== '' && (isSubsequence(one, other) || isSubsequence(other, one));
}

function isSubsequence(short: string, long: string): boolean {
  let at = 0;
  for (const unit of long) if (short.startsWith(unit, at)) at += unit.length;
  return at === short.length;
}

/**
 * One or two kanji with kana, of which another kanji makes another word: 追い越す and 追い出す, お父さん and お母さん. Two kanji may
 * have none.
 */
const FEW_KANJI =
  /^(?:[\u3041-\u3096]{1,2}\p{sc=Han}[\u3041-\u3096]{0,4}|\p{sc=Han}[\u3041-\u3096]{0,2}\p{sc=Han}[\u3041-\u3096]{0,3}|\p{sc=Han}[\u3041-\u3096]{1,4})$/u;

function isOtherWord(term: string, other: string): boolean {
  return [term, other].every((each) => FEW_KANJI.test(each)) && kanjiOf(term) !== kanjiOf(other);
}

/** One character more, less, other, or two exchanged. */
function isOneEditApart(a: string, b: string): boolean {
  const [short, long] = a.length <= b.length ? [a, b] : [b, a];
  let front = 0;
  while (front < short.length && short[front] === long[front]) front++;
  const rest = long.slice(front);
  if (short.length < long.length) return short.slice(front) === rest.slice(1);
  const other = short.slice(front);
  if (other.slice(1) === rest.slice(1)) return true;
  return other[0] === rest[1] && other[1] === rest[0] && other.slice(2) === rest.slice(2);
}

/**
 * Maps the terms of a part to their groups; a term of several groups belongs to the strongest.
 *
 * @param least - The least share of a word that a term must count for.
 */
export function groupsByTerm(
  groups: readonly ResolvedGroup[],
  part: number,
  least: number,
): GroupsByTerm {
  const asked: { readonly place: number; readonly factor: number; readonly group: number }[] = [];
  for (const [group, { terms }] of groups.entries()) {
    for (const { isTitle, places, factor } of terms) {
      const place = places[part] ?? -1;
      if (!isTitle && place >= 0 && factor >= least) asked.push({ place, factor, group });
    }
  }
  const byTerm = new Map<number, number>();
  for (const { place, group } of asked.toSorted((a, b) => b.factor - a.factor)) {
    if (!byTerm.has(place)) byTerm.set(place, group);
  }
  return new NumberTable(byTerm);
}
