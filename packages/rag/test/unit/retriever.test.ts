import { describe, expect, it } from 'vitest';
import { testRetriever } from '@vizprompt/providers/testing';
import { KeywordFlexBackend } from '../../src/backends/keyword-flex-backend.ts';
import { evaluate, formatEvaluation } from '../../src/retrieval/evaluate.ts';
import { citationOf, retriever } from '../../src/retrieval/retriever.ts';
import { paragraphs, scriptAnalyzer } from '../../src/testing/index.ts';

async function openNovel(): Promise<KeywordFlexBackend> {
  const backend = await KeywordFlexBackend.open({
    analyzer: scriptAnalyzer(),
    chunking: paragraphs,
  });
  const files = { 'a.md': '灯台の朝\n\n嵐の夜\n二行目', 'b.md': '嵐の海', 'c.md': '猫の島' };
  for (const [filePath, text] of Object.entries(files)) {
    await backend.updateFile({ novelId: '灯台', filePath, text, tags: [filePath] });
  }
  return backend;
}

testRetriever({
  name: 'a search backend',
  runner: { describe, it },
  open: async () => {
    const backend = await openNovel();
    return {
      subject: { retriever: retriever(backend), query: '嵐', matches: 2 },
      close: () => backend.close(),
    };
  },
});

describe('a retriever', () => {
  it('refuses what is no filter, for all questions or for one', async () => {
    await using backend = await openNovel();
    const wrong = JSON.parse('{ "filter": { "projects": "灯台" } }');
    expect(() => retriever(backend, wrong)).toThrow(
      `the option 'filter.projects' of retriever: expected an array of strings, got "灯台"`,
    );
    await expect(
      retriever(backend).retrieve('嵐', JSON.parse('{ "filter": "嵐" }')),
    ).rejects.toThrow('the filter of retrieve: expected an object, got "嵐"');
  });

  it('names file, lines and project of a passage, and can take the text around', async () => {
    await using backend = await openNovel();
    const [passage] = await retriever(backend).retrieve('夜');
    expect(passage).toMatchObject({
      text: '嵐の夜\n二行目',
      source: { kind: 'document', uri: 'a.md', start: 3, end: 4 },
      meta: { project: '灯台', tags: ['a.md'] },
    });
    expect(passage && citationOf(passage)).toBe('a.md:3-4');
    const wide = retriever(backend, { expand: { before: 1 } });
    const [around] = await wide.retrieve('夜');
    expect(around?.source).toMatchObject({ start: 1, end: 4 });
    expect(around?.text).toBe('灯台の朝\n\n嵐の夜\n二行目');
  });

  it('filters by projects, files and tags, within what it is limited to', async () => {
    await using backend = await openNovel();
    const limited = retriever(backend, { filter: { files: ['a.md', 'c.md'], tags: ['a.md'] } });
    const files = async (filter: Record<string, string | string[]>): Promise<string[]> =>
      (await limited.retrieve('嵐', { filter })).map(({ source }) => source.uri);
    expect(await files({})).toEqual(['a.md']);
    expect(await files({ projects: '灯台', tags: 'a.md' })).toEqual(['a.md']);
    expect(await files({ files: 'b.md' })).toEqual([]);
    expect(await files({ projects: ['他'] })).toEqual([]);
    await expect(files({ author: 'x' })).rejects.toThrow("no filter 'author'");
  });
});

describe('an evaluation', () => {
  it('counts ranks, gains and empty answers as the definitions say', async () => {
    await using backend = await openNovel();
    const evaluation = await evaluate(backend, [
      { question: '猫', relevant: ['c.md'] },
      { question: '嵐', relevant: ['a.md', 'b.md'] },
      { question: '灯台', relevant: ['b.md'] },
      { question: 'zebra', relevant: ['a.md'] },
    ]);
    expect(evaluation.ranks).toEqual([1, 1, 0, 0]);
    expect(evaluation.hitAt1.mean).toBe(0.5);
    expect(evaluation.mrr.mean).toBe(0.5);
    expect(evaluation.ndcg.mean).toBeCloseTo(0.5, 9);
    expect(evaluation.empty).toBe(1);
    expect(evaluation.hitAtK.low).toBeLessThan(0.5);
    expect(evaluation.hitAtK.high).toBeGreaterThan(0.5);
    const table = formatEvaluation({ words: evaluation });
    expect(table.split('\n')).toHaveLength(2);
    expect(table).toMatch(
      /hit@1 +hit@10 +MRR@10 +nDCG@10 +questions +empty\nwords +0\.500 0\.\d{3}-/,
    );
    await expect(evaluate(backend, [])).rejects.toThrow('no questions');
    await expect(evaluate(backend, [{ question: 'x', relevant: [] }])).rejects.toThrow("'x'");
  });

  it('gives half of the gain to a second place, by the logarithm', async () => {
    await using backend = await openNovel();
    const hits = (await backend.search('嵐')).hits.map(({ payload }) => payload.file);
    const { ndcg, mrr } = await evaluate(backend, [{ question: '嵐', relevant: [hits[1] ?? ''] }]);
    expect(ndcg.mean).toBeCloseTo(1 / Math.log2(3), 9);
    expect(mrr.mean).toBe(0.5);
  });
});
