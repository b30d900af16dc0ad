import { describe, expect, it } from 'vitest';
import { formatProposal, proposeFusion, type EvaluationQuestion } from '../../../src/index.ts';
import { madeEmbeddings } from '../../support/made-embeddings.ts';
import { meaningOf, openHybrid, queries, REWORDED } from '../../support/open-hybrid.ts';

const QUESTIONS: readonly EvaluationQuestion[] = [...queries, ...REWORDED].map(
  ([question, id]) => ({ question, relevant: [`notes/${id}.md`] }),
);

describe('proposeFusion', () => {
  it('proposes that vectors count where they know more than words, and says what it costs', async () => {
    const { hybrid } = await openHybrid(madeEmbeddings(meaningOf));
    const proposal = await proposeFusion(hybrid, QUESTIONS);
    const { words, vectors, proposed } = proposal;
    expect(vectors.hitAt1.mean).toBe(1);
    expect(proposed?.evaluation.mrr.mean).toBeGreaterThan(words.mrr.mean);
    expect(proposed?.better).toBeGreaterThan(0);
    expect(proposed?.worse).toBe(0);
    expect(formatProposal(proposal)).toContain(
      `proposed: gate ${proposed?.gate}, weight ${proposed?.weight}: MRR +`,
    );
    expect(formatProposal(proposal)).toContain('questions better, 0 worse');
  });

  it('proposes the default for vectors that are noise, which it shows', async () => {
    const { hybrid } = await openHybrid(madeEmbeddings());
    const proposal = await proposeFusion(hybrid, QUESTIONS, { k: 5 });
    expect(proposal.proposed).toBeUndefined();
    expect(proposal.vectors.hitAt1.mean).toBeLessThan(0.2);
    expect(proposal.tried).toHaveLength(12);
    // The cost of vectors that always count.
    const open = proposal.tried.find(({ gate, weight }) => gate === 1 && weight === 1);
    expect(open?.worse).toBeGreaterThan(open?.better ?? 0);
    expect(formatProposal(proposal)).toContain('proposed: the default.');
  });

  it('has the figures of the backend with these settings', async () => {
    const fusion = { gate: 1, weights: { keyword: 1, vector: 0.5 } };
    const { hybrid } = await openHybrid(madeEmbeddings(), fusion);
    const { tried } = await proposeFusion(hybrid, QUESTIONS);
    const one = tried.find(({ gate, weight }) => gate === 1 && weight === 0.5);
    const firsts: boolean[] = [];
    for (const { question, relevant } of QUESTIONS) {
      const [first] = (await hybrid.search(question)).hits;
      firsts.push(first?.payload.file === relevant[0]);
    }
    expect(one?.evaluation.ranks.map((rank) => rank === 1)).toEqual(firsts);
  });

  it('refuses a backend without vectors', async () => {
    await expect(proposeFusion(JSON.parse('{}'), QUESTIONS)).rejects.toThrow('a HybridBackend');
  });
});
