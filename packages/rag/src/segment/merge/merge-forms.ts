import { inflateRawSync } from 'node:zlib';
import { ByteWriter, type Section, varintLength } from '../../binary/section-file.ts';
import { byFrequency, formSections, type Form } from '../write/form-sections.ts';
import type { LiveSegment } from '../read/snapshot.ts';
import type { MergedDocs } from './merge-docs.ts';
import { SECTIONS } from '../format/segment-layout.ts';
import type { SegmentReader } from '../read/segment-reader.ts';
import { StringTable } from '../../binary/lookup-tables.ts';

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

/** How many bytes all texts take. */
function textBytes(sorted: readonly number[], counts: Uint32Array): number {
  let bytes = 0;
  for (const [place, form] of sorted.entries()) bytes += (counts[form] ?? 0) * varintLength(place);
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
    const readings = StringTable.read(
      new Uint8Array(inflateRawSync(reader.section('formReadings'))),
    );
    const leads = reader.section('formLeads');
    const pos = inflateRawSync(reader.section('formPos'));
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
