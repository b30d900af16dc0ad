import type { QueryGroup, TermWay } from '../rank/query-groups.ts';
import { idf, WEIGHTS } from '../rank/weights.ts';
import { TITLE_PREFIX } from './segment-layout.ts';
import type { LiveSegment } from './live-segment.ts';
import type { Snapshot } from './snapshot.ts';

/** A term that is in the index, and how it counts for a group. */
export interface ResolvedTerm {
  readonly term: string;
  /** The share of the group's weight. */
  readonly factor: number;
  readonly idf: number;
  /** Its place in each segment, or -1. */
  readonly places: readonly number[];
  readonly isTitle: boolean;
  /** Whether a chunk with it can be said to have the word. */
  readonly isCertain: boolean;
}

/** A group with the terms that the index has for it. */
export interface ResolvedGroup {
  readonly group: QueryGroup;
  readonly terms: readonly ResolvedTerm[];
  /** How telling the group is, by its weight and its best term. */
  readonly value: number;
}

/** A word is expanded to so many others at most, the most frequent ones. */
const MAX_EXPANSIONS = 48;
/** Words that are in more chunks than this share say too little to look for their compounds. */
const COMMON_IDF = 2;
/** The shortest words that may be part of a compound: of kanji, and of anything else. */
const MIN_KANJI = 2;
const MIN_OTHER = 3;
const MIN_TYPO = 4;
/** Ways to find a word that are weaker than this do not make it "there" where it must be. */
const CERTAIN = 0.3;

/** Looks the groups of queries up in one snapshot. */
export class TermResolver {
  readonly #snapshot: Snapshot;
  readonly #counts = new Map<string, ReturnType<TermResolver['count']>>();

  constructor(snapshot: Snapshot) {
    this.#snapshot = snapshot;
  }

  resolve(group: QueryGroup): ResolvedGroup {
    const factors = new Map<string, number>();
    const add = (term: string, factor: number): void => {
      factors.set(term, Math.max(factors.get(term) ?? 0, factor));
    };
    const isPlain = group.ways.every(({ kind }) => kind !== 'part') && group.field === 'any';
    if (isPlain || group.field === 'title') add(group.term, 1);
    for (const way of group.ways) for (const [term, by] of this.#expand(group, way)) add(term, by);
    if (factors.size <= 1 && group.ways.length > 0 && this.count(group.term).count === 0) {
      for (const term of this.#typos(group.term)) add(term, WEIGHTS.typo);
    }
    const terms = [...factors].flatMap(([term, factor]) => this.#resolveTerm(group, term, factor));
    const value = Math.max(0, ...terms.map((term) => term.factor * term.idf)) * group.weight;
    return { group, terms, value };
  }

  /** In how many living chunks a term is, and its place in each segment. */
  count(term: string): { readonly count: number; readonly places: readonly number[] } {
    let known = this.#counts.get(term);
    if (known) return known;
    let count = 0;
    const places = this.#snapshot.segments.map((segment) => {
      const place = segment.reader.terms.find(term);
      if (place >= 0) count += segment.liveCount(place);
      return place;
    });
    known = { count, places };
    this.#counts.set(term, known);
    return known;
  }

  #resolveTerm(group: QueryGroup, term: string, factor: number): readonly ResolvedTerm[] {
    const resolved: ResolvedTerm[] = [];
    const { size } = this.#snapshot;
    const isCertain = factor >= CERTAIN;
    const body = this.count(term);
    if (group.field === 'any' && body.count > 0) {
      const { places } = body;
      const value = idf(size, body.count);
      resolved.push({ term, factor, idf: value, places, isTitle: false, isCertain });
    }
    const title = this.count(TITLE_PREFIX + term);
    if (title.count > 0) {
      const share = group.field === 'title' ? factor : factor * WEIGHTS.title;
      const { places } = title;
      const value = idf(size, title.count);
      resolved.push({ term, factor: share, idf: value, places, isTitle: true, isCertain });
    }
    return resolved;
  }

