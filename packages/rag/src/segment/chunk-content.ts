import { lowerBound } from '../binary/lower-bound.ts';
import type { SnippetHit } from '@vizprompt/providers';
import type { RankedChunk } from '../rank/rerank.ts';
import type { ChunkContent, GroupsByTerm } from '../search/chunk-content.ts';
import type { SegmentReader } from './segment-reader.ts';

/** Reads a chunk back. */
export function readContent(
  reader: SegmentReader,
  doc: number,
  byTerm: GroupsByTerm,
): ChunkContent {
  const forms = reader.formsOf(doc);
  const { surfaces, formTerms } = reader;
  const found: SnippetHit[] = [];
  let end = 0;
  for (let place = 0; place < forms.length; place++) {
    const form = forms[place] ?? 0;
    const start = end;
    end += surfaces.lengthOf(form);
    const term = (formTerms[form] ?? 0) - 1;
    if (term < 0) continue;
    const group = groupOf(reader, form, term, byTerm);
    if (group >= 0) found.push({ start: start - (reader.formLeads[form] ?? 0), end, group });
  }
  return { text: reader.textOf(forms), found };
}

let units = new Uint16Array(4096);
let hits = new Int16Array(1024);
let ends = new Uint32Array(1024);

/**
 * Reads what ranking needs of a chunk, into memory that the next call uses again: dozens of chunks are
 * ranked for each query.
 */
export function scanChunk(reader: SegmentReader, doc: number, byTerm: GroupsByTerm): RankedChunk {
  const forms = reader.formsOf(doc);
  const length = reader.column(doc, 'length');
  if (units.length < length) units = new Uint16Array(length * 2);
  if (hits.length < forms.length) {
    hits = new Int16Array(forms.length * 2);
    ends = new Uint32Array(forms.length * 2);
  }
  const overlap = reader.column(doc, 'overlap');
  const { surfaces, formTerms } = reader;
  let words = 0;
  let at = 0;
  for (let place = 0; place < forms.length; place++) {
    const form = forms[place] ?? 0;
    at = surfaces.copy(form, units, at);
    const term = (formTerms[form] ?? 0) - 1;
    if (term < 0) continue;
    hits[words] = groupOf(reader, form, term, byTerm);
    ends[words++] = at - overlap;
  }
  return {
    hits: hits.subarray(0, words),
    ends: ends.subarray(0, words),
    units: units.subarray(overlap, length),
  };
}

/** The group that a content word belongs to, or -1. */
function groupOf(reader: SegmentReader, form: number, term: number, byTerm: GroupsByTerm): number {
  const group = byTerm.get(term);
  return group < 0 && reader.hasExtras(form) ? extraGroup(reader, form, byTerm) : group;
}

function extraGroup({ formExtras }: SegmentReader, form: number, byTerm: GroupsByTerm): number {
  const pairs = formExtras.length / 2;
  let pair = lowerBound(pairs, (at) => (formExtras[at * 2] ?? 0) < form);
  for (; formExtras[pair * 2] === form; pair++) {
    const group = byTerm.get(formExtras[pair * 2 + 1] ?? -1);
    if (group >= 0) return group;
  }
  return -1;
}
