import { readFile } from 'node:fs/promises';
import Sqlite from 'better-sqlite3';
import { wordAnalyzer } from '@vizprompt/providers/text';
import { expect, it } from 'vitest';
import { irregularBases, irregularForms } from '../../src/analysis/porter-stemmer.ts';

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
  const regularStem = (word: string): string => {
    database.prepare('INSERT INTO stem VALUES (?)').run(word);
    const stem = String(database.prepare('SELECT term FROM stems').pluck().get());
    database.exec('DELETE FROM stem');
    return stem;
  };
  for (const word of words) {
    const regular = regularStem(word);
    // SQLite knows no irregular forms: they have the stem of their base.
    const base = irregularBases().get(word) ?? irregularBases().get(regular);
    const stem = base === undefined ? regular : regularStem(base);
    expect([word, asked(word)[0]]).toEqual([word, stem]);
    // The beginning of words decides where a stem may be.
    const found = analyzer.find?.(word, [{ text: stem, isPrefix: false }]);
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

it('finds irregular forms of a word by each other, and other words as before', () => {
  const lines = [
    'write wrote written',
    'choose chose chosen',
    'swim swam swum',
    'build built',
    'throw threw thrown',
    'child children',
    'knife knives',
    'woman women',
  ];
  for (const line of lines) {
    const [base = '', ...others] = line.split(' ');
    const [stem = ''] = asked(base);
    expect([base, irregularForms(stem)]).toEqual([base, expect.arrayContaining(others)]);
    for (const form of others) {
      expect([form, asked(form)]).toEqual([form, [stem]]);
      expect(indexed(`he_${form}`)).toContain(stem);
      // A snippet shows the form, which begins in another way than its stem.
      const found = analyzer.find?.(`They ${form} it`, [{ text: stem, isPrefix: false }]) ?? [];
      expect(found.filter(({ text }) => text === stem)).toMatchObject([
        { start: 5, end: 5 + form.length },
      ]);
    }
  }
  for (const word of ['left', 'bound', 'ground', 'led', 'lives', 'rose', 'found', 'went', 'made']) {
    expect([word, irregularBases().get(word)]).toEqual([word, undefined]);
  }
  // Text between double quotes is looked for as it is, and without stems nothing changes.
  const plain = wordAnalyzer();
  expect(plain.analyze('wrote', 'index').map(({ text }) => text)).toEqual(['wrote']);
  expect(plain.analyze('wrote', 'query').map(({ text }) => text)).toEqual(['wrote']);
});

it('finds each irregular form with the endings of other words, too', () => {
  for (const [form, base] of irregularBases()) {
    const [stem = ''] = asked(base);
    expect([base, irregularBases().get(base), irregularBases().get(stem)]).toEqual([
      base,
      undefined,
      undefined,
    ]);
    // The stem of 'ates' is that of 'at'.
    for (const word of /s$|^ate$/.test(form) ? [form] : [form, `${form}s`]) {
      expect([word, asked(word)]).toEqual([word, [stem]]);
      expect(indexed(word)).toContain(stem);
      const found = analyzer.find?.(word, [{ text: stem, isPrefix: false }]);
      expect([word, found?.map(({ text }) => text)]).toEqual([word, indexed(word)]);
    }
  }
});

it.each([
  'felt felted felting',
  'fell felled felling',
  'halves halve halved halving',
  'shelves shelved',
  'teeth teething',
  'broken brokenness',
  'rung rungs',
  'range rang ranges',
  'proven provenance',
])('finds what has the stem of an irregular form, as before: %s', (line) => {
  const [first = '', ...others] = line.split(' ');
  for (const word of others) expect([word, asked(word)]).toEqual([word, asked(first)]);
});

it.each(['range ring', 'provenance prove', 'at eat', 'born bear', 'foundation find'])(
  'takes no other word for an irregular form: %s',
  (line) => {
    const [word = '', base = ''] = line.split(' ');
    expect(indexed(word)).not.toContain(asked(base)[0]);
  },
);
