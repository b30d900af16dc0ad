import type { NewEvent } from '@vizprompt/memory';
import { describe, expect, it } from 'vitest';
import { relatedWords } from '../../src/search/related-words.ts';
import { newStore } from '../support/open-store.ts';

const said = (content: string): NewEvent => ({ type: 'user_message', data: { content } });

describe('related words', () => {
  it.each([
    ['Which desserts did Maria bake?', 'brownies'],
    ['What hobbies does he have?', 'fishing'],
    ['what MARTIAL ARTS has she tried', 'karate'],
    ['which test  framework do we use?', 'vitest'],
    ['What database was chosen?', 'postgres'],
    ['pictures of her family', 'photo'],
    ['photos of her family', 'fam'],
    ['どんな楽器を弾くか', 'ピアノ'],
    ['好きな食べ物は？', '寿司'],
    ['どのデータベースにしたか', 'sqlite'],
    ['ﾍﾟｯﾄの名前', '犬'],
  ])('of %s include a member or another form', (query, word) => {
    expect(relatedWords(query).flat()).toContain(word);
  });

  it.each([
    ['"database" as it is written'],
    ['the databased and the foodie'],
    ['動物園に行った'],
    ['データベース化'],
    ['外国語'],
    ['brownies'],
    ['constructor __proto__'],
    [''],
  ])('of %s are none', (query) => {
    expect(relatedWords(query)).toEqual([]);
  });

  it('hold no word twice, and not the one asked for', () => {
    for (const list of relatedWords('movies, photos and a database')) {
      expect(new Set(list).size).toBe(list.length);
      expect(list).not.toContain('movies');
    }
  });

  it('find sessions that name a member of the kind asked for, after those that name the kind', async () => {
    await using store = await newStore();
    const texts = [
      'We had cobbler and brownies with Maria.',
      'The deploy of Monday failed.',
      'For dessert there was something of hers.',
      '昨日はピアノを弾いた。',
    ];
    const ids: string[] = [];
    for (const text of texts) {
      const { id } = await store.startSession({ workspace: '/w' });
      await store.logMany(id, [said(text)]);
      ids.push(id);
    }
    const found = async (query: string): Promise<string[]> =>
      (await store.searchSessions(query)).map(({ session }) => session.id);
    expect(await found('which dessert?')).toEqual([ids[2], ids[0]]);
    expect(await found('どんな楽器を弾く？')).toEqual([ids[3]]);
    const near = await store.search('which dessert?', { around: true });
    expect(near.map(({ event }) => event.session_id)).toEqual([ids[2], ids[0]]);
    // A search for words finds events that have them.
    const words = await store.search('which dessert?');
    expect(words.map(({ event }) => event.session_id)).toEqual([ids[2]]);
    expect(await found('"dessert"')).toEqual([ids[2]]);
  });
});
