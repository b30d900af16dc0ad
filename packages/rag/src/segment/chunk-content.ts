import type { RankedChunk } from '../rank/rerank.ts';
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
  readonly found: readonly FoundWord[];
}

/** Reads a chunk back. */
export function readContent(
  reader: SegmentReader,
  doc: number,
  byTerm: GroupsByTerm,
): ChunkContent {
  const forms = reader.formsOf(doc);
  const found: FoundWord[] = [];
  let end = 0;
  for (const form of forms) {
    const start = end;
    end += reader.surfaces.lengthOf(form);
    const group = groupOf(reader, form, byTerm);
    if (group >= 0) found.push({ start, end, group });
  }
  return { text: reader.textOf(forms), found };
}

let units = new Uint16Array(4096);
let hits = new Int16Array(1024);

/**
 * Reads what ranking needs of a chunk, into memory that the next call uses again: dozens of chunks are
 * ranked for each query.
 */
export function scanChunk(reader: SegmentReader, doc: number, byTerm: GroupsByTerm): RankedChunk {
  const forms = reader.formsOf(doc);
  const length = reader.column(doc, 'length');
  if (units.length < length) units = new Uint16Array(length * 2);
  if (hits.length < forms.length) hits = new Int16Array(forms.length * 2);
  let words = 0;
  let at = 0;
  for (let place = 0; place < forms.length; place++) {
    const form = forms[place] ?? 0;
    at = reader.surfaces.copy(form, units, at);
    if ((reader.formTerms[form] ?? 0) > 0) hits[words++] = groupOf(reader, form, byTerm);
  }
  return { hits: hits.subarray(0, words), units: units.subarray(0, length) };
}

/** The group that a word belongs to, or -1. */
function groupOf(reader: SegmentReader, form: number, byTerm: GroupsByTerm): number {
  const term = (reader.formTerms[form] ?? 0) - 1;
  if (term < 0) return -1;
  return byTerm.get(term) ?? extraGroup(reader, form, byTerm);
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
