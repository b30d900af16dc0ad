import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Word } from '../../src/analyze/analyzer.ts';
import { Chunk, chunkAnalyzer, termsOf, TITLE_PREFIX } from '../../src/chunk/chunk.ts';
import { WordMemory } from '../../src/sql/word-memory.ts';

/** Words of one or two characters, with every number of further terms. */
function words(text: string): readonly Word[] {
  return [...text.matchAll(/[^\s]{1,2}/gu)].map(({ 0: surface, index }, at): Word => {
    const extra = [[], [surface], ['a'], ['a', surface], ['a', 'a', 'b']][at % 7];
    const basic = at % 3 === 0 ? `${surface}る` : surface;
    const isContent = at % 5 < 4;
    const place = { start: index, end: index + surface.length };
    return { ...place, basic, reading: '', pos: '', isContent, ...(extra ? { extra } : {}) };
  });
}

const chunk = fc
  .record({
    content: fc.string({ unit: fc.constantFrom(...Array.from('灯台守と 嵐𠮷a')), maxLength: 60 }),
    title: fc.string({ unit: fc.constantFrom(...Array.from('灯台 ')), maxLength: 4 }),
    overlap: fc.nat(9),
  })
  .map(({ content, title, overlap }) => {
    const where = { novelId: 'n', filePath: 'f', chunkIndex: 0, startLine: 1, endLine: 1 };
    return new Chunk({ ...where, title, content, overlap: Math.min(overlap, content.length) });
  });

test('chunks have the words and terms that other backends find, and each is analyzed once', () => {
  fc.assert(
    fc.property(fc.array(chunk, { maxLength: 6 }), (chunks) => {
      let calls = 0;
      const memory = new WordMemory({ words: (text) => (calls++, words(text)) });
      const analyze = chunkAnalyzer({ words });
      for (const one of chunks) {
        const expected = termsOf(analyze(one));
        const found = memory.wordsOf(one);
        const before = calls;
        expect(memory.wordsOf(one)).toBe(found);
        expect(calls).toBe(before);
        const key = (id: number): string => memory.ids.keyOf(id);
        const read: { start: number; end: number; terms: readonly string[] }[] = [];
        for (let at = 0; at < found.words.length;) {
          const [start = 0, end = 0, kind = 0] = found.words.subarray(at, at + 3);
          const terms = Array.from(found.words.subarray(at + 3, at + 3 + (kind >> 1)), key);
          const isOwn = terms.length === 1 && terms[0] === one.content.slice(start, end);
          expect(kind & 1).toBe(isOwn ? 1 : 0);
          read.push({ start, end, terms });
          at += 3 + (kind >> 1);
        }
        expect(read).toEqual(expected.words);
        expect(found.count).toBe(read.length);
        expect(found.titles.map(key)).toEqual(expected.titles.map((term) => TITLE_PREFIX + term));
      }
    }),
  );
});

test('words stay what they were when those of many chunks follow', () => {
  const memory = new WordMemory({ words });
  const analyze = chunkAnalyzer({ words });
  // The last one has more words than the memory that is allocated for the others at once.
  const chunks = [...Array.from({ length: 300 }, () => 100), 20_000].map((times, at) => {
    const where = { novelId: 'n', filePath: 'f', chunkIndex: at, startLine: 1, endLine: 1 };
    return new Chunk({ ...where, title: '', content: `${at}番の灯台守 `.repeat(times) });
  });
  const found = chunks.map((one) => memory.wordsOf(one).words);
  for (const [at, one] of chunks.entries()) {
    const { words: expected } = termsOf(analyze(one));
    const numbers = expected.flatMap(({ start, end, terms }) => {
      const surface = one.content.slice(start, end);
      const isOwn = terms.length === 1 && terms[0] === surface;
      const ids = terms.map((term) => memory.ids.idOf(term));
      return [start, end, terms.length * 2 + (isOwn ? 1 : 0), ...ids];
    });
    expect(Array.from(found[at] ?? [])).toEqual(numbers);
  }
});
