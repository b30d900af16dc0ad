import type { EmbeddingModel } from '@vizprompt/providers';
import { describe, expect, it } from 'vitest';
import type { SegmentBackend } from '../../../src/index.ts';
import type { Fusion } from '../../../src/hybrid/fuse-hits.ts';
import { madeEmbeddings } from '../../support/made-embeddings.ts';
import { meaningOf, openHybrid as open, queries, REWORDED } from '../../support/open-hybrid.ts';
import { smallSetId } from '../../support/relevance/small-set.ts';

type Searches = Pick<SegmentBackend, 'search'>;

async function foundBy(
  backend: Searches,
  asked: readonly (readonly [string, string])[],
  k: number,
): Promise<number> {
  let found = 0;
  for (const [query, id] of asked) {
    const { hits } = await backend.search(query, { k });
    if (hits.some((hit) => smallSetId(hit) === id)) found++;
  }
  return found;
}

describe('the gate', () => {
  it('lets vectors that are noise change nothing', async () => {
    const { words, hybrid } = await open(madeEmbeddings(undefined, 1));
    for (const [query] of [...queries, ...REWORDED]) {
      const before = (await words.search(query, { k: 10 })).hits.map(({ id }) => id);
      const after = (await hybrid.search(query, { k: 10 })).hits.map(({ id }) => id);
      expect([query, after.slice(0, before.length)]).toEqual([query, before]);
    }
  });

  it('keeps the order of words that have all of a question, whatever the vectors say', async () => {
    // Each question is nearest to a wrong text.
    const wrong = new Map(queries.map(([query, id]) => [query, id === 'gake' ? 'yane' : 'gake']));
    const { words, hybrid } = await open(
      madeEmbeddings((text) => wrong.get(text) ?? meaningOf(text)),
    );
    const exact = '日が沈むと源造は螺旋階段を百二十段のぼる';
    const [first] = (await words.search(exact)).hits;
    expect((await hybrid.search(exact)).hits[0]?.id).toBe(first?.id);
    const lost = (await foundBy(words, queries, 1)) - (await foundBy(hybrid, queries, 1));
    expect(lost).toBeLessThanOrEqual(1);
  });

  it('gives vectors room where words have little of a question', async () => {
    const { words, hybrid } = await open(madeEmbeddings(meaningOf));
    const before = await foundBy(words, REWORDED, 1);
    expect(await foundBy(hybrid, queries, 1)).toBeGreaterThanOrEqual(
      await foundBy(words, queries, 1),
    );
    // Now it is known that they are no noise.
    expect(await foundBy(hybrid, REWORDED, 1)).toBeGreaterThan(before);
  });

  it('can be left open, and noise then counts', async () => {
    const { words, hybrid } = await open(madeEmbeddings(), { gate: 1, by: 'ranks' });
    const lost = (await foundBy(words, queries, 1)) - (await foundBy(hybrid, queries, 1));
    expect(lost).toBeGreaterThan(3);
  });
});

describe('vectors:weak', () => {
  async function reports(embeddings: EmbeddingModel, fusion: Fusion): Promise<unknown[]> {
    const { hybrid } = await open(embeddings, fusion);
    const seen: unknown[] = [];
    hybrid.events.on('vectors:weak', (event) => seen.push(event));
    for (const [query] of queries) await hybrid.search(query);
    return seen;
  }

  it('is emitted once where ranks are fused with vectors that are noise', async () => {
    const [event, ...others] = await reports(madeEmbeddings(), { by: 'ranks' });
    expect(event).toEqual({ questions: 20, agreed: expect.any(Number) as number });
    expect(others).toEqual([]);
  });

  it('is not emitted for vectors as good as words, or where the gate is closed', async () => {
    expect(await reports(madeEmbeddings(meaningOf), { by: 'ranks' })).toEqual([]);
    expect(await reports(madeEmbeddings(), {})).toEqual([]);
  });
});
