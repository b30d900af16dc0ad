import { expect, it } from 'vitest';
import type { Analyzer, Word } from '../../src/analyze/analyzer.ts';
import { KeywordFlexBackend } from '../../src/backends/keyword-flex-backend.ts';
import { paragraphs, scriptAnalyzer } from '../support/search-index.ts';

/** Knows one verb. */
function verbAnalyzer(): Analyzer {
  const base = scriptAnalyzer();
  const words = (text: string): readonly Word[] =>
    [...text.matchAll(/走(?:っ|る)|./gu)].map(({ 0: word, index: start }) => {
      const isVerb = word.startsWith('走');
      const facts = { start, end: start + word.length, reading: '', isContent: isVerb };
      return { ...facts, basic: isVerb ? '走る' : word, pos: isVerb ? '動詞' : '' };
    });
  return { ...base, words, readings: (basic) => (basic === '走る' ? ['ハシル'] : []) };
}

it('finds inflected words by their basic form, their reading and their written form', async () => {
  const backend = await KeywordFlexBackend.open({
    analyzer: verbAnalyzer(),
    chunking: paragraphs,
  });
  await backend.updateFile({ novelId: '灯台', filePath: 'a.md', text: '夜に走った。' });
  for (const query of ['走る', '走っ*', '*る', 'よみ:はしる']) {
    const [hit] = (await backend.search(query)).hits;
    expect([query, hit?.match.highlights]).toEqual([query, [[2, 4]]]);
  }
  await backend.removeByFile({ novelId: '灯台', filePath: 'a.md' });
  expect((await backend.search('走っ*')).total).toBe(0);
});
