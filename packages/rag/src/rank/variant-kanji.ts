import { NumberTable } from '../binary/lookup-tables.ts';

/** A word of a query as far as its kanji go. */
export interface KanjiWord {
  /** Its place among the groups of the query. */
  readonly group: number;
  readonly term: string;
  /** How telling it is. */
  readonly value: number;
}

/**
 * The kanji of a query, each of which stands for a share of its word where a chunk does not have the
 * word itself: 訳 for 訳す, 紙幣 for 紙状. Texts that answer a question often say it so.
 */
export interface VariantKanji {
  /** For each kanji its place. */
  readonly places: NumberTable;
  /** For each place the words that have the kanji, and what it is worth where they are missing. */
  readonly owners: readonly (readonly { readonly group: number; readonly value: number }[])[];
}

/** Takes words apart into kanji. */
export function variantKanji(words: readonly KanjiWord[]): VariantKanji {
  const places = new Map<number, number>();
  const owners: { readonly group: number; readonly value: number }[][] = [];
  for (const { group, term, value } of words) {
    const kanji = new Set(Array.from(term, unitOf).filter(isKanji));
    for (const unit of kanji) {
      const place = places.get(unit) ?? owners.length;
      places.set(unit, place);
      (owners[place] ??= []).push({ group, value: value / kanji.size });
    }
  }
  return { places: new NumberTable(places), owners };
}

/** Checks whether a UTF-16 unit is a kanji; those outside of the basic plane are not looked at. */
function isKanji(unit: number): boolean {
  return (unit >= 0x3400 && unit < 0xa000) || (unit >= 0xf900 && unit < 0xfb00);
}

function unitOf(character: string): number {
  return character.length === 1 ? character.charCodeAt(0) : 0;
}
