import type { TextIndex, TextRow } from '../text/text-index.ts';
import { checkArgument } from '../input/check-input.ts';
import { TEXTS, OBJECT } from '../input/kinds.ts';

/** Rows and queries to measure the recall of a cap with. */
export interface CapCorpus {
  readonly rows: readonly TextRow[];
  /** Each holds at least one word that is not among the most common. */
  readonly queries: readonly string[];
}

/**
 * Makes rows whose words are distributed as in natural language (Zipf's law), with one word in
 * nearly every row, and queries of two to four of their words, one of them common.
 */
export function capCorpus(size: number): CapCorpus {
  const random = generator(42);
  const word = (): string => `w${Math.floor(5000 ** random())}`;
  const rows = Array.from({ length: size }, (_, index) => {
    const words = Array.from({ length: 10 + Math.floor(random() * 60) }, word);
    if (random() < 0.95) words.push('everywhere');
    return { id: index + 1, fields: { body: words.join(' ') } };
  });
  const queries = Array.from({ length: 60 }, () => {
    const rare = `w${50 + Math.floor(random() * 3000)}`;
    const others = Array.from({ length: Math.floor(random() * 3) }, word);
    return [rare, ...others, 'everywhere'].join(' ');
  });
  return { rows, queries };
}

/**
 * Returns the share of the ten best hits of the full answer that are among the ten best of the capped one,
 * averaged over the queries that find anything.
 */
export async function measureCapRecall(
  index: TextIndex,
  queries: readonly string[],
  options: { readonly cap?: number } = {},
): Promise<number> {
  checkArgument('the options of measureCapRecall', options, OBJECT);
  const { cap } = options;
  checkArgument('the queries of measureCapRecall', queries, TEXTS);
  let sum = 0;
  let counted = 0;
  for (const query of queries) {
    const full = await index.search(query, { limit: 10, cap: 1_000_000_000 });
    const capped = await index.search(query, { limit: 10, ...(cap === undefined ? {} : { cap }) });
    if (full.length === 0) continue;
    const found = new Set(capped.map(({ id }) => id));
    sum += full.filter(({ id }) => found.has(id)).length / full.length;
    counted++;
  }
  return counted === 0 ? 1 : sum / counted;
}

/** Uniform numbers in [0, 1), the same for the same seed: mulberry32 by Tommy Ettinger. */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}
