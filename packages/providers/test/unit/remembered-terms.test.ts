import { wordAnalyzer, type TextAnalyzer } from '@vizprompt/providers/text';
import { expect, it } from 'vitest';
import { randomNumbers } from '../support/fuzz.ts';
import { termTexts } from '../../src/analysis/terms.ts';

interface Terms {
  readonly line: string;
  readonly extra: string;
}

/** Returns the stored terms of a text, which may have cached words, lines and texts. */
function rememberedTerms(analyzer: TextAnalyzer, text: string): Terms {
  const { line, extra } = termTexts(analyzer, text);
  return { line: line.join(' '), extra: extra.join(' ') };
}

/** Returns the stored terms of a text when nothing is cached. */
function plainTerms(analyzer: TextAnalyzer, text: string): Terms {
  const { terms: _terms, ...plain } = analyzer;
  return rememberedTerms(plain, text);
}

it('analysers of one kind share what they remember, which takes megabytes', () => {
  expect(wordAnalyzer().terms).toBe(wordAnalyzer({ stems: 'none' }).terms);
  const english = wordAnalyzer({ stems: 'english' });
  expect(english.terms).toBe(wordAnalyzer({ stems: 'english' }).terms);
  expect(termTexts(english, 'running')).not.toEqual(termTexts(wordAnalyzer(), 'running'));
});

it.each(['none', 'english'] as const)(
  'words, lines and texts that come again have the terms that they had (%s)',
  (stems) => {
    const analyzer = wordAnalyzer({ stems });
    const next = randomNumbers();
    const words = [
      '認証',
      'Running',
      'parse_user_input',
      'ｶﾞｷﾞ',
      'é',
      'a'.repeat(70),
      '🐈',
      ' ',
      'C++',
      '(C#)',
      '.NET',
      '渡邊',
      '𠮷野',
    ];
    // So many that some take the places of others, and many begin and end alike.
    const word = (): string =>
      next(3) === 0 ? (words[next(words.length)] ?? '') : `word${next(50_000)}s`;
    const line = (): string => Array.from({ length: 1 + next(12) }, word).join(' ');
    const lines = Array.from({ length: 300 }, line);
    const texts: string[] = [];
    for (let text = 0; text < 20; text++) {
      const some = Array.from({ length: 40 }, () =>
        next(2) === 0 ? line() : (lines[next(lines.length)] ?? ''),
      );
      texts.push(some.join('\n'));
      const whole = texts[next(texts.length)] ?? '';
      expect(rememberedTerms(analyzer, whole)).toEqual(plainTerms(analyzer, whole));
    }
  },
);

it('texts of more words and lines than there is room for have all their terms', () => {
  const analyzer = wordAnalyzer({ stems: 'english' });
  const texts = Array.from({ length: 60 }, (_, text) =>
    Array.from({ length: 100 }, (__, line) =>
      Array.from(
        { length: 9 },
        (___, at) => `w${text}x${line}y${at}${'a'.repeat(30)}_running語彙`,
      ).join(' '),
    ).join('\n'),
  );
  // Lines are remembered when they come again, and found from then on.
  for (const text of texts) {
    const plain = plainTerms(analyzer, text);
    for (let time = 0; time < 3; time++) expect(rememberedTerms(analyzer, text)).toEqual(plain);
  }
});

it.each([
  ['ASCII', 'plain words of_ASCII'],
  ['Latin-1', 'déjà vu ÿ'],
  [
    'more units than are stored for the next one',
    '吾輩は猫である wordsOfIt\n'.repeat(4200).padEnd(2 ** 20 + 1),
  ],
  ['half a character', 'a \ud800 b 語\udc00'],
  ['nothing', ''],
  ['no word', ' \0\n.,'],
])('a text of %s has its terms', (_, text) => {
  const analyzer = wordAnalyzer({ stems: 'english' });
  const [plain, another] = [text, 'another 別の text'].map((each) => plainTerms(analyzer, each));
  expect(rememberedTerms(analyzer, text)).toEqual(plain);
  expect(rememberedTerms(analyzer, 'another 別の text')).toEqual(another);
  expect(rememberedTerms(analyzer, text)).toEqual(plain);
});
