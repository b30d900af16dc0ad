import { describe, expect, it } from 'vitest';
import { bigramBackend } from '../../support/relevance/bigram-backend.ts';
import { describeSmallSet } from '../../support/relevance/describe-small-set.ts';
import { evaluateSmallSet, formatRates } from '../../support/relevance/evaluate-small-set.ts';
import { CATEGORIES, QUERIES } from '../../support/relevance/queries.ts';
import { NOVELS, smallSetChunks, smallSetId } from '../../support/relevance/small-set.ts';

const chunks = smallSetChunks();
const idOf = (chunk: { readonly filePath: string }): string =>
  smallSetId({ payload: { file: chunk.filePath } });
const ids = chunks.map(idOf);
const queries = Object.values(QUERIES).flat();

describe('the small set', () => {
  it('has 50 chunks with different ids, and 100 different queries that each mean one of them', () => {
    expect(new Set(ids).size).toBe(50);
    expect(chunks).toHaveLength(50);
    expect(new Set(queries.map(([query]) => query)).size).toBe(100);
    expect(ids).toEqual(expect.arrayContaining([...new Set(queries.map(([, id]) => id))]));
  });

  it('is beyond a search for substrings', async () => {
    const rates = await evaluateSmallSet(async (query) =>
      chunks
        .filter(({ title, content }) =>
          query.split(' ').every((w) => (title + content).includes(w)),
        )
        .map(idOf),
    );
    expect(rates.filter(({ hitAt3 }) => hitAt3 > 0.1)).toEqual([]);
  });

  it('has nicknames that only the synonyms explain', () => {
    const nicknames = Object.values(NOVELS).flatMap(({ synonyms }) =>
      synonyms.flatMap((group) => group.slice(1)),
    );
    const explained = QUERIES.aliases.filter(([query]) =>
      nicknames.some((name) => query.includes(name)),
    );
    expect(explained).toEqual(QUERIES.aliases);
  });
});

describe('evaluateSmallSet', () => {
  it('counts the chunk that is meant where it comes first, and where it is among the first three', async () => {
    const meant = new Map(queries);
    const best = await evaluateSmallSet(async (query) => [meant.get(query) ?? '']);
    expect(best.map(({ category }) => category)).toEqual(CATEGORIES);
    expect(best.every(({ hitAt1, hitAt3 }) => hitAt1 === 1 && hitAt3 === 1)).toBe(true);

    const third = await evaluateSmallSet(async (query) => ['', '', meant.get(query) ?? '']);
    expect(third.every(({ hitAt1, hitAt3 }) => hitAt1 === 0 && hitAt3 === 1)).toBe(true);

    const fourth = await evaluateSmallSet(async (query) => ['', '', '', meant.get(query) ?? '']);
    expect(formatRates(fourth)).toMatch(/^all +0\.000 {2}0\.000 {2}100$/mu);
  });
});

describeSmallSet('pairs of characters', async () => bigramBackend(), {
  width: 0.9,
  typos: 0.9,
  'long-vowel': 0.9,
});
