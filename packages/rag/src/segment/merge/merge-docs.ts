import { type LiveSegment, DEAD } from '../read/snapshot.ts';
import type { Section } from '../../binary/section-file.ts';
import { DOC_COLUMN_COUNT, DOC_COLUMNS, DocTable } from '../format/doc-table.ts';
import { SECTIONS, SharedStrings } from '../format/segment-layout.ts';

/** A chunk that lives: where it is, and its id in the index. */
interface MergedDoc {
  /** The place of its segment among the sources. */
  readonly source: number;
  readonly doc: number;
  readonly id: number;
}

/** The living chunks of some segments as one. */
export interface MergedDocs {
  /** By id. */
  readonly order: readonly MergedDoc[];
  /** For each source the new place of each chunk, or -1. */
  readonly places: readonly Int32Array[];
  /** @param textEnds - Where the text of each chunk ends. */
  sections(textEnds: Uint32Array, partsOfSpeech: readonly string[]): readonly Section[];
}

/** Numbers the living chunks of segments again. */
export function mergeDocs(sources: readonly LiveSegment[]): MergedDocs {
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
