import { deflateRawSync } from 'node:zlib';
import { StringTable } from '../../binary/lookup-tables.ts';
import type { Section } from '../../binary/section-file.ts';
import { FormTerms } from '../format/form-terms.ts';
import { SECTIONS } from '../format/segment-layout.ts';

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
