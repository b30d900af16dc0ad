import { parseQuery, SearchError, type SearchFilter } from '@vizprompt/rag';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../providers/test/support/fuzz.ts';
import { compileFilter } from '../../../src/query/compile-filter.ts';

const CHUNKS = [
  { novelId: '灯台', filePath: '設定/人物/灯.md', tags: ['人物', 'ＳＦ'] },
  { novelId: '灯台', filePath: '本文/第一章(改).md', tags: ['草稿'] },
  { novelId: '灯台', filePath: '本文/第二章.md', tags: [] },
  { novelId: '港町', filePath: 'notes/a b[1].md', tags: ['人物', '草稿'] },
  { novelId: '港町', filePath: '.hidden/か\u3099.txt' },
] as const;

/** Which of the chunks pass, by their number. */
async function passing(filter: SearchFilter, query = ''): Promise<readonly number[]> {
  const passes = await compileFilter(filter, parseQuery(query).clauses);
  return CHUNKS.flatMap((chunk, number) => (passes(chunk) ? [number] : []));
}

describe('compileFilter', () => {
  it('lets everything through that is not spoken of', async () => {
    expect(await passing({}, '灯台 "嵐" -夜')).toEqual([0, 1, 2, 3, 4]);
  });

  it('takes any of the projects, any of the files, all of the tags', async () => {
    expect(await passing({ projects: ['港町', '山'] })).toEqual([3, 4]);
    expect(await passing({ files: ['本文/第二章.md', 'notes/**'] })).toEqual([2, 3]);
    expect(await passing({ tags: ['人物'] })).toEqual([0, 3]);
    expect(await passing({ tags: ['人物', 'sf'] })).toEqual([0]);
    expect(await passing({ projects: [] })).toEqual([]);
    expect(await passing({ files: [] })).toEqual([]);
  });

  it('adds what the query says: one of its paths, all of its tags, none of those with a minus', async () => {
    expect(await passing({}, 'path:設定/** path:notes/**')).toEqual([0, 3]);
    expect(await passing({}, 'tag:人物 tag:草稿')).toEqual([3]);
    expect(await passing({}, 'tag:人物 -tag:草稿')).toEqual([0]);
    expect(await passing({}, '-path:本文/** -path:notes/**')).toEqual([0, 4]);
    expect(await passing({ files: ['本文/**'] }, 'path:**/第二章.md')).toEqual([2]);
  });

  it.each<[string, readonly number[]]>([
    ['path:*.md', [0, 1, 2, 3]],
    ['path:本文/*(改)*', [1]],
    ['path:本文/第?章.md', [2]],
    ['path:本文/第[!二三]章*.md', [1]],
    ['path:{設定,notes}/**', [0, 3]],
    ['path:"notes/a b[1].md"', [3]],
    ['path:本文/', [1, 2]],
    ['path:./本文\\第二章.md', [2]],
    ['path:本*/', [1, 2]],
    ['path:が*', [4]],
    ['path:.hidden/が.txt', [4]],
    ['path:本文', []],
    ['path:本文/第{一,二}章*', [1, 2]],
    ['path:本文/第[一-二]章.md', [2]],
    ['path:*/*/*', [0]],
    ['path:**', [0, 1, 2, 3, 4]],
    ['path:notes/*b[1]*', [3]],
  ])('%s', async (query, numbers) => {
    expect(await passing({}, query)).toEqual(numbers);
  });

  it.each([
    ['stars', '*a*a*a*a*a*a*a*b'],
    ['stars and question marks', '*?*?*?*?*?*?*?*?*?*?*?x'],
    ['braces', `${'{*,*}'.repeat(60)}b`],
    ['folders', `${'**/*a'.repeat(60)}b`],
    ['braces in braces', `${'{a,'.repeat(80)}b${'}'.repeat(80)}*c`],
    ['braces that are not closed', '{,'.repeat(240)],
  ])('tests a long name against a glob with many %s', async (_, glob) => {
    const filePath = 'a'.repeat(60);
    for (const filter of [{ files: [glob] }, { files: [`**/${glob}`] }]) {
      expect((await compileFilter(filter))({ novelId: '', filePath })).toBe(false);
    }
  });

  it('says which glob is too long, and what to give instead', async () => {
    const error = await passing({}, `path:${'{*,*}'.repeat(101)}`).catch((cause: unknown) => cause);
    expect(error).toBeInstanceOf(SearchError);
    expect(error).toMatchObject({
      code: 'query-invalid',
      message: expect.stringMatching(/^the glob '\{\*,.*' has 505 characters and may have 500: /u),
    });
    await expect(passing({ files: ['*'.repeat(501)] })).rejects.toThrow('name a folder');
  });

  it('takes any text as a glob, and a path as itself', async () => {
    const sign = fc.constantFrom(
      '*',
      '?',
      '[',
      ']',
      '{',
      '}',
      '(',
      ')',
      '!',
      '+',
      '/',
      '|',
      '^',
      '-',
    );
    const piece = fc.oneof(sign, fc.constantFrom('a', '章', '𠮷', ',', '..'));
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { minLength: 1, maxLength: 7 }), async (parts) => {
        const filePath = parts.join('').replace(/^(?:\.\/)+|\/$/u, 'a');
        const passes = await compileFilter({ files: [filePath] });
        expect(passes({ novelId: '', filePath })).toBe(true);
      }),
      { numRuns: runs(300) },
    );
  });
});
