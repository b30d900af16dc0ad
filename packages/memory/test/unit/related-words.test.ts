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
    ['Which state did she move to?', 'california'],
    ['what kinds of trees grow there', 'oak'],
    ['any new tools? her favorite place', 'park'],
    ['好きな花は', '桜'],
    ['どんなイベントに行ったか', '花見'],
  ])('of %s include a member or another form', (query, word) => {
    expect(relatedWords(query).flatMap(({ words }) => words)).toContain(word);
  });

  it.each([
    ['"database" as it is written'],
    ['the databased and the foodie'],
    ['動物園に行った'],
    ['データベース化'],
    ['外国語'],
    ['brownies'],
    ['constructor __proto__'],
    ['where is the state kept'],
    ['what was the state, and what is a tree of nodes'],
    ['show the body of the event'],
    ['a tool in place of the job, with its child and home'],
    ['relative subject of nature; game, gem and metal'],
    ['イベントを送る'],
    ['メニューの症状'],
    [''],
  ])('of %s are none', (query) => {
    expect(relatedWords(query)).toEqual([]);
  });

  it('hold no word twice, and not the one asked for', () => {
    for (const { of, words } of relatedWords('movies, photos and a database')) {
      expect(new Set(words).size).toBe(words.length);
      expect(words).not.toContain('movies');
      expect(['movies', 'photos', 'database']).toContain(of);
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

  it.each([
    ['where is the state kept', 'state', 'California'],
    ['which state is kept', 'state', 'California'],
    ['the tree', 'tree', 'an oak'],
    ['which tree is kept', 'tree', 'an oak'],
    ['movies', 'movie', 'a documentary'],
    ['the test framework', 'test framework', 'vitest'],
    ['the database', 'database', 'sqlite'],
    ['楽器', '楽器', 'ピアノ'],
    ['どのデータベースか', 'データベース', 'sqlite'],
  ])('come after what was asked for, however frequent that is: %s', async (query, word, member) => {
    await using store = await newStore();
    for (let at = 0; at <= 60; at++) {
      const { id } = await store.startSession({ id: `s${at}`, workspace: '/w' });
      const text = at === 60 ? `later there was ${member}` : `the ${word} of ${at} is kept`;
      await store.logMany(id, [said(text)]);
    }
    const sessions = await store.searchSessions(query, { limit: 60 });
    const hits = await store.search(query, { around: true, limit: 60 });
    for (const found of [
      sessions.map(({ session }) => session.id),
      hits.map(({ event }) => event.session_id),
    ]) {
      expect(found).toHaveLength(60);
      expect(found).not.toContain('s60');
    }
  });

  it('take no room from the words of a long query', async () => {
    await using store = await newStore();
    const rare = Array.from({ length: 31 }, (_, at) => `qx${at}z`);
    for (const [at, text] of ['we met in Paris', `about ${rare[30]}`, 'jazz and pizza'].entries()) {
      const { id } = await store.startSession({ id: `s${at}`, workspace: '/w' });
      await store.logMany(id, [said(text)]);
    }
    const kinds =
      'database browser city music food clothes hobby fruit vegetable pet movie weather';
    const hits = await store.searchSessions(`${rare.join(' ')} ${kinds}`);
    expect(hits.map(({ session }) => session.id)).toContain('s1');
  });

  it('leave the newest events in place that have a frequent word, where many have a member', async () => {
    await using store = await newStore();
    const { id } = await store.startSession({ workspace: '/w' });
    const texts = Array.from({ length: 3300 }, (_, at) => {
      return said(at < 300 ? `the piano of ${at}` : `an instrument of ${at}`);
    });
    await store.logMany(id, texts);
    const hits = await store.search('which instrument', { around: true, limit: 5 });
    expect(hits.map(({ snippet }) => snippet.text)).toEqual(
      [3299, 3298, 3297, 3296, 3295].map((at) => `an instrument of ${at}`),
    );
  });
});
