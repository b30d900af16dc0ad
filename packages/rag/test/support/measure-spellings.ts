import type { SearchBackend, SearchHit } from '../../src/contract/search-backend.ts';
import type { SpellingClass } from './spellings.ts';

/** Rates at which the pairs of a class were found. */
export interface SpellingRates {
  readonly pairs: number;
  /** The share that is found first, in both directions. */
  readonly foundFirst: number;
  /** The share of those that must not meet in which the whole was taken for what was asked. */
  readonly falseMeetings: number;
  /** Pairs that were not found first, and pairs that met. */
  readonly failures: readonly string[];
}

const CARRIERS: Readonly<Record<string, readonly [before: string, after: string]>> = {
  chinese: ['他们看见', '。'],
  korean: ['우리는 ', ' .'],
};

/** Measures a class of spellings in an index of all its texts. */
export async function measureSpellings(
  open: () => Promise<SearchBackend>,
  name: string,
  { same, other }: SpellingClass,
): Promise<SpellingRates> {
  const [before, after] = CARRIERS[name] ?? ['ノートには「', '」と書いてある。'];
  const textOf = (written: string): string => before + written + after;
  const failures: string[] = [];
  const pairs = pairsOf(same);
  let first = 0;
  // A part of a compound is not the whole, so compounds are searched in one direction only.
  const asks = name === 'compounds' ? pairs : [...pairs, ...pairs.map(([a, b]) => [b, a] as const)];
  const all = await indexed(open, [...new Set(pairs.flat())].map(textOf));
  for (const [asked, written] of asks) {
    // Each is looked for among all the others, the same spelling left out.
    const { hits } = await all.search(asked, { k: 8 });
    const found = hits.map(({ content }) => content.slice(before.length, -after.length));
    const [best] = found.filter((text) => text !== asked);
    if (best !== undefined && isSpelling(pairs, asked).has(best)) first++;
    else failures.push(`${asked} -> ${written}: ${best ?? 'nothing'}`);
  }
  await all.close();
  const others = pairsOf(other);
  let met = 0;
  for (const [asked, written] of others) {
    const backend = await indexed(open, [textOf(written)]);
    const { hits } = await backend.search(asked, { k: 1 });
    if (hits[0] && isMarked(hits[0], written)) {
      met++;
      failures.push(`${asked} = ${written}`);
    }
    await backend.close();
  }
  return {
    pairs: pairs.length,
    foundFirst: first / asks.length,
    falseMeetings: met / others.length,
    failures,
  };
}

/** Returns the pairs of a list. */
export function pairsOf(list: string): readonly (readonly [string, string])[] {
  return list.split(' ').map((pair) => {
    const [asked = '', ...written] = pair.split('/');
    return [asked, written.join('/')] as const;
  });
}

/** Returns all spellings of a text, by the pairs it is in. */
function isSpelling(
  pairs: readonly (readonly [string, string])[],
  asked: string,
): ReadonlySet<string> {
  const known = new Set([asked]);
  for (let size = 0; size < known.size;) {
    size = known.size;
    for (const pair of pairs)
      if (pair.some((text) => known.has(text))) pair.forEach((text) => known.add(text));
  }
  return known;
}

async function indexed(
  open: () => Promise<SearchBackend>,
  texts: readonly string[],
): Promise<SearchBackend> {
  const backend = await open();
  for (const [at, text] of texts.entries()) {
    await backend.updateFile({ novelId: 'n', filePath: `${at}.txt`, text });
  }
  return backend;
}

/** Checks whether all of a text is marked as what was asked for. */
function isMarked({ match }: SearchHit, written: string): boolean {
  const at = match.text.indexOf(written);
  if (at < 0) return false;
  let reached = at;
  for (const [start, end] of match.highlights)
    if (start <= reached) reached = Math.max(reached, end);
  return reached >= at + written.length;
}
