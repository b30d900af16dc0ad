import { parseQuery } from '@vizprompt/rag';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyString, runs } from '../../../../providers/test/support/fuzz.ts';
import { compileRegex, type CompiledRegex } from '../../../src/query/compile-regex.ts';
import { literalsOf } from '../../../src/query/regex-literals.ts';

async function regexOf(query: string): Promise<CompiledRegex> {
  const clause = parseQuery(query).clauses.find(({ kind }) => kind === 'regex');
  if (clause?.kind !== 'regex') throw new Error(`no regular expression in ${query}`);
  return compileRegex(clause);
}

describe('compileRegex', () => {
  it.each<[string, string, boolean]>([
    ['/第[0-9]+章/', '目次 第12章', true],
    ['/^海/', '空\n海', false],
    ['/^海/m', '空\n海', true],
    ['/空.海/', '空\n海', false],
    ['/空.海/sgu', '空\n海', true],
    ['/TOKEN/', 'token', false],
    ['/TOKEN/i', 'token', true],
    ['/\\p{Han}{2}\\/\\d/', '灯台/1', true],
  ])('%s on %j: %s', async (query, text, isMatch) => {
    expect((await regexOf(query)).test(text)).toBe(isMatch);
  });

  it('gives UTF-16 ranges, as many as asked for, without empty ones', async () => {
    const regex = await regexOf('/𠮷.|x*/');
    expect(regex.ranges('a𠮷野家xx𠮷', 10)).toEqual([
      [1, 4],
      [5, 7],
    ]);
    expect(regex.ranges('x x x', 2)).toHaveLength(2);
    expect(regex.ranges('x', 0)).toEqual([]);
  });

  it.each([
    ['/(a+)+$/', false],
    ['/(a|aa)+$/', false],
    ['/(.*)*x/', false],
    ['/(a?){30}a{30}b/', false],
  ])('tests %s on 100,000 characters', async (query, isMatch) => {
    const regex = await regexOf(query);
    // By backtracking it would not end before the limit of the tier.
    expect(regex.test(`${'a'.repeat(100_000)}!`)).toBe(isMatch);
  });

  it.each<[string, number, string]>([
    ['灯台 /a(?=b)/', 5, 'no lookaround'],
    ['-/a(?<!b)c/', 3, 'no lookaround'],
    ['/(a)\\1/', 4, 'no backreferences'],
    ['/a++/', 2, 'linear time'],
    ['/灯(台/', 2, 'missing closing )'],
    ['/灯)台/', 2, 'unexpected )'],
    ['/[灯/', 1, 'missing closing ]'],
    ['/灯|*/', 3, 'missing argument'],
    ['/灯**/i', 2, 'invalid nested repetition'],
    ['/\\u3042/', 1, 'x{3042}'],
    ['/[z-a]/', 2, 'invalid character class range'],
    ['/灯{1001}/', 2, 'invalid repeat count'],
    ['/(?:灯台の夜){900}/', 1, 'may have 2000'],
  ])('refuses %s with the place and the fix', async (query, position, message) => {
    await expect(regexOf(query)).rejects.toMatchObject({
      name: 'SearchError',
      code: 'query-invalid',
      position,
      message: expect.stringContaining(message),
    });
  });

  it('either compiles or says where in the query, whatever is between the slashes', async () => {
    const pieces = [
      '(',
      ')',
      '[',
      ']',
      '{2,3}',
      '*',
      '+',
      '?',
      '|',
      '\\',
      '^',
      '(?i)',
      '(?=',
      '\\Q',
    ];
    const piece = fc.oneof(fc.constantFrom(...pieces), anyString({ maxLength: 2 }));
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 8 }), async (parts) => {
        const query = `あ /${parts.join('')}/ い`;
        for (const clause of parseQuery(query).clauses) {
          if (clause.kind !== 'regex') continue;
          const position = await compileRegex(clause).then(
            () => clause.start,
            (error: { readonly position: number }) => error.position,
          );
          expect(position).toBeGreaterThanOrEqual(clause.start);
          expect(position).toBeLessThan(clause.end);
        }
      }),
      { numRuns: runs(100) },
    );
  });
});

