import type { Candidate } from './candidate.ts';

/** An older change of a file goes before a newer one if it fits the query so many times better. */
const BETTER = 1.5;

/**
 * Of the changes of one file the newest first, in the places that they have among the others: an older one
 * shows what is no longer so. Where the query fits an older one clearly better, that one is asked for.
 */
export function newestFirst(candidates: readonly Candidate[]): readonly Candidate[] {
  const result = [...candidates];
  for (const places of placesByFile(candidates)) {
    const open = places.flatMap((place) => candidates[place] ?? []);
    for (const place of places) {
      const best = Math.max(...open.map(({ fit }) => fit));
      const [next] = open.filter(({ fit }) => fit * BETTER >= best).toSorted(byTime);
      if (!next) break;
      result[place] = { ...next, score: candidates[place]?.score ?? next.score };
      open.splice(open.indexOf(next), 1);
    }
  }
  return result;
}

function placesByFile(candidates: readonly Candidate[]): Iterable<number[]> {
  const places = new Map<string, number[]>();
  for (const [place, { change }] of candidates.entries()) {
    if (!change) continue;
    const known = places.get(change.file_path);
    if (known) known.push(place);
    else places.set(change.file_path, [place]);
  }
  return places.values();
}

/** Times are all in UTC with milliseconds. */
function byTime({ change: a }: Candidate, { change: b }: Candidate): number {
  if (!a || !b) return 0;
  if (a.timestamp !== b.timestamp) return a.timestamp < b.timestamp ? 1 : -1;
  return b.key - a.key;
}
