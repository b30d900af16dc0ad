import { headingsOf } from '../../chunk/chunk.ts';
import { foldPhrase, searchedForms } from '../../rank/fold-text.ts';
import { VERDICTS } from '../../search/chunk-index.ts';
import { hasOwnList, hasPairs } from '../format/bigrams.ts';
import type { PhraseCandidates } from './phrase-candidates.ts';
import { isMatchable, PhraseMatcher } from './phrase-matcher.ts';
import type { SegmentReader } from './segment-reader.ts';

type Judge = (docs: Uint32Array) => Uint8Array;

/** Returns a function that gives the verdicts of chunks on all of some phrases, each in the forms in which it may be. */
export function judgeOf(
  reader: SegmentReader,
  phrases: readonly (readonly string[])[],
  candidates: PhraseCandidates,
): Judge {
  const isTitled = titleTest(reader, phrases);
  const judges = phrases.map((forms) =>
    anyOf(forms.map((form) => judgeForm(reader, form, candidates))),
  );
  return (docs) => {
    const [verdicts = new Uint8Array(docs.length), ...others] = judges.map((judge) => judge(docs));
    for (const other of others) {
      for (let at = 0; at < verdicts.length; at++) {
        verdicts[at] = both(verdicts[at] ?? VERDICTS.unsure, other[at] ?? VERDICTS.unsure);
      }
    }
    if (!isTitled) return verdicts;
    return verdicts.map((verdict, at) => {
      return verdict !== VERDICTS.there && isTitled(docs[at] ?? 0) ? VERDICTS.unsure : verdict;
    });
  };
}

/** Returns the verdict on two conditions that both must hold. */
function both(one: number, other: number): number {
  if (one === VERDICTS.absent || other === VERDICTS.absent) return VERDICTS.absent;
  return one === VERDICTS.there ? other : one;
}

/** One that is there is enough, and each may be. */
function anyOf(judges: readonly Judge[]): Judge {
  const [first, ...others] = judges;
  if (first && others.length === 0) return first;
  return (docs) => {
    const all = judges.map((judge) => judge(docs));
    return Uint8Array.from(docs, (_, at) => {
      const verdicts = all.map((verdict) => verdict[at] ?? VERDICTS.unsure);
      if (verdicts.includes(VERDICTS.there)) return VERDICTS.there;
      return verdicts.includes(VERDICTS.unsure) ? VERDICTS.unsure : VERDICTS.absent;
    });
  };
}

function judgeForm(reader: SegmentReader, form: string, candidates: PhraseCandidates): Judge {
  if (hasOwnList(form)) {
    const has = new Uint8Array(reader.size);
    for (const doc of candidates.withPairs(form) ?? []) has[doc] = 1;
    return (docs) =>
      Uint8Array.from(docs, (doc) => (has[doc] === 1 ? VERDICTS.there : VERDICTS.absent));
  }
  if (!isMatchable(form)) return (docs) => new Uint8Array(docs.length).fill(VERDICTS.unsure);
  const matcher = new PhraseMatcher(reader, form);
  if (hasPairs(form)) return (docs) => matcher.verdicts(docs);
  let mayBe: ((doc: number) => boolean) | undefined;
  return (docs) => {
    const verdicts = matcher.verdicts(docs);
    mayBe ??= candidates.scanTest(form);
    for (const [at, doc] of docs.entries()) {
      if (verdicts[at] === VERDICTS.unsure && !mayBe(doc)) verdicts[at] = VERDICTS.absent;
    }
    return verdicts;
  };
}

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
