import type { FoundWord } from '../rank/snippet.ts';
import type { ChunkContent, GroupsByTerm } from '../search/chunk-content.ts';
import type { SegmentReader } from './segment-reader.ts';

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
  let text = '';
  for (const form of forms) {
    const surface = reader.surfaces.get(form);
    const start = text.length;
    text += surface;
    const term = (reader.formTerms[form] ?? 0) - 1;
    if (term < 0) continue;
    const group = byTerm.get(term) ?? extraGroup(reader, form, byTerm);
    hits[words++] = group;
    if (group >= 0) found.push({ start, end: text.length, group });
  }
  return { text, hits: hits.subarray(0, words), found };
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
