import assert from 'node:assert/strict';
import { type Term, type TextAnalyzer } from '../analysis/text-analyzer.ts';
import { termTexts } from '../analysis/terms.ts';
import {
  type ContractCase,
  declareSuite,
  difficultTexts,
  type SuiteOptions,
} from './contract-suite.ts';

const texts = [
  ...difficultTexts,
  'JWTを使用し、authMiddlewareで認証する。ｻｰﾊﾞｰは HTTPServer v2.1',
  'x'.repeat(3000),
  'あ'.repeat(3000),
];

/** The cases of the `TextAnalyzer` contract. */
export const textAnalyzerCases: readonly ContractCase<TextAnalyzer>[] = [
  {
    name: 'gives terms without spaces, with offsets into the original',
    async run(analyzer) {
      for (const text of texts) {
        for (const term of analyzer.analyze(text, 'index')) {
          assert.match(term.text, /^\S+$/);
          assert.ok(0 <= term.start && term.start < term.end && term.end <= text.length);
          assert.ok(text.slice(term.start, term.end).isWellFormed());
        }
      }
    },
  },
  {
    name: 'counts positions up in the order of the text',
    async run(analyzer) {
      for (const text of texts) {
        const line = analyzer
          .analyze(text, 'index')
          .filter(({ position }) => position !== undefined);
        assert.deepEqual(
          line.map(({ position }) => position),
          line.map((_, index) => index),
        );
      }
    },
  },
  {
    name: 'gives the same terms without their places, if it does',
    async run(analyzer) {
      if (!analyzer.terms) return;
      // Twice: what is remembered is what was found.
      for (const text of [...texts, ...texts, texts.join(' '), texts.join('')]) {
        const terms = analyzer.analyze(text, 'index');
        const line = terms.filter(({ position }) => position !== undefined);
        const extra = terms.filter(({ position }) => position === undefined);
        const found = termTexts(analyzer, text);
        assert.equal(found.line.join(' '), line.map((term) => term.text).join(' '));
        assert.equal(found.extra.join(' '), extra.map((term) => term.text).join(' '));
      }
    },
  },
  {
    name: 'finds all terms that are looked for in their places, if it does',
    async run(analyzer) {
      if (!analyzer.find) return;
      for (const text of texts) {
        const all = analyzer.analyze(text, 'index');
        for (const term of new Set(all.map((one) => one.text))) {
          const isWanted = (one: Term): boolean => one.text === term;
          const placesOf = (terms: readonly Term[]): readonly string[] =>
            terms.filter(isWanted).map(({ start, end }) => `${start} to ${end}`);
          const found = analyzer.find(text, [{ text: term, isPrefix: false }]);
          assert.deepEqual(placesOf(found), placesOf(all), term);
        }
      }
    },
  },
  {
    name: 'asks for terms that the same text is stored under',
    async run(analyzer) {
      for (const text of ['認証', '猫', 'JWT', 'authMiddleware', 'ｻｰﾊﾞｰ', 'Ａ１', 'café', '🐈']) {
        const stored = analyzer.analyze(text, 'index').map((term) => term.text);
        const asked = analyzer.analyze(text, 'query');
        assert.ok(asked.length > 0, text);
        assert.ok(
          asked.some((term) => stored.includes(term.text)),
          text,
        );
      }
    },
  },
  {
    name: 'gives the same terms for the same text, in linear time',
    async run(analyzer) {
      const text = '長い文章を句読点なしで続けるとJWTのような語も混ざる';
      assert.deepEqual(analyzer.analyze(text, 'index'), analyzer.analyze(text, 'index'));
      // Time that grows with the square of this length would exceed the limit of any test runner.
      const [short, long] = [100, 3000].map(
        (repeats) => analyzer.analyze(text.repeat(repeats), 'index').length,
      );
      assert.ok(short !== undefined && long !== undefined && Math.abs(long - 30 * short) < 100);
    },
  },
];

/** Declares the tests of the `TextAnalyzer` contract; see `testFileStore` for an example. */
export function testTextAnalyzer(options: SuiteOptions<TextAnalyzer>): void {
  declareSuite('TextAnalyzer', textAnalyzerCases, options);
}