describe('literalsOf', () => {
  const digits = Array.from('0123456789');

  it.each<[string, readonly (readonly string[])[]]>([
    [
      '第[1-3]章の(夜明け|朝)?鐘',
      [[1, 2, 3].flatMap((n) => [`第${n}章の夜明け鐘`, `第${n}章の朝鐘`, `第${n}章の鐘`])],
    ],
    [
      '第[1-3]+章',
      [
        ['第1', '第2', '第3'],
        ['1章', '2章', '3章'],
      ],
    ],
    ['第[0-9a-g]+章の[0-9]と', [digits.map((n) => `章の${n}と`), ['第']]],
    ['灯台守?の娘', [['灯台守の娘', '灯台の娘']]],
    ['(灯台)+守', [['灯台守'], ['灯台']]],
    ['(?:灯台){0,2}守{2}', [['守']]],
    ['\\.md$', [['.md']]],
    ['灯台|港', [['灯台', '港']]],
    ['灯台|', []],
    ['灯.*台|港', [['港', '灯']]],
    ['灯.*台|.', []],
    ['(灯台|港)の鍵', [['灯台の鍵', '港の鍵']]],
    ['[東西]京', [['東京', '西京']]],
    ['[ぁ-ん]京', [['京']]],
    ['[^東]京', [['京']]],
    ['[1-3-]時', [['1時', '2時', '3時', '-時']]],
    [
      '[東西][南北][a-i]上',
      [['東南', '東北', '西南', '西北'], Array.from('abcdefghi', (one) => `${one}上`)],
    ],
    ['(a|b)+', [['a', 'b']]],
    ['(?i)abc', []],
    ['\\Qa.b\\E', []],
    ['[]a]𠮷野', [[']𠮷野', 'a𠮷野']]],
  ])('%s: %j', (source, literals) => {
    const sorted = (lists: readonly (readonly string[])[]): unknown =>
      lists.map((list) => list.toSorted());
    expect(sorted(literalsOf(source))).toEqual(sorted(literals));
  });

  it('trusts only characters without case where case does not count', () => {
    expect(literalsOf('第k章X', 'i')).toEqual([['第'], ['章']]);
    expect(literalsOf('[第a]章', 'i')).toEqual([['章']]);
  });

  it('is right: whatever matches contains all of them', async () => {
    const atom = fc.constantFrom(
      'a',
      'b',
      '海',
      '𠮷',
      '.',
      '[ab]',
      '\\.',
      '\\b',
      '^',
      '\\x61',
      '\\w',
    );
    const times = fc.constantFrom('', '', '', '?', '*', '+', '{2}', '{0,1}', '{1,2}?', '{0}');
    const { pattern } = fc.letrec<{ pattern: string; group: string }>((tie) => ({
      group: tie('pattern').map((inner) => `(${inner})`),
      pattern: fc
        .array(
          fc.tuple(fc.oneof({ depthSize: 'small' }, atom, fc.constant('|'), tie('group')), times),
          {
            maxLength: 5,
          },
        )
        .map((parts) => parts.map(([what, n]) => (what === '|' ? '|' : what + n)).join('')),
    }));
    const character = fc.constantFrom('a', 'b', 'A', '海', '𠮷', '.');
    const texts = fc.array(fc.array(character, { maxLength: 8 }), { minLength: 20, maxLength: 20 });
    let matches = 0;
    await fc.assert(
      fc.asyncProperty(pattern, texts, fc.constantFrom('', 'i'), async (source, tried, flags) => {
        const clause = { kind: 'regex', occur: 'must', start: 0, source, flags } as const;
        const end = source.length + flags.length + 2;
        const regex = await compileRegex({ ...clause, end }).catch(() => undefined);
        for (const text of tried.map((characters) => characters.join(''))) {
          if (regex?.test(text) !== true) continue;
          matches += regex.literals.length;
          for (const list of regex.literals) {
            expect({
              source,
              text,
              list,
              has: list.some((one) => text.includes(one)),
            }).toMatchObject({
              has: true,
            });
          }
        }
      }),
      { numRuns: runs(100) },
    );
    expect(matches).toBeGreaterThan(20);
  });
});
