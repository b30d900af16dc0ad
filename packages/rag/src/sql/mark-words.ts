import type { GroupsByTerm } from '../search/chunk-index.ts';
import type { MarkedWords } from '../search/column-part.ts';
import { type DecodedWords, OWN_TERM } from './pack-words.ts';
import type { TermTable } from './term-table.ts';

/** A term of a query. */
interface AskedTerm {
  readonly key: string;
  readonly group: number;
}

/**
 * Finds which words of chunks a query asks for. Most words are stored without the number of their term, which is their surface:
 * these are compared with the terms of the query, which are fewer than the words, in place of being looked up.
 */
export class WordMarker {
  readonly #groups: GroupsByTerm;
  /** The terms of the query by their first characters. */
  readonly #asked = new Map<number, AskedTerm[]>();

  constructor(groups: GroupsByTerm, terms: Pick<TermTable, 'keyOf'>) {
    this.#groups = groups;
    groups.eachKey((number) => {
      const key = terms.keyOf(number);
      if (key === undefined) return;
      const asked = { key, group: groups.get(number) };
      const first = key.charCodeAt(0);
      const known = this.#asked.get(first);
      if (known) known.push(asked);
      else this.#asked.set(first, [asked]);
    });
  }

  mark(content: string, { places, kinds, lists }: DecodedWords): MarkedWords {
    const groups = new Int16Array(kinds.length);
    for (let at = 0; at < kinds.length; at++) {
      const kind = kinds[at] ?? OWN_TERM;
      if (kind > 0) groups[at] = this.#groups.get(kind);
      else if (kind < 0) groups[at] = this.#groupOfAny(lists[-1 - kind] ?? []);
      else groups[at] = this.#groupOfText(content, places[at * 2] ?? 0, places[at * 2 + 1] ?? 0);
    }
    return { places, groups };
  }

  #groupOfAny(terms: readonly number[]): number {
    for (const term of terms) {
      const group = this.#groups.get(term);
      if (group >= 0) return group;
    }
    return -1;
  }

  #groupOfText(content: string, start: number, end: number): number {
    const first = start === end ? Number.NaN : content.charCodeAt(start);
    for (const { key, group } of this.#asked.get(first) ?? []) {
      if (key.length === end - start && content.startsWith(key, start)) return group;
    }
    return -1;
  }
}
