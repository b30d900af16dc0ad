import { describe, expect, it } from 'vitest';
import type { MemoryStore } from '../../src/index.ts';
import { openMemory } from '../support/capture/open-memory.ts';

async function said(...texts: readonly string[]): Promise<MemoryStore> {
  const store = await openMemory();
  const { id } = await store.startSession({ workspace: '/w' });
  for (const content of texts) await store.log(id, 'user_message', { content });
  return store;
}

async function found(store: MemoryStore, query: string): Promise<readonly string[]> {
  const hits = await store.search(query);
  return hits.map(({ event }) => ('content' in event.data ? event.data.content : ''));
}

describe('words with signs', () => {
  const texts = [
    'C++で数を数える',
    'C#で書いた画面',
    'F#で書いた計算',
    'Cで書いた古い部品',
    '.NETの版を上げる',
    'netの網を張る',
    'Notepad++で開く',
    '設定は.envにある',
    'env を見る',
    '図は a.png と b.png',
  ];

  it.each([
    ['C++', ['C++で数を数える']],
    ['c++ の話', ['C++で数を数える']],
    ['Ｃ＃', ['C#で書いた画面']],
    ['"F#で"', ['F#で書いた計算']],
    ['notepad++', ['Notepad++で開く']],
    ['notepad', ['Notepad++で開く']],
    ['.png', ['図は a.png と b.png']],
  ])('%s is found as it is', async (query, expected) => {
    expect(await found(await said(...texts), query)).toEqual(expected);
  });

  it.each([
    ['.NET', '.NETの版を上げる'],
    ['.env', '設定は.envにある'],
  ])('%s is found before the word alone', async (query, first) => {
    const all = await found(await said(...texts, 'net と env'), query);
    expect(all[0]).toBe(first);
    expect(all).toContain('net と env');
  });

  it('C finds all of them', async () => {
    expect(await found(await said(...texts), 'C')).toHaveLength(3);
  });
});

describe('kanji in another form', () => {
  it.each([
    ['渡辺', '渡邊さんに聞く'],
    ['渡邉', '渡邊さんに聞く'],
    ['高橋', '髙橋さんの案'],
    ['髙橋', '高橋さんの案'],
    ['山崎', '山﨑の設計'],
    ['吉野家', '𠮷野家で昼'],
    ['𠮷野家', '吉野家で昼'],
    ['葛飾', '葛󠄀飾の倉庫'],
    ['學校', '学校の時間割'],
    ['斎藤', '齋藤さん'],
  ])('%s is found in %s', async (query, text) => {
    const store = await said('別の話', text, 'もう一つの話');
    expect(await found(store, query)).toEqual([text]);
    const [hit] = await store.search(query);
    expect(hit?.snippet.text.isWellFormed()).toBe(true);
  });

  it('ranks the form that is asked for first', async () => {
    const store = await said('渡邊に聞く', '渡辺に聞く', '渡邉に聞く');
    expect(await found(store, '渡辺')).toHaveLength(3);
    for (const name of ['渡邊', '渡邉']) {
      const all = await found(store, name);
      expect(all).toHaveLength(3);
      expect(all[0]).toContain(name);
    }
  });

  it('keeps others apart', async () => {
    const store = await said('山田さん', '山口さん', '崎山さん');
    expect(await found(store, '山﨑')).toEqual([]);
  });
});
