import { StringTable } from '../../binary/packed-tables.ts';
import { ByteWriter, type Section } from '../../binary/section-file.ts';
import { BigramSketch, PairListsWriter } from '../format/bigrams.ts';
import {
  DOC_COLUMN_COUNT,
  DOC_COLUMNS,
  DocTable,
  type DocumentRecord,
  formLength,
  SECTIONS,
  SharedStrings,
  withIds,
  writeForm,
  writeRecords,
} from '../format/index-layout.ts';
import {
  byFrequency,
  byUnits,
  type Form,
  formSections,
  type TermData,
  termSections,
} from '../format/lexicon.ts';
import type { SegmentReader } from '../read/segment-reader.ts';
import { DEAD, type LiveSegment, newestRecords, type Snapshot } from '../read/snapshot.ts';
import { SegmentBuilder, TermPostings } from './write-segment.ts';

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

/** A chunk that lives: where it is, and its id in the index. */
interface MergedDoc {
  /** The place of its segment among the sources. */
  readonly source: number;
  readonly doc: number;
  readonly id: number;
}

/** The living chunks of some segments as one. */
interface MergedDocs {
  /** By id. */
  readonly order: readonly MergedDoc[];
  /** For each source the new place of each chunk, or -1. */
  readonly places: readonly Int32Array[];
  /** @param textEnds - Where the text of each chunk ends. */
  sections(textEnds: Uint32Array, partsOfSpeech: readonly string[]): readonly Section[];
}

/** Numbers the living chunks of segments again. */
function mergeDocs(sources: readonly LiveSegment[]): MergedDocs {
  const order = sources
    .flatMap(({ reader, entry, documents }, source) =>
      Array.from(documents, (document, doc) => {
        return { source, doc, id: reader.column(doc, 'id') + entry.base, document };
      }).filter(({ document }) => document !== DEAD),
    )
    .toSorted((a, b) => a.id - b.id);
  const places = sources.map(({ reader }) => new Int32Array(reader.size).fill(-1));
  for (const [place, { source, doc }] of order.entries()) {
    const own = places[source];
    if (own) own[doc] = place;
  }
  return {
    order,
    places,
    sections(textEnds, partsOfSpeech) {
      const shared = new SharedStrings();
      const numbers = new Uint32Array(order.length * DOC_COLUMN_COUNT);
      for (const [place, merged] of order.entries()) {
        const reader = sources[merged.source]?.reader;
        if (!reader) continue;
        const at = place * DOC_COLUMN_COUNT;
        const { titles, headings, tags } = reader.strings;
        const column = (name: keyof typeof DOC_COLUMNS): number => reader.column(merged.doc, name);
        const set = (name: keyof typeof DOC_COLUMNS, value: number): void => {
          numbers[at + DOC_COLUMNS[name]] = value;
        };
        set('id', merged.id);
        set('words', column('words'));
        set('length', column('length'));
        set('textEnd', textEnds[place] ?? 0);
        set('title', shared.title(titles[column('title')] ?? ''));
        set('headings', shared.headings(headings[column('headings')] ?? []));
        set('tags', shared.tags(tags[column('tags')] ?? []));
        set('overlap', column('overlap'));
        set('ordinal', column('ordinal'));
      }
      const strings = Buffer.from(JSON.stringify(shared.toJSON(partsOfSpeech)));
      return [
        { name: SECTIONS.docs, bytes: DocTable.write(numbers), isResident: true },
        { name: SECTIONS.strings, bytes: strings, isResident: true },
      ];
    },
  };
}

