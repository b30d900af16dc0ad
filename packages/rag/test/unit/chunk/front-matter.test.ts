import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { runs } from '../../../../providers/test/support/fuzz.ts';
import { readFrontMatter } from '../../../src/chunk/front-matter.ts';

describe('front matter', () => {
  it.each([
    ['title: 灯台の島', '灯台の島', []],
    ['title: "灯台の島: 序"', '灯台の島: 序', []],
    ["title: '#1'", '#1', []],
    [String.raw`title: "\u53f0"`, '台', []],
    ['title: a\n  b', 'a b', []],
    ['title: a #b', 'a', []],
    ['title: 2024-01-01\nweight:\nauthor: null', '2024-01-01', []],
    ['Title: 島\nTags: 伏線、鍵, 伏線', '島', ['伏線', '鍵']],
    ['tags: [伏線, "鍵", 第 1 章]', undefined, ['伏線', '鍵', '第 1 章']],
    ['tags:\n  - 伏線\n  - "#鍵"', undefined, ['伏線', '鍵']],
    ['tags:\n- 伏線\n\ntitle: 島', '島', ['伏線']],
  ])('of %j says title and tags', async (yaml, title, tags) => {
    const expected = title === undefined ? { tags } : { title, tags };
    expect(await readFrontMatter(`${yaml}\n`)).toEqual(expected);
    expect(await readFrontMatter(`${yaml}\n`.replaceAll('\n', '\r\n'))).toEqual(expected);
  });

  it.each([
    ['another indent', 'tags:\n  - a\n   - b\n - c\n'],
    ['a list below a word', 'tags: a\n- b\n'],
    ['two colons', 'title: a: b\n'],
    ['a very long key', `${'a'.repeat(1100)}: b\n`],
    ['text', 'title: a\n霧が出た。\n'],
    ['nothing', '\n'],
    ['a list alone', '- a\n- b\n'],
  ])('is not %s', async (_, yaml) => {
    expect(await readFrontMatter(yaml)).toBeUndefined();
  });

  it('is read as a writer of YAML wrote it', async () => {
    const word = fc.stringMatching(/^[0-9A-Za-z灯台島、:#'"[\]{}&*!|>%@`-]{1,12}$/u);
    await fc.assert(
      fc.asyncProperty(word, fc.uniqueArray(word, { maxLength: 4 }), async (title, tags) => {
        const found = await readFrontMatter(stringify({ title, tags }));
        expect(found?.title).toBe(title);
        const own = tags.map((tag) => tag.replace(/^#/u, '')).filter((tag) => tag !== '');
        expect(found?.tags).toEqual([...new Set(own)]);
      }),
      { numRuns: runs(100) },
    );
  });
});
