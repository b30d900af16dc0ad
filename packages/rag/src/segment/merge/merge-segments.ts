import { mergeDocs } from './merge-docs.ts';
import { BigramSketch } from '../format/bigram-sketch.ts';
import { mergeForms } from './merge-forms.ts';
import { mergePairs } from './merge-pairs.ts';
import { mergeTerms } from './merge-terms.ts';
import { type DocumentRecord, withIds, writeRecords } from '../format/document-records.ts';
import { SECTIONS } from '../format/segment-layout.ts';
import { type LiveSegment, newestRecords, type Snapshot } from '../read/snapshot.ts';
import type { Section } from '../../binary/section-file.ts';
import { SegmentBuilder } from '../write/segment-builder.ts';
import { termSections } from '../write/term-sections.ts';

/** Longer than indexing takes. */
const REMEMBERED_MS = 86_400_000;

/** One segment made of several. */
interface MergedSegment {
  readonly sections: readonly Section[];
  readonly chunks: number;
  /** How many documents it speaks of. */
  readonly records: number;
}

/**
 * Puts segments together, without the chunks that are deleted. Only numbers are exchanged: nothing is
 * analyzed, and no text is put together.
 *
 * @param forgets - True if documents that went are not remembered any more, as no run of `index` is in progress.
 * @param onPart - Called where much has become garbage.
 * @throws IndexingError with the code `index-corrupt` if one of them is damaged.
 */
export function mergeSegments(
  snapshot: Snapshot,
  files: readonly string[],
  forgets: boolean,
  onPart: () => void = () => {},
): MergedSegment {
  const sources = snapshot.segments.filter(({ entry }) => files.includes(entry.file));
  const isWhole = sources.length === snapshot.segments.length;
  const bigrams = new BigramSketch();
  for (const { reader } of sources) bigrams.addBytes(reader.section('bigrams'));
  const records = recordsOf(snapshot, files, { isWhole, forgets });
  const kept: readonly Section[] = [
    { name: SECTIONS.bigrams, bytes: bigrams.write(), isResident: false },
    { name: SECTIONS.records, bytes: writeRecords(records), isResident: false },
  ];
  if (areDead(sources)) {
    return { chunks: 0, records: records.length, sections: [...emptySections(), ...kept] };
  }
  for (const { reader } of sources) reader.verify();
  const docs = mergeDocs(sources);
  const terms = mergeTerms(sources, docs);
  onPart();
  const forms = mergeForms(sources, docs, terms.places, onPart);
  onPart();
  return {
    chunks: docs.order.length,
    records: records.length,
    sections: [
      ...termSections(terms.data, (term) => terms.readings.get(term) ?? []),
      ...forms.sections,
      ...mergePairs(sources, docs),
      ...docs.sections(forms.textEnds, forms.partsOfSpeech),
      ...kept,
    ],
  };
}

/**
 * Checks whether it must be known that a document went though no segment speaks of it any more: documents that are
 * being indexed were read before, and may be committed later.
 */
function isRemembered({ stamp = '' }: DocumentRecord): boolean {
  return Date.now() - Date.parse(stamp) < REMEMBERED_MS;
}

/** Checks whether nothing lives in segments any more, as when all their documents were replaced. */
export function areDead(segments: readonly LiveSegment[]): boolean {
  return segments.every(({ live }) => live === 0);
}

/** Returns the sections of a segment without chunks that a merge does not make itself. */
function emptySections(): readonly Section[] {
  const made = new Set<string>([SECTIONS.bigrams, SECTIONS.records]);
  return new SegmentBuilder(() => []).finish([]).filter(({ name }) => !made.has(name));
}

/** Returns the records of the segments that are the newest of their documents. */
function recordsOf(
  snapshot: Snapshot,
  files: readonly string[],
  { isWhole, forgets }: { readonly isWhole: boolean; readonly forgets: boolean },
): readonly DocumentRecord[] {
  const records: DocumentRecord[] = [];
  for (const { record, commit, segment } of newestRecords(snapshot.segments).values()) {
    if (!files.includes(segment.entry.file)) continue;
    const mayGo = isWhole && record.chunks.length === 0;
    if (mayGo && (forgets || !isRemembered(record))) continue;
    const { base } = segment.entry;
    records.push({ ...record, commit, chunks: withIds(record.chunks, base) });
  }
  return records;
}
