import { readFile } from 'node:fs/promises';
import Sqlite from 'better-sqlite3';
import { wordAnalyzer } from '@vizprompt/providers/text';
import { expect, it } from 'vitest';

const analyzer = wordAnalyzer({ stems: 'english' });
const indexed = (text: string): string[] =>
  analyzer.analyze(text, 'index').map((term) => term.text);
const asked = (text: string): string[] => analyzer.analyze(text, 'query').map((term) => term.text);

it('gives the stems that the porter tokenizer of SQLite gives', async () => {
  const database = new Sqlite(':memory:');
  database.exec("CREATE VIRTUAL TABLE stem USING fts5(word, tokenize = 'porter ascii')");
  database.exec("CREATE VIRTUAL TABLE stems USING fts5vocab(stem, 'row')");
  const texts = await Promise.all(
    ['README.md', 'CHANGELOG.md', 'LICENSE', 'CONTRIBUTING.md', 'docs/architecture.md'].map(
      (name) => readFile(new URL(`../../../../${name}`, import.meta.url), 'utf8').catch(() => ''),
    ),
  );
  const made = [
    'relational',
    'hopping',
    'falling',
    'agreed',
    'sky',
    'happy',
    'controll',
    'bareilles',
    // A word with each last letter there is.
    ...Array.from('abcdefghijklmnopqrstuvwxyz', (letter) => `relation${letter}`),
  ];
  const words = new Set([
    ...made,
    ...(texts
      .join(' ')
      .toLowerCase()
      .match(/[a-z]+/g) ?? []),
  ]);
  expect(words.size).toBeGreaterThan(300);
  for (const word of words) {
    database.prepare('INSERT INTO stem VALUES (?)').run(word);
    const stem = database.prepare('SELECT term FROM stems').pluck().get();
    database.exec('DELETE FROM stem');
    expect([word, asked(word)[0]]).toEqual([word, stem]);
    // The beginning of words decides where a stem may be.
    const found = analyzer.find?.(word, [{ text: String(stem), isPrefix: false }]);
    expect([word, found?.map(({ text }) => text)]).toEqual([word, indexed(word)]);
  }
  database.close();
});

it('keeps words as written next to their stems, also in parts of identifiers', () => {
  expect(indexed('Running')).toEqual(['running', 'run']);
  expect(indexed('cachedQueries')).toEqual([
    'cachedqueries',
    'cachedqueri',
    'cached',
    'cach',
    'queries',
    'queri',
  ]);
  expect(asked('querying')).toEqual(['queri']);
  expect(asked('parse_inputs')).toEqual(['parseinput', 'pars', 'input']);
  expect(indexed('JWTを使用し')).toEqual(
    wordAnalyzer()
      .analyze('JWTを使用し', 'index')
      .map((t) => t.text),
  );
});

it('takes the words that hold sentences together as weak, and no others', () => {
  const weak = analyzer.analyze('when did the tests run', 'query').filter(({ isWeak }) => isWeak);
  expect(weak.map(({ text }) => text)).toEqual(['when', 'did', 'the']);
  const others = analyzer.analyze('how many both might have said, go make a type of sort', 'query');
  expect(others.filter(({ isWeak }) => isWeak !== true).map(({ text }) => text)).toEqual([
    'go',
    'make',
    'type',
    'sort',
  ]);
  expect(
    wordAnalyzer()
      .analyze('when did', 'query')
      .some(({ isWeak }) => isWeak),
  ).toBe(false);
});
