import { headingsOf } from '../../analyze/analyze-chunk.ts';
import { foldPhrase, searchedForms } from '../../rank/text-conditions.ts';
import type { SegmentReader } from './segment-reader.ts';

/** The headings with the title of each chunk of a segment, in the forms in which phrases are looked for. */
interface FoldedTitles {
  /** Each different one. */
  readonly folds: readonly (readonly string[])[];
  /** Its place, by the number of the chunk. */
  readonly places: Uint32Array;
}

/** Folded when a phrase is asked for first. */
const known = new WeakMap<SegmentReader, FoldedTitles>();

function foldedTitles(reader: SegmentReader): FoldedTitles {
  let folded = known.get(reader);
  if (!folded) {
    folded = foldTitles(reader);
    known.set(reader, folded);
  }
  return folded;
}

function foldTitles(reader: SegmentReader): FoldedTitles {
  const { titles, headings } = reader.strings;
  const folds: (readonly string[])[] = [];
  const places = new Uint32Array(reader.size);
  const placeOf = new Map<number, number>();
  for (let doc = 0; doc < reader.size; doc++) {
    const [title, path] = [reader.column(doc, 'title'), reader.column(doc, 'headings')];
    const pair = title * (headings.length + 1) + path;
    let place = placeOf.get(pair);
    if (place === undefined) {
      const own = headingsOf({ title: titles[title] ?? '', headingPath: headings[path] ?? [] });
      const text = own.join('\n');
      place = folds.push([...new Set([...searchedForms(text), ...foldPhrase(text)])]) - 1;
      placeOf.set(pair, place);
    }
    places[doc] = place;
  }
  return { folds, places };
}

/**
 * Returns a test of whether one of these phrases, each in the forms in which it may be, is in the headings and title of a chunk;
 * nothing if it is in none.
 */
export function titleTest(
  reader: SegmentReader,
  phrases: readonly (readonly string[])[],
): ((doc: number) => boolean) | undefined {
  const { folds, places } = foldedTitles(reader);
  const isNamed = folds.map((own) =>
    phrases.some((forms) => forms.some((form) => own.some((fold) => fold.includes(form)))),
  );
  if (!isNamed.includes(true)) return undefined;
  return (doc) => isNamed[places[doc] ?? 0] === true;
}
