import type { Section } from '../../binary/section-file.ts';
import { PairListsWriter } from '../format/pair-lists.ts';
import type { LiveSegment } from '../read/snapshot.ts';
import type { MergedDocs } from './merge-docs.ts';

/** Puts the lists of pairs of characters of segments together. */
export function mergePairs(sources: readonly LiveSegment[], docs: MergedDocs): readonly Section[] {
  const keys = new Set<number>();
  for (const { reader } of sources) {
    for (let at = 0; at < reader.pairs.keys.length; at++) keys.add(reader.pairs.keys.at(at));
  }
  const found = new Uint32Array(Math.max(0, ...sources.map(({ reader }) => reader.size)));
  const merged = new Uint32Array(docs.order.length);
  const writer = new PairListsWriter();
  for (const key of [...keys].toSorted((a, b) => a - b)) {
    let size = 0;
    let isSorted = true;
    for (const [source, { reader }] of sources.entries()) {
      const places = docs.places[source];
      for (const old of reader.pairs.docsOf(key, found)) {
        const doc = places?.[old] ?? -1;
        if (doc < 0) continue;
        isSorted &&= size === 0 || doc > (merged[size - 1] ?? 0);
        merged[size++] = doc;
      }
    }
    const all = merged.subarray(0, size);
    if (!isSorted) all.sort();
    writer.add(key, all);
  }
  return writer.sections();
}