/** Puts the lists of pairs of characters of segments together. */
function mergePairs(sources: readonly LiveSegment[], docs: MergedDocs): readonly Section[] {
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
      for (const old of reader.docsWithPair(key, found)) {
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

/** The terms of some segments as one. */
interface MergedTerms {
  readonly data: TermData;
  /** For each source the new place of each term, or -1 if no living chunk has it. */
  readonly places: readonly Int32Array[];
  readonly readings: ReadonlyMap<string, readonly string[]>;
}

/** Puts the postings of segments together. */
function mergeTerms(sources: readonly LiveSegment[], docs: MergedDocs): MergedTerms {
  const all = sortedTerms(sources);
  const olds = oldPlaces(sources, all);
  const places = sources.map(({ reader }) => new Int32Array(reader.terms.size).fill(-1));
  const terms: string[] = [];
  const counts: number[] = [];
  const ends: number[] = [];
  const postings = new ByteWriter(1 << 16);
  for (const [number, term] of all.entries()) {
    const merged = mergePostings(sources, docs, olds, number);
    const bytes = merged.flush();
    if (merged.count === 0) continue;
    postings.append(bytes);
    for (const [source, own] of places.entries()) {
      const old = olds[source]?.[number] ?? -1;
      if (old >= 0) own[old] = terms.length;
    }
    terms.push(term);
    counts.push(merged.count);
    ends.push(postings.length);
  }
  return {
    data: { terms, counts: Uint32Array.from(counts), ends: Uint32Array.from(ends), postings },
    places,
    readings: readingsOf(sources),
  };
}

function sortedTerms(sources: readonly LiveSegment[]): readonly string[] {
  const terms = new Set<string>();
  for (const { reader } of sources) {
    for (let place = 0; place < reader.terms.size; place++) terms.add(reader.terms.get(place));
  }
  return [...terms].toSorted(byUnits);
}

/** For each source the old place of each term of `all`, or -1. */
function oldPlaces(sources: readonly LiveSegment[], all: readonly string[]): readonly Int32Array[] {
  return sources.map(({ reader: { terms } }) => {
    const places = new Int32Array(all.length).fill(-1);
    // Both are sorted, so they are walked side by side.
    let old = 0;
    for (let number = 0; number < all.length && old < terms.size; number++) {
      if (terms.get(old) === all[number]) places[number] = old++;
    }
    return places;
  });
}

let found = new Uint32Array(1024);
let frequencies = new Uint8Array(1024);
/** Chunks in the upper digits, how often the term is there in the last 256. */
let pairs = new Float64Array(1024);

function mergePostings(
  sources: readonly LiveSegment[],
  docs: MergedDocs,
  olds: readonly Int32Array[],
  number: number,
): TermPostings {
  let size = 0;
  let isSorted = true;
  for (const [source, { reader }] of sources.entries()) {
    const old = olds[source]?.[number] ?? -1;
    if (old < 0) continue;
    if (found.length < reader.size) {
      found = new Uint32Array(reader.size);
      frequencies = new Uint8Array(reader.size);
    }
    const count = reader.decode(old, found, frequencies);
    if (size + count > pairs.length) pairs = grown(pairs, (size + count) * 2);
    const places = docs.places[source];
    for (let at = 0; at < count; at++) {
      const doc = places?.[found[at] ?? 0] ?? -1;
      if (doc < 0) continue;
      const pair = doc * 256 + (frequencies[at] ?? 1);
      isSorted &&= size === 0 || pair > (pairs[size - 1] ?? 0);
      pairs[size++] = pair;
    }
  }
  const all = pairs.subarray(0, size);
  if (!isSorted) all.sort();
  const merged = new TermPostings();
  for (const pair of all) merged.add(Math.floor(pair / 256), pair % 256);
  return merged;
}

function grown(numbers: Float64Array, size: number): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(size);
  larger.set(numbers);
  return larger;
}

/** Returns the readings of the segments' terms. */
function readingsOf(sources: readonly LiveSegment[]): ReadonlyMap<string, readonly string[]> {
  const readings = new Map<string, string[]>();
  for (const { reader } of sources) {
    for (const [term, reading] of reader.eachReading()) {
      const known = readings.get(term);
      if (!known) readings.set(term, [reading]);
      else if (!known.includes(reading)) known.push(reading);
    }
  }
  return readings;
}

/** The words and texts of some segments as one. */
interface MergedForms {
  readonly sections: readonly Section[];
  /** Where the text of each chunk ends. */
  readonly textEnds: Uint32Array;
  readonly partsOfSpeech: readonly string[];
}

/** @param termPlaces - For each source the new place of each term, or -1. */
function mergeForms(
  sources: readonly LiveSegment[],
  docs: MergedDocs,
  termPlaces: readonly Int32Array[],
  onPart: () => void,
): MergedForms {
  const lexicon = new Lexicon();
  const numbers = sources.map(({ reader }, source) => {
    onPart();
    return lexicon.take(reader, termPlaces[source] ?? new Int32Array());
  });
  onPart();
  const counts = new Uint32Array(lexicon.forms.length);
  const eachForm = (place: number, visit: (form: number) => void): void => {
    const { source, doc } = docs.order[place] ?? { source: 0, doc: 0 };
    const own = numbers[source];
    for (const old of sources[source]?.reader.formsOf(doc) ?? []) visit(own?.[old] ?? 0);
  };
  for (const place of docs.order.keys()) {
    eachForm(place, (form) => (counts[form] = (counts[form] ?? 0) + 1));
  }
  const { sorted, order } = byFrequency(counts);
  const texts = new ByteWriter(textBytes(sorted, counts));
  const textEnds = new Uint32Array(docs.order.length);
  for (const place of docs.order.keys()) {
    eachForm(place, (form) => writeForm(texts, order[form] ?? 0));
    textEnds[place] = texts.length;
  }
  const forms = sorted.flatMap((form) => lexicon.forms[form] ?? []);
  return {
    textEnds,
    partsOfSpeech: lexicon.partsOfSpeech,
    sections: [
      ...formSections(forms),
      { name: SECTIONS.texts, bytes: texts.view(), isResident: false },
    ],
  };
}

/** How many bytes all texts take. */
function textBytes(sorted: readonly number[], counts: Uint32Array): number {
  let bytes = 0;
  for (const [place, form] of sorted.entries()) bytes += (counts[form] ?? 0) * formLength(place);
  return bytes;
}

/** Numbers the distinct words of several segments. */
class Lexicon {
  readonly forms: Form[] = [];
  readonly partsOfSpeech: string[] = [''];
  /** The last form with a surface, and for each form the one with the same surface before it. */
  readonly #last = new Map<string, number>();
  readonly #before: number[] = [];

  /** Returns the new numbers of the forms of a segment. */
  take(reader: SegmentReader, termPlaces: Int32Array): Uint32Array {
    const { surfaces, formTerms, strings } = reader;
    const inflated = new Uint8Array(reader.inflated('formReadings'));
    const readings = reader.decoding(() => StringTable.read(inflated));
    const leads = reader.section('formLeads');
    const pos = reader.inflated('formPos');
    const posPlaces = strings.partsOfSpeech.map((name) => this.#posPlace(name));
    return Uint32Array.from({ length: formTerms.size }, (_, form) =>
      this.#number({
        surface: surfaces.get(form),
        lead: leads[form] ?? 0,
        reading: readings.get(form),
        pos: posPlaces[pos[form] ?? 0] ?? 0,
        terms: formTerms.termsOf(form).map((place) => termPlaces[place] ?? 0),
      }),
    );
  }

  #number(form: Form): number {
    const last = this.#last.get(form.surface) ?? -1;
    for (let number = last; number >= 0; number = this.#before[number] ?? -1) {
      const known = this.forms[number];
      if (known && isSame(known, form)) return number;
    }
    const number = this.forms.push(form) - 1;
    this.#before.push(last);
    this.#last.set(form.surface, number);
    return number;
  }

  #posPlace(name: string): number {
    const known = this.partsOfSpeech.indexOf(name);
    return known >= 0 ? known : this.partsOfSpeech.push(name) - 1;
  }
}

/** Checks whether two forms with the same surface are the same. */
function isSame(a: Form, b: Form): boolean {
  return (
    a.lead === b.lead &&
    a.pos === b.pos &&
    a.reading === b.reading &&
    a.terms.length === b.terms.length &&
    a.terms.every((term, at) => term === b.terms[at])
  );
}
