import { bareTerm, TITLE_PREFIX } from '../search/chunk-index.ts';
import type { Word } from '../analyze/analyzer.ts';
import { BigramSketch } from './bigram-sketch.ts';
import { DEAD, type LiveSegment } from './live-segment.ts';
import { SegmentBuilder } from './segment-builder.ts';
import { RECORD_COLUMN_COUNT, type DocumentRecord } from './segment-layout.ts';
import type { Section } from './section-file.ts';
import { StringTable } from './string-table.ts';
import { newestRecords, type Snapshot } from './snapshot.ts';

/** One segment made of several. */
export interface MergedSegment {
  readonly sections: readonly Section[];
  readonly chunks: number;
}

/**
 * Puts segments together, without the chunks that are deleted. Nothing is analysed again.
 *
 * @throws IndexingError with the code `index-corrupt` if one of them is damaged.
 */
export function mergeSegments(snapshot: Snapshot, files: readonly string[]): MergedSegment {
  const sources = snapshot.segments.filter(({ entry }) => files.includes(entry.file));
  const bigrams = new BigramSketch();
  for (const { reader } of sources) {
    reader.verify();
    bigrams.addBytes(reader.section('bigrams'));
  }
  const readings = readingsOf(sources);
  const builder = new SegmentBuilder((term) => readings.get(term) ?? [], bigrams);
  const facts = sources.map(({ reader }) => formFacts(reader));
  const order = sources.flatMap((segment, source) =>
    Array.from(segment.documents, (document, doc) => {
      return { source, doc, id: segment.reader.column(doc, 'id') + segment.entry.base, document };
    }).filter(({ document }) => document !== DEAD),
  );
  for (const { source, doc, id } of order.toSorted((a, b) => a.id - b.id)) {
    const segment = sources[source];
    const fact = facts[source];
    if (segment && fact) builder.add(id, readAnalyzed(segment, fact, doc));
  }
  const isWhole = sources.length === snapshot.segments.length;
  return { sections: builder.finish(recordsOf(snapshot, files, isWhole)), chunks: builder.size };
}

/** The records of the segments that are the newest of their documents. */
function recordsOf(
  snapshot: Snapshot,
  files: readonly string[],
  isWhole: boolean,
): readonly DocumentRecord[] {
  const records: DocumentRecord[] = [];
  for (const { record, commit, segment } of newestRecords(snapshot.segments).values()) {
    if (!files.includes(segment.entry.file)) continue;
    // That a document went need be known only as long as older segments speak of it.
    if (isWhole && record.chunks.length === 0) continue;
    const { base } = segment.entry;
    const chunks = record.chunks.map((value, at) =>
      at % RECORD_COLUMN_COUNT === 0 ? value + base : value,
    );
    records.push({ ...record, commit, chunks });
  }
  return records;
}

/** What a segment knows of its words. */
interface FormFacts {
  readonly words: readonly (Omit<Word, 'start' | 'end'> | undefined)[];
  /** The terms of the title of each chunk. */
  readonly titles: readonly (readonly string[])[];
}

function formFacts(reader: LiveSegment['reader']): FormFacts {
  const { terms, surfaces, formTerms, formExtras, strings } = reader;
  const extras = new Map<number, string[]>();
  for (let at = 0; at < formExtras.length; at += 2) {
    const form = formExtras[at] ?? 0;
    const list = extras.get(form) ?? [];
    list.push(terms.get(formExtras[at + 1] ?? 0));
    extras.set(form, list);
  }
  const readings = new StringTable(reader.section('formReadings'));
  const pos = reader.section('formPos');
  const words = Array.from(formTerms, (term, form): Omit<Word, 'start' | 'end'> | undefined => {
    const partOfSpeech = strings.partsOfSpeech[pos[form] ?? 0] ?? '';
    const reading = readings.get(form);
    const basic = term > 0 ? terms.get(term - 1) : surfaces.get(form);
    const extra = extras.get(form);
    return {
      basic,
      reading,
      pos: partOfSpeech,
      isContent: term > 0,
      ...(extra ? { extra } : {}),
    };
  });
  return { words, titles: titleTerms(reader) };
}

function titleTerms(reader: LiveSegment['reader']): readonly (readonly string[])[] {
  const titles = Array.from({ length: reader.size }, (): string[] => []);
  const docs = new Uint32Array(reader.size);
  const frequencies = new Uint8Array(reader.size);
  for (const term of reader.termsStartingWith(TITLE_PREFIX)) {
    const text = reader.terms.get(term).slice(TITLE_PREFIX.length);
    const count = reader.decode(term, docs, frequencies);
    for (let at = 0; at < count; at++) {
      const title = titles[docs[at] ?? 0];
      for (let time = 0; time < (frequencies[at] ?? 1); time++) title?.push(text);
    }
  }
  return titles;
}

function readAnalyzed(
  { reader }: LiveSegment,
  { words: facts, titles }: FormFacts,
  doc: number,
): Parameters<SegmentBuilder['add']>[1] {
  const words: Word[] = [];
  let content = '';
  for (const form of reader.formsOf(doc)) {
    const start = content.length;
    content += reader.surfaces.get(form);
    const fact = facts[form];
    if (fact) words.push({ ...fact, start, end: content.length });
  }
  const { strings } = reader;
  return {
    words,
    titleWords: (titles[doc] ?? []).map((basic) => {
      return { start: 0, end: 0, basic, reading: '', pos: '', isContent: true };
    }),
    chunk: {
      content,
      title: strings.titles[reader.column(doc, 'title')] ?? '',
      headingPath: strings.headings[reader.column(doc, 'headings')] ?? [],
      tags: strings.tags[reader.column(doc, 'tags')] ?? [],
      overlap: reader.column(doc, 'overlap'),
      ordinal: reader.column(doc, 'ordinal'),
    },
  };
}

/** What the segments know of the readings of their terms. */
function readingsOf(sources: readonly LiveSegment[]): ReadonlyMap<string, readonly string[]> {
  const readings = new Map<string, Set<string>>();
  for (const { reader } of sources) {
    for (const [term, reading] of reader.eachReading()) {
      const basic = bareTerm(term);
      const known = readings.get(basic);
      if (known) known.add(reading);
      else readings.set(basic, new Set([reading]));
    }
  }
  return new Map([...readings].map(([term, set]) => [term, [...set]]));
}