  #expand(group: QueryGroup, way: TermWay): Iterable<readonly [term: string, factor: number]> {
    const { term } = group;
    const found = new Set<string>();
    switch (way.kind) {
      case 'term':
        return [[way.term, way.factor]];
      case 'reading':
        this.#collect(found, (segment) => segment.reader.termsRead(way.reading));
        break;
      case 'part':
        this.#collect(found, (segment) => partsIn(segment, term, way.at));
        break;
      case 'compound':
        if (!isLongEnough(term)) return [];
        if (this.count(term).count > 0 && this.#idfOf(term) < COMMON_IDF) return [];
        for (const part of partsOf(term)) found.add(part);
        this.#collect(found, ({ reader }) => reader.termsStartingWith(term));
        this.#collect(found, ({ reader }) => reader.termsEndingWith(term));
    }
    found.delete(term);
    if (way.kind === 'part' || way.kind === 'reading') found.add(term);
    return this.#mostFrequent(found).map((other) => [other, way.factor]);
  }

  #collect(into: Set<string>, find: (segment: LiveSegment) => Iterable<number>): void {
    for (const segment of this.#snapshot.segments) {
      for (const place of find(segment)) into.add(segment.reader.terms.get(place));
    }
  }

  #mostFrequent(terms: ReadonlySet<string>): readonly string[] {
    return [...terms]
      .map((term) => ({ term, count: this.count(term).count }))
      .filter(({ count }) => count > 0)
      .toSorted((a, b) => b.count - a.count || (a.term < b.term ? -1 : 1))
      .slice(0, MAX_EXPANSIONS)
      .map(({ term }) => term);
  }

  /** Terms that differ by one character: they share their first or their second half. */
  #typos(term: string): readonly string[] {
    if (term.length < MIN_TYPO) return [];
    const half = Math.floor(term.length / 2);
    const found = new Set<string>();
    for (const segment of this.#snapshot.segments) {
      const { terms } = segment.reader;
      const candidates = [
        ...segment.reader.termsStartingWith(term.slice(0, half)),
        ...segment.reader.termsEndingWith(term.slice(half)),
      ];
      for (const place of candidates) {
        if (Math.abs(terms.lengthOf(place) - term.length) > 1) continue;
        const other = terms.get(place);
        if (isOneEditApart(term, other)) found.add(other);
      }
    }
    return this.#mostFrequent(found);
  }

  #idfOf(term: string): number {
    return idf(this.#snapshot.size, this.count(term).count);
  }
}

function* partsIn(
  { reader }: LiveSegment,
  part: string,
  at: 'front' | 'back' | 'anywhere',
): Iterable<number> {
  if (at === 'front') yield* reader.termsStartingWith(part);
  else if (at === 'back') yield* reader.termsEndingWith(part);
  else {
    for (let place = 0; place < reader.terms.size; place++) {
      if (reader.terms.includes(place, part)) yield place;
    }
  }
}

/** What a word begins and ends with, where that is long enough to be a word. */
function partsOf(term: string): readonly string[] {
  const parts: string[] = [];
  for (let cut = 1; cut < term.length; cut++) {
    for (const part of [term.slice(0, cut), term.slice(cut)]) {
      if (isLongEnough(part) && part.isWellFormed()) parts.push(part);
    }
  }
  return parts;
}

function isLongEnough(term: string): boolean {
  return term.length >= (/^\p{sc=Han}+$/u.test(term) ? MIN_KANJI : MIN_OTHER);
}

/** One character more, less, other, or two exchanged. */
export function isOneEditApart(a: string, b: string): boolean {
  const [short, long] = a.length <= b.length ? [a, b] : [b, a];
  let front = 0;
  while (front < short.length && short[front] === long[front]) front++;
  const rest = long.slice(front);
  if (short.length < long.length) return short.slice(front) === rest.slice(1);
  const other = short.slice(front);
  if (other.slice(1) === rest.slice(1)) return true;
  return other[0] === rest[1] && other[1] === rest[0] && other.slice(2) === rest.slice(2);
}
