import type { GroupSet, QueryGroup, TermWay } from '../rank/query-groups.ts';
import { TITLE_PREFIX } from './chunk-index.ts';
import {
  halvesOf,
  isLongEnough,
  isPartOfWords,
  isSingleKanji,
  mostTelling,
  partsOf,
} from './expandable-words.ts';

/** Terms that begin, end or are written so; asked for only where few chunks have one of some words. */
export interface PartLookUp {
  readonly text: string;
  /** In how many chunks each of the words may be. */
  readonly atMost: ReadonlyMap<string, number>;
}

/** Lists the look-ups that a `TermResolver` may make in a vocabulary, before it makes them. */
export interface TermLookUps {
  /** The look-ups of titles among them. */
  readonly terms: ReadonlySet<string>;
  /** By {@link PartLookUp.text}. */
  readonly starting: ReadonlyMap<string, PartLookUp>;
  readonly ending: ReadonlyMap<string, PartLookUp>;
  readonly holding: ReadonlyMap<string, PartLookUp>;
  readonly readings: ReadonlySet<string>;
}

const ALWAYS = 2 ** 31 - 1;

/**
 * Says what resolving groups asks for. It need not be all: what is missing is asked for later, one by one.
 *
 * @param size - How many chunks the index has.
 */
export function lookUpsOf(sets: readonly GroupSet[], size: number): TermLookUps {
  const collected = new Collector(mostTelling(size));
  for (const { groups } of sets) {
    for (const group of groups) collected.addGroup(group);
  }
  return collected;
}

/** Look-ups by their texts, while they are collected. */
type PartLookUps = Map<string, { readonly text: string; readonly atMost: Map<string, number> }>;

class Collector implements TermLookUps {
  readonly terms = new Set<string>();
  readonly starting: PartLookUps = new Map();
  readonly ending: PartLookUps = new Map();
  readonly holding: PartLookUps = new Map();
  readonly readings = new Set<string>();
  readonly #mostTelling: number;

  constructor(telling: number) {
    this.#mostTelling = telling;
  }

  addGroup(group: QueryGroup): void {
    const { term, ways } = group;
    this.#addTerm(term);
    for (const way of ways) this.#addWay(term, way);
    const halves = ways.length > 0 ? halvesOf(term) : undefined;
    if (!halves) return;
    add(this.starting, halves[0], term, 0);
    add(this.ending, halves[1], term, 0);
  }

  #addTerm(term: string): void {
    this.terms.add(term).add(TITLE_PREFIX + term);
  }

  #addWay(term: string, way: TermWay): void {
    switch (way.kind) {
      case 'term':
        this.#addTerm(way.term);
        break;
      case 'reading':
      case 'spelling':
        this.readings.add(way.reading);
        break;
      case 'okurigana': {
        const [first = ''] = way.kanji;
        add(this.starting, first, term, ALWAYS);
        break;
      }
      case 'part':
        this.#addTerm(way.part);
        add(this.#tableOf(way.at), way.part, term, ALWAYS);
        break;
      case 'compound':
        if (isLongEnough(term)) this.#addCompounds(term, this.#mostTelling);
        else if (isSingleKanji(term)) this.#addCompounds(term, 0);
        break;
      case 'inside':
        if (isPartOfWords(term)) add(this.holding, term, term, this.#mostTelling);
        break;
    }
  }

  #addCompounds(term: string, atMost: number): void {
    for (const part of partsOf(term)) this.#addTerm(part);
    add(this.starting, term, term, atMost);
    add(this.ending, term, term, atMost);
  }

  #tableOf(at: 'front' | 'back' | 'anywhere'): PartLookUps {
    if (at === 'anywhere') return this.holding;
    return at === 'front' ? this.starting : this.ending;
  }
}

/** Adds a look-up; the more frequent one of two for the same text and word stays. */
function add(table: PartLookUps, text: string, word: string, most: number): void {
  const { atMost } = table.get(text) ?? { atMost: new Map<string, number>() };
  atMost.set(word, Math.max(atMost.get(word) ?? 0, most));
  table.set(text, { text, atMost });
}
