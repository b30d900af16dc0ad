import { ByteWriter } from '../binary/byte-writer.ts';
import { byFrequency, formSections, type Form } from './form-sections.ts';
import type { LiveSegment } from './live-segment.ts';
import type { MergedDocs } from './merge-docs.ts';
import type { Section } from '../binary/section-file.ts';
import { SECTIONS } from './segment-layout.ts';
import type { SegmentReader } from './segment-reader.ts';
import { StringTable } from '../binary/string-table.ts';

/** The words and texts of some segments as one. */
export interface MergedForms {
  readonly sections: readonly Section[];
  /** Where the text of each chunk ends. */
  readonly textEnds: Uint32Array;
  readonly partsOfSpeech: readonly string[];
}

/** @param termPlaces - For each source the new place of each term, or -1. */
export function mergeForms(
  sources: readonly LiveSegment[],
  docs: MergedDocs,
  termPlaces: readonly Int32Array[],
): MergedForms {
  const lexicon = new Lexicon();
  const numbers = sources.map(({ reader }, source) =>
    lexicon.take(reader, termPlaces[source] ?? new Int32Array()),
  );
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
  const texts = new ByteWriter(1 << 16);
  const textEnds = new Uint32Array(docs.order.length);
  for (const place of docs.order.keys()) {
    eachForm(place, (form) => texts.varint(order[form] ?? 0));
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

/** Numbers the distinct words of several segments. */
class Lexicon {
  readonly forms: Form[] = [];
  readonly partsOfSpeech: string[] = [''];
  readonly #numbers = new Map<string, number>();

  /** The new numbers of the forms of a segment. */
  take(reader: SegmentReader, termPlaces: Int32Array): Uint32Array {
    const { surfaces, formTerms, strings } = reader;
    const readings = new StringTable(reader.section('formReadings'));
    const leads = reader.section('formLeads');
    const pos = reader.section('formPos');
    const posPlaces = strings.partsOfSpeech.map((name) => this.#posPlace(name));
    const extras = extrasOf(reader);
    return Uint32Array.from(formTerms, (term, form) => {
      const terms =
        term === 0
          ? []
          : [term - 1, ...(extras.get(form) ?? [])].map((place) => termPlaces[place] ?? 0);
      const surface = surfaces.get(form);
      const reading = readings.get(form);
      const posPlace = posPlaces[pos[form] ?? 0] ?? 0;
      const lead = leads[form] ?? 0;
      const key = `${lead}\u0000${surface}\u0000${terms.join()}\u0000${posPlace}\u0000${reading}`;
      let number = this.#numbers.get(key);
      if (number === undefined) {
        number = this.forms.push({ surface, lead, reading, pos: posPlace, terms }) - 1;
        this.#numbers.set(key, number);
      }
      return number;
    });
  }

  #posPlace(name: string): number {
    const known = this.partsOfSpeech.indexOf(name);
    return known >= 0 ? known : this.partsOfSpeech.push(name) - 1;
  }
}

function extrasOf({ formExtras }: SegmentReader): ReadonlyMap<number, readonly number[]> {
  const extras = new Map<number, number[]>();
  for (let at = 0; at < formExtras.length; at += 2) {
    const form = formExtras[at] ?? 0;
    const known = extras.get(form);
    if (known) known.push(formExtras[at + 1] ?? 0);
    else extras.set(form, [formExtras[at + 1] ?? 0]);
  }
  return extras;
}
