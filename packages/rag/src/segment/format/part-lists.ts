import { lowerBound } from '../../binary/lookup-tables.ts';
import { AscendingNumbers, joinTables } from '../../binary/packed-numbers.ts';
import { ByteReader, ByteWriter } from '../../binary/section-file.ts';

/** Kanji of the basic plane. */
function isKanji(unit: number): boolean {
  return unit >= 0x3400 && unit <= 0x9fff;
}

function isKatakana(unit: number): boolean {
  return (unit >= 0x30a1 && unit <= 0x30fa) || unit === 0x30fc;
}

/** Calls `visit` with what a text has that lists are kept of: each kanji, and each pair of katakana. */
function eachKey(text: string, visit: (key: number) => void): void {
  let before = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (isKanji(unit)) visit(unit);
    else if (isKatakana(unit) && isKatakana(before)) visit(before * 65_536 + unit);
    before = unit;
  }
}

/** Which terms of a segment have a kanji or a pair of katakana anywhere. The lists are in the file. */
export class PartLists {
  /** Ascending. */
  readonly #keys: AscendingNumbers;
  /** Where each list begins, and where the last one ends. */
  readonly #starts: AscendingNumbers;
  readonly #read: (start: number, length: number) => Uint8Array;

  /** @param index - The first of the sections that `writePartLists` made. */
  constructor(index: Uint8Array, read: (start: number, length: number) => Uint8Array) {
    this.#keys = new AscendingNumbers(index);
    this.#starts = new AscendingNumbers(index.subarray(this.#keys.byteLength));
    this.#read = read;
  }

  /**
   * Returns the places of the terms that may have a text anywhere, in order; undefined if it has neither a kanji nor a
   * pair of katakana.
   */
  candidates(text: string): readonly number[] | undefined {
    let best: { readonly start: number; readonly length: number } | undefined;
    eachKey(text, (key) => {
      const { start, length } = this.#listOf(key);
      if (!best || length < best.length) best = { start, length };
    });
    return best && decoded(this.#read(best.start, best.length));
  }

  #listOf(key: number): { readonly start: number; readonly length: number } {
    const place = lowerBound(this.#keys.length, (at) => this.#keys.at(at) < key);
    if (place === this.#keys.length || this.#keys.at(place) !== key) return { start: 0, length: 0 };
    const start = this.#starts.at(place);
    return { start, length: this.#starts.at(place + 1) - start };
  }
}

function decoded(bytes: Uint8Array): readonly number[] {
  const reader = new ByteReader(bytes);
  const places: number[] = [];
  for (let place = -1; !reader.isAtEnd;) places.push((place += reader.varint()));
  return places;
}

/** Returns the section that finds lists, and the lists: the gaps between the places of terms. */
export function writePartLists(terms: readonly string[]): {
  readonly index: Uint8Array;
  readonly lists: Uint8Array;
} {
  const byKey = new Map<number, { readonly bytes: ByteWriter; last: number }>();
  for (const [place, term] of terms.entries()) {
    eachKey(term, (key) => {
      let list = byKey.get(key);
      if (!list) byKey.set(key, (list = { bytes: new ByteWriter(), last: -1 }));
      if (list.last === place) return;
      list.bytes.varint(place - list.last);
      list.last = place;
    });
  }
  const keys = [...byKey.keys()].toSorted((a, b) => a - b);
  const starts: number[] = [];
  const lists = new ByteWriter(terms.length * 4);
  for (const key of keys) {
    starts.push(lists.length);
    const list = byKey.get(key);
    if (list) lists.append(list.bytes.view());
  }
  starts.push(lists.length);
  return {
    index: joinTables([AscendingNumbers.write(keys), AscendingNumbers.write(starts)]),
    lists: lists.view(),
  };
}
