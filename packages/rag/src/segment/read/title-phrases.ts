import { foldPhrase } from '../../rank/text-conditions.ts';
import type { SegmentReader } from './segment-reader.ts';

/** The forms of the titles and headings of a segment, by their numbers. */
interface FoldedTitles {
  readonly titles: readonly (readonly string[])[];
  readonly headings: readonly (readonly string[])[];
}

/** Folded when a phrase is asked for first. */
const known = new WeakMap<SegmentReader, FoldedTitles>();

function foldedTitles(reader: SegmentReader): FoldedTitles {
  let folded = known.get(reader);
  if (!folded) {
    const { titles, headings } = reader.strings;
    folded = {
      titles: titles.map(foldPhrase),
      headings: headings.map((path) => foldPhrase(path.join('\n'))),
    };
    known.set(reader, folded);
  }
  return folded;
}

/**
 * Returns a test of whether one of these phrases, each in the forms in which it may be, is in the titles of a chunk;
 * nothing if it is in none.
 */
export function titleTest(
  reader: SegmentReader,
  phrases: readonly (readonly string[])[],
): ((doc: number) => boolean) | undefined {
  const isNamed = (folds: readonly string[]): boolean =>
    phrases.some((forms) => forms.some((form) => folds.some((fold) => fold.includes(form))));
  const folded = foldedTitles(reader);
  const titles = folded.titles.map(isNamed);
  const headings = folded.headings.map(isNamed);
  if (!titles.includes(true) && !headings.includes(true)) return undefined;
  return (doc) =>
    titles[reader.column(doc, 'title')] === true ||
    headings[reader.column(doc, 'headings')] === true;
}
