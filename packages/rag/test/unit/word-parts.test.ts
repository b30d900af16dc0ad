import { describe, expect, it, onTestFinished } from 'vitest';
import type { SearchBackend } from '../../src/index.ts';
import { BACKENDS } from '../support/backends.ts';
import { openCompact } from '../support/compact-analyzer.ts';

describe.each(Object.entries(BACKENDS))('%s', (_, openBackend) => {
  async function openNovel(): Promise<SearchBackend> {
    const backend = await openBackend(await openCompact());
    onTestFinished(() => backend.close());
    const text = '渡し守が歌を思い出して走った。\n\nHe was running to the catalogue.';
    await backend.updateFile({ novelId: '川', filePath: 'a.md', text });
    return backend;
  }

  it.each(['渡し守*', '*渡し守*', '*守', '走った*', '走っ*', 'running*', '*catalogue', 'cata*'])(
    'finds %s, whatever form the word is kept in',
    async (query) => {
      expect((await (await openNovel()).search(query)).total).toBe(1);
    },
  );

  it('asks for a reading alike in both kana', async () => {
    const backend = await openNovel();
    const [hiragana, katakana] = await Promise.all(
      ['よみ:わたしもり', 'よみ:ワタシモリ'].map((query) => backend.search(query)),
    );
    expect(hiragana?.total).toBe(1);
    expect(katakana?.hits).toEqual(hiragana?.hits);
  });

  it('gives a text that was quoted a score, also where it begins within words', async () => {
    const { hits } = await (await openNovel()).search('"し守が歌"');
    expect(hits.map(({ score }) => score > 0 && score <= 1)).toEqual([true]);
  });
});
