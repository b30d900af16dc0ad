import { VERDICTS } from '../../search/chunk-index.ts';
import { isExactPair } from '../format/pair-lists.ts';
import type { PhraseCandidates } from './phrase-candidates.ts';
import { isMatchable, PhraseMatcher } from './phrase-matcher.ts';
import type { SegmentReader } from './segment-reader.ts';
import { titleTest } from './title-phrases.ts';

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
    const all = judges.map((judge) => judge(docs));
    return Uint8Array.from(docs, (doc, at) => {
      const verdicts = all.map((verdict) => verdict[at] ?? VERDICTS.unsure);
      if (verdicts.every((verdict) => verdict === VERDICTS.there)) return VERDICTS.there;
      if (isTitled?.(doc) === true) return VERDICTS.unsure;
      return verdicts.includes(VERDICTS.absent) ? VERDICTS.absent : VERDICTS.unsure;
    });
  };
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
  if (isExactPair(form)) {
    const has = new Uint8Array(reader.size);
    for (const doc of candidates.withPairs(form) ?? []) has[doc] = 1;
    return (docs) =>
      Uint8Array.from(docs, (doc) => (has[doc] === 1 ? VERDICTS.there : VERDICTS.absent));
  }
  if (!isMatchable(form)) return (docs) => new Uint8Array(docs.length).fill(VERDICTS.unsure);
  const matcher = new PhraseMatcher(reader, form);
  return (docs) => matcher.verdicts(docs);
}
