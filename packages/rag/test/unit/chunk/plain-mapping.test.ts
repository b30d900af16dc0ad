import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../providers/test/support/fuzz.ts';
import { readPlainMapping } from '../../../src/chunk/markdown/plain-mapping.ts';
import { readYamlMapping } from '../../../src/chunk/markdown/yaml-mapping.ts';

const WORDS = [
  'title',
  'tags',
  '霧の島',
  '第1章　港',
  '「夜」',
  '2024-01-01',
  'a_b',
  '1.5/2',
  '😀',
  'é',
];
const NOTHING = ['null', 'Null', 'NULL', 'nULL', '~', ''];
const SIGNS = '-?:,[]{}#&*!|>\'"%@`\\^$()=+~_./<;'.split('');
const BLANKS = ['\u{a0}', '\u{3000}', '\u{85}', '\u{2028}', '\u{feff}', '\0', '\u{7f}', '\t', '  '];
const PIECES = fc.oneof(
  { weight: 30, arbitrary: fc.constantFrom(...WORDS) },
  { weight: 1, arbitrary: fc.constantFrom(...NOTHING, ...BLANKS) },
  { weight: 1, arbitrary: fc.constantFrom(...SIGNS) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 3 }) },
);
const text = fc
  .tuple(PIECES, fc.array(fc.tuple(fc.constantFrom('', ' ', '  '), PIECES), { maxLength: 2 }))
  .map(([first, others]) => first + others.flat().join(''));
const scalar = fc.oneof(
  { weight: 6, arbitrary: text },
  { weight: 2, arbitrary: text.map((inner) => `"${inner}"`) },
  { weight: 2, arbitrary: text.map((inner) => `'${inner}'`) },
);
const blanks = fc.oneof(
  { weight: 20, arbitrary: fc.constantFrom('', ' ', '  ') },
  { weight: 1, arbitrary: fc.constant('\t') },
);
const list = fc
  .tuple(fc.array(fc.tuple(blanks, scalar, blanks), { maxLength: 3 }), fc.constantFrom('', '', ','))
  .map(([items, end]) => `[${items.map((item) => item.join('')).join(',')}${end}]`);
const indents = fc.oneof(
  { weight: 9, arbitrary: fc.constant('  ') },
  { weight: 1, arbitrary: fc.constantFrom('', '   ') },
);
const items = fc
  .array(fc.tuple(indents, scalar), { minLength: 1, maxLength: 3 })
  .map((lines) => lines.map(([indent, item]) => `\n${indent}- ${item}`).join(''));
const value = fc.oneof(fc.constant(''), scalar, list, items);
const between = fc.oneof(
  { weight: 9, arbitrary: fc.constant(': ') },
  { weight: 1, arbitrary: fc.constantFrom(':', ':  ', ' : ') },
);
const ends = fc.constantFrom('\n', '\n', '\n\n');
const entry = fc.tuple(text, between, value, blanks, ends).map((parts) => parts.join(''));
const yaml = fc.array(entry, { minLength: 1, maxLength: 4 }).map((entries) => entries.join(''));

describe('plain YAML', () => {
  it('is read as the parser reads it, or left to it', async () => {
    let plain = 0;
    const cases = runs(600);
    await fc.assert(
      fc.asyncProperty(yaml, async (written) => {
        const found = readPlainMapping(written);
        if (found === undefined) return;
        plain += 1;
        expect([...found]).toEqual([...((await readYamlMapping(written)) ?? [])]);
      }),
      { numRuns: cases },
    );
    expect(plain).toBeGreaterThan(cases / 10);
  });

  it.each([
    'title: 灯台の島',
    'title: "灯台の島: 序"',
    "title: '#1'",
    'tags: [伏線, "鍵", 第 1 章]',
    'tags:\n  - 伏線\n  - 鍵',
    'tags:\n- 伏線\n\ntitle: 島',
    'date: 2024-01-01\ndraft: true\nweight:\nauthor: null',
  ])('needs no parser: %j', async (written) => {
    const found = readPlainMapping(`${written}\n`);
    expect([...(found ?? [])]).toEqual([
      ...((await readYamlMapping(`${written}\n`)) ?? [undefined]),
    ]);
  });

  it.each([
    ['another indent', 'tags:\n  - a\n   - b\n'],
    ['a list below a word', 'tags: a\n- b\n'],
    ['a word on two lines', 'title: a\n  b\n'],
    ['a comment', 'title: a #b\n'],
    ['an escape', String.raw`title: "\u53f0"` + '\n'],
    ['a colon', 'title: a: b\n'],
    ['a key that is nothing', 'null: a\n'],
    ['a very long key', `${'a'.repeat(1100)}: b\n`],
    ['text', 'title: a\n霧が出た。\n'],
    ['nothing', '\n'],
  ])('is not %s', (_, written) => {
    expect(readPlainMapping(written)).toBeUndefined();
  });
});
