import type { FoundWord } from '../rank/snippet.ts';
import type { ResolvedGroup } from './resolve-terms.ts';
import type { SegmentReader } from './segment-reader.ts';

/** For each term of a segment the group of the query it belongs to. */
export type GroupsByTerm = ReadonlyMap<number, number>;

/** Which terms of a segment belong to which group; to the first, if several ask for it. */
export function groupsByTerm(groups: readonly ResolvedGroup[], segment: number): GroupsByTerm {
  const byTerm = new Map<number, number>();
  const byFactor = groups.flatMap(({ terms }, group) =>
    terms.filter(({ isTitle }) => !isTitle).map((term) => ({ ...term, group })),
  );
  for (const { places, group } of byFactor.toSorted((a, b) => b.factor - a.factor)) {
    const place = places[segment] ?? -1;
    if (place >= 0 && !byTerm.has(place)) byTerm.set(place, group);
  }
  return byTerm;
}

/** The text of a chunk, and which of its words a query asks for. */
export interface ChunkContent {
  readonly text: string;
  /** For each content word the group it belongs to, or -1. */
  readonly hits: Int16Array;
  readonly found: readonly FoundWord[];
}

/** Reads a chunk back. */
export function readContent(
  reader: SegmentReader,
  doc: number,
  byTerm: GroupsByTerm,
): ChunkContent {
  const forms = reader.formsOf(doc);
  const hits = new Int16Array(forms.length);
  const found: FoundWord[] = [];
  let words = 0;
  let end = 0;
  for (const form of forms) {
    const start = end;
    end += reader.surfaces.lengthOf(form);
    const term = (reader.formTerms[form] ?? 0) - 1;
    if (term < 0) continue;
    const group = byTerm.get(term) ?? extraGroup(reader, form, byTerm);
    hits[words++] = group;
    if (group >= 0) found.push({ start, end, group });
  }
  return { text: reader.surfaces.join(forms), hits: hits.subarray(0, words), found };
}

function extraGroup({ formExtras }: SegmentReader, form: number, byTerm: GroupsByTerm): number {
  let low = 0;
  let high = formExtras.length / 2;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((formExtras[middle * 2] ?? 0) < form) low = middle + 1;
    else high = middle;
  }
  for (; formExtras[low * 2] === form; low++) {
    const group = byTerm.get(formExtras[low * 2 + 1] ?? -1);
    if (group !== undefined) return group;
  }
  return -1;
}
