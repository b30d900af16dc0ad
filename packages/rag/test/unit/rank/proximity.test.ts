import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runs } from '../../../../providers/test/support/fuzz.ts';
import { NumberTable } from '../../../src/binary/packed-tables.ts';
import {
  bestProximity,
  CharacterScan,
  type ProximityChunk,
  type ProximityQuery,
  ProximityScorer,
} from '../../../src/rank/rerank.ts';
import { unitsOf, variantKanji } from '../../../src/rank/fold-text.ts';
import { WEIGHTS } from '../../../src/rank/weights.ts';

const TERMS = ['翻訳', '訳者', '通訳', 'かもめ'];
const PIECES = ['翻意', '訳', '通人', '者', 'の', '猫', '28', '三人', '\ud800', '々'];
const COUNTER = '人'.charCodeAt(0);

interface Word {
  readonly piece: string;
  readonly group: number;
}

const word = fc.record({
  piece: fc.constantFrom(...PIECES),
  group: fc.integer({ min: -3, max: TERMS.length - 1 }).map((group) => Math.max(-1, group)),
});
const chunk = fc.array(word, { maxLength: 60 });
const query = fc.record({
  values: fc.array(fc.integer({ min: 0, max: 8 }), {
    minLength: TERMS.length,
    maxLength: TERMS.length,
  }),
  number: fc.option(fc.constantFrom(5, 10), { nil: undefined }),
});

function queryOf({
  values,
  number,
}: {
  values: number[];
  number: number | undefined;
}): ProximityQuery {
  const words = TERMS.map((term, group) => ({ group, term, value: (values[group] ?? 0) || 6 }));
  return {
    groups: values,
    kanji: variantKanji(words),
    ...(number === undefined ? {} : { number: { counter: COUNTER, isDate: false, value: number } }),
  };
}

/** Scores one chunk after the other. */
function scorerOf(asked: ProximityQuery): (chunk: ProximityChunk) => number {
  const scan = new CharacterScan(new NumberTable(new Map()), asked.kanji.places);
  const scorer = new ProximityScorer(asked);
  return (one) => {
    scan.scan(one.units);
    return scorer.score(one, scan);
  };
}

/** Returns the value of a window's words, looked up one by one. */
function naiveSum(asked: ReturnType<typeof queryOf>, all: readonly Word[], at: number): number {
  const has = new Set(all.map(({ group }) => group));
  const from = Math.max(0, at - WEIGHTS.windowWords + 1);
  const found = new Map<string, number>();
  for (const { piece, group } of all.slice(from, at + 1)) {
    if (group >= 0) {
      found.set(`group ${group}`, asked.groups[group] ?? 0);
      continue;
    }
    for (const [place, term] of TERMS.entries()) {
      if (has.has(place)) continue;
      for (const kanji of term.match(/\p{sc=Han}/gu) ?? []) {
        if (!piece.includes(kanji)) continue;
        const value = ((asked.groups[place] ?? 0) || 6) / term.length;
        found.set(kanji, Math.max(found.get(kanji) ?? 0, value));
      }
    }
    if (asked.number && /28|三人/.test(piece)) found.set('number', asked.number.value);
  }
  return [...found.values()].reduce((sum, value) => sum + value, 0);
}

it('the best window is what looking into every window finds, chunk after chunk', () => {
  fc.assert(
    fc.property(query, fc.array(chunk, { minLength: 1, maxLength: 4 }), (asked, chunks) => {
      const made = queryOf(asked);
      const scoreOf = scorerOf(made);
      for (const words of chunks) {
        let text = '';
        const ends = words.map(({ piece }) => (text += piece).length);
        const score = scoreOf({
          hits: Int16Array.from(words, ({ group }) => group),
          ends: Uint32Array.from(ends),
          units: unitsOf(text),
        });
        const sums = words.map((_, at) => naiveSum(made, words, at));
        expect(score).toBeCloseTo(Math.max(0, ...sums), 9);
        expect(score).toBeLessThanOrEqual(bestProximity(made) + 1e-9);
      }
    }),
    { numRuns: runs(200) },
  );
});

it('long texts and texts of kanji alone fit', () => {
  const asked = queryOf({ values: [1, 2, 3, 4], number: 5 });
  const scoreOf = scorerOf(asked);
  const text = '訳者翻通'.repeat(5000);
  const one = { hits: Int16Array.of(-1), ends: Uint32Array.of(text.length), units: unitsOf(text) };
  // 翻, 訳, 通 and 者 once each, by the most telling word that has them.
  expect(scoreOf(one)).toBe(0.5 + 1.5 + 1.5 + 1);
});
