import { bareTerm, TITLE_PREFIX, type TermEntry, type Vocabulary } from '../search/chunk-index.ts';
import type { PartLookUp, TermLookUps } from '../search/term-look-ups.ts';
import { readPrepared, type FoundTerms, type SpacePlace, type TermRow } from './space-reader.ts';
import { NO_TERM } from './text-pack.ts';

/** After any change. */
const LAST = 2 ** 31 - 1;

const NONE: TermLookUps = {
  terms: new Set(),
  starting: new Map(),
  ending: new Map(),
  holding: new Map(),
  readings: new Set(),
};

/** The terms of an index in a database, for one search. Terms that were not prepared are queried on demand. */
export class SqlVocabulary implements Vocabulary {
  /** Asking the database whether it has any would take longer than asking for some more terms. */
  readonly hasTitles = true;
  readonly #place: SpacePlace;
  readonly #readingsOf: (term: string) => readonly string[];
  readonly #known = new Map<string, TermEntry | undefined>();
  readonly #starting = new Map<string, readonly string[]>();
  readonly #ending = new Map<string, readonly string[]>();
  readonly #holding = new Map<string, readonly string[]>();
  readonly #readings = new Map<string, readonly string[]>();

  /** @param readingsOf - The readings of a basic form, from the analyzer. */
  constructor(place: SpacePlace, readingsOf: (term: string) => readonly string[]) {
    this.#place = place;
    this.#readingsOf = readingsOf;
  }

  /** Takes in what was found, and that there is no more of it. */
  learn(lookUps: TermLookUps, found: FoundTerms): void {
    for (const term of lookUps.terms) this.#known.set(term, undefined);
    this.#learnAll(found.terms);
    const made = (asked: PartLookUp | undefined): boolean =>
      asked !== undefined &&
      [...asked.atMost].some(([word, most]) => (this.#known.get(word)?.count ?? 0) <= most);
    for (const kind of ['starting', 'ending', 'holding'] as const) {
      const table = { starting: this.#starting, ending: this.#ending, holding: this.#holding }[
        kind
      ];
      for (const [text, rows] of found[kind]) {
        if (made(lookUps[kind].get(text))) table.set(text, this.#learnList(rows));
      }
    }
    for (const [reading, rows] of found.readings) {
      // Readings share buckets.
      const own = rows.filter(({ key }) => this.#readingsOf(bareTerm(key)).includes(reading));
      this.#readings.set(reading, this.#learnList(own));
    }
  }

  /** Returns the number of a term, if it was asked for and found. */
  numberOf(term: string): number {
    return this.#known.get(term)?.places[0] ?? NO_TERM;
  }

  async entries(terms: readonly string[]): Promise<readonly (TermEntry | undefined)[]> {
    const missing = terms.filter((term) => !this.#known.has(term));
    if (missing.length > 0) await this.#ask({ ...NONE, terms: new Set(missing) });
    return terms.map((term) => this.#known.get(term));
  }

  async startingWith(text: string): Promise<readonly string[]> {
    const all = await this.#listOf('starting', this.#starting, text);
    return all.filter((term) => term.startsWith(text));
  }

  async endingWith(text: string): Promise<readonly string[]> {
    const all = await this.#listOf('ending', this.#ending, text);
    return all.filter((term) => !term.startsWith(TITLE_PREFIX) && term.endsWith(text));
  }

  async withPart(text: string, at: 'front' | 'back' | 'anywhere'): Promise<Iterable<string>> {
    const all =
      at === 'front'
        ? await this.#listOf('starting', this.#starting, text)
        : at === 'back'
          ? await this.#listOf('ending', this.#ending, text)
          : await this.#listOf('holding', this.#holding, text);
    const terms = all.map(bareTerm).filter((term) => {
      if (at === 'front') return term.startsWith(text);
      return at === 'back' ? term.endsWith(text) : term.includes(text);
    });
    return new Set(terms);
  }

  async readAs(reading: string): Promise<Iterable<string>> {
    if (!this.#readings.has(reading)) await this.#ask({ ...NONE, readings: new Set([reading]) });
    return new Set(this.#readings.get(reading)?.map(bareTerm));
  }

  async #listOf(
    kind: 'starting' | 'ending' | 'holding',
    table: ReadonlyMap<string, readonly string[]>,
    text: string,
  ): Promise<readonly string[]> {
    const known = table.get(text);
    if (known) return known;
    const lookUp = { text, atMost: new Map([['', 0]]) };
    await this.#ask({ ...NONE, [kind]: new Map([[text, lookUp]]) });
    return table.get(text) ?? [];
  }

  async #ask(lookUps: TermLookUps): Promise<void> {
    const { found } = await readPrepared(this.#place, LAST, lookUps);
    this.learn(lookUps, found);
  }

  /** A list has a term with and without the mark of titles, if the index has both. */
  #learnList(rows: readonly TermRow[]): readonly string[] {
    const living = rows.filter(({ chunks }) => chunks > 0);
    for (const { key } of rows) {
      const bare = bareTerm(key);
      for (const term of [bare, TITLE_PREFIX + bare]) {
        if (!this.#known.has(term)) this.#known.set(term, undefined);
      }
    }
    this.#learnAll(living);
    return living.map(({ key }) => key);
  }

  #learnAll(rows: readonly TermRow[]): void {
    for (const { id, key, chunks } of rows) this.#known.set(key, { count: chunks, places: [id] });
  }
}
