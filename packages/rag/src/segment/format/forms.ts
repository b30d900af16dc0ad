import { deflateRawSync } from 'node:zlib';
import { joinTables, PackedNumbers, StringTable } from '../../binary/packed-tables.ts';
import type { Section } from '../../binary/section-file.ts';
import { SECTIONS } from './index-layout.ts';

const NO_TERMS: readonly number[] = [];
/** How many words of bits share a rank. */
const RANK_WORDS = 4;

/** The terms by which the forms of a segment are found. */
export class FormTerms {
  /** How many forms there are. */
  readonly size: number;
  readonly #main: PackedNumbers;
  /** A bit for each form that has further terms. */
  readonly #bits: Uint32Array;
  /** How many forms before each {@link RANK_WORDS} words of bits have further terms. */
  readonly #ranks: Uint32Array;
  /** For each of these forms its further term × 2; or where they are in the lists × 2, + 1, if there are several. */
  readonly #further: PackedNumbers;
  /** How many, then the terms. */
  readonly #lists: PackedNumbers;

  /** @param data - As {@link FormTerms.write} made it. */
  constructor(data: Uint8Array) {
    this.#main = new PackedNumbers(data);
    this.size = this.#main.length;
    let at = this.#main.byteLength;
    const words = Math.ceil(this.size / 32);
    this.#bits = new Uint32Array(data.buffer, data.byteOffset + at, words);
    at += 4 * words;
    this.#further = new PackedNumbers(data.subarray(at));
    this.#lists = new PackedNumbers(data.subarray(at + this.#further.byteLength));
    this.#ranks = new Uint32Array(Math.ceil(words / RANK_WORDS));
    let rank = 0;
    for (let word = 0; word < words; word++) {
      if (word % RANK_WORDS === 0) this.#ranks[word / RANK_WORDS] = rank;
      rank += bitCount(this.#bits[word] ?? 0);
    }
  }

  /** Returns the term that a form is found by, or -1. */
  mainOf(form: number): number {
    return this.#main.at(form) - 1;
  }

  /** Checks whether a form has further terms next to its first. */
  hasFurther(form: number): boolean {
    return (((this.#bits[form >>> 5] ?? 0) >>> (form & 31)) & 1) === 1;
  }

  /** Returns the first number that is not negative of those that a table has for the further terms of a form; or -1. */
  firstFurther(form: number, byTerm: { get(term: number): number }): number {
    const further = this.#further.at(this.#rankOf(form));
    if ((further & 1) === 0) return byTerm.get(further >>> 1);
    const start = further >>> 1;
    const end = start + this.#lists.at(start);
    for (let at = start + 1; at <= end; at++) {
      const found = byTerm.get(this.#lists.at(at));
      if (found >= 0) return found;
    }
    return -1;
  }

  /** Returns all terms of a form, the one that it is found by first. */
  termsOf(form: number): readonly number[] {
    const main = this.mainOf(form);
    if (main < 0) return NO_TERMS;
    const terms = [main];
    const add = (term: number): number => {
      terms.push(term);
      return -1;
    };
    if (this.hasFurther(form)) this.firstFurther(form, { get: add });
    return terms;
  }

  #rankOf(form: number): number {
    const word = form >>> 5;
    const first = word - (word % RANK_WORDS);
    let rank = this.#ranks[first / RANK_WORDS] ?? 0;
    for (let at = first; at < word; at++) rank += bitCount(this.#bits[at] ?? 0);
    return rank + bitCount((this.#bits[word] ?? 0) & ((1 << (form & 31)) - 1));
  }

  /** @param forms - The terms of each form; none for one that cannot be found. */
  static write(forms: readonly (readonly number[])[]): Uint8Array<ArrayBuffer> {
    const bits = new Uint32Array(Math.ceil(forms.length / 32));
    const further: number[] = [];
    const lists: number[] = [];
    for (const [form, [main, ...others]] of forms.entries()) {
      const [first, ...more] = others.filter((term) => term !== main);
      if (first === undefined) continue;
      bits[form >>> 5] = (bits[form >>> 5] ?? 0) | (1 << (form & 31));
      if (more.length === 0) further.push(first * 2);
      else {
        further.push(lists.length * 2 + 1);
        lists.push(more.length + 1, first, ...more);
      }
    }
    return joinTables([
      PackedNumbers.write(Uint32Array.from(forms, ([main = -1]) => main + 1)),
      new Uint8Array(bits.buffer),
      PackedNumbers.write(further),
      PackedNumbers.write(lists),
    ]);
  }
}

/** Returns how many bits of a number of 32 bits are set. */
function bitCount(bits: number): number {
  let rest = bits - ((bits >>> 1) & 0x5555_5555);
  rest = (rest & 0x3333_3333) + ((rest >>> 2) & 0x3333_3333);
  return Math.imul((rest + (rest >>> 4)) & 0x0f0f_0f0f, 0x0101_0101) >>> 24;
}

/** A distinct word of a segment. */
export interface Form {
  readonly surface: string;
  /** How far its word reaches back before the surface, where words overlap. */
  readonly lead: number;
  readonly reading: string;
  /** Its part of speech, a place in the strings of the segment. */
  readonly pos: number;
  /** The places of the term it is found by, then of further ones; none if it cannot be searched. */
  readonly terms: readonly number[];
}

/** @param forms - The most frequent first. */
export function formSections(forms: readonly Form[]): readonly Section[] {
  const readings = StringTable.write(forms.map(({ reading }) => reading));
  const section = (name: string, bytes: Uint8Array, isResident: boolean): Section => {
    return { name, bytes, isResident };
  };
  return [
    section(SECTIONS.surfaces, StringTable.write(forms.map(({ surface }) => surface)), true),
    section(SECTIONS.formTerms, FormTerms.write(forms.map(({ terms }) => terms)), true),
    section(SECTIONS.formLeads, leadsOf(forms), true),
    section(SECTIONS.formPos, deflateRawSync(Uint8Array.from(forms, ({ pos }) => pos)), false),
    section(SECTIONS.formReadings, deflateRawSync(readings), false),
  ];
}

/** Empty where no words overlap, which is nearly always. */
function leadsOf(forms: readonly Form[]): Uint8Array {
  return forms.some(({ lead }) => lead > 0)
    ? Uint8Array.from(forms, ({ lead }) => lead)
    : new Uint8Array();
}

/** Returns the final number of each form by how often it comes, and the forms in this order. */
export function byFrequency(counts: ArrayLike<number>): {
  /** The provisional numbers in their new order; those that do not come are left out. */
  readonly sorted: readonly number[];
  /** The new number of each. */
  readonly order: Uint32Array;
} {
  const countOf = (form: number): number => counts[form] ?? 0;
  const sorted = Array.from({ length: counts.length }, (_, form) => form)
    .filter((form) => countOf(form) > 0)
    .toSorted((a, b) => countOf(b) - countOf(a) || a - b);
  const order = new Uint32Array(counts.length);
  for (const [place, form] of sorted.entries()) order[form] = place;
  return { sorted, order };
}
