import type { NewEvent, SearchFilter } from '@vizprompt/memory';
import { describe, expect, it } from 'vitest';
import { newStore } from '../support/open-store.ts';

const said = (content: string, more: Partial<NewEvent> = {}): NewEvent =>
  ({ type: 'user_message', data: { content }, ...more }) as NewEvent;

describe('search', () => {
  it('finds two characters of Japanese, ASCII within it and parts of identifiers, and marks them', async () => {
    const store = await newStore();
    const { id } = await store.startSession({ workspace: '/home/ann/app' });
    await store.log(id, 'user_message', { content: '認証にはJWTを使用し、猫の設定を変える。' });
    await store.log(id, 'thinking', { content: 'authMiddleware calls parse_user_input 🐈' });
    await store.log(id, 'user_message', { content: 'مرحبا بالعالم' });
    for (const query of [
      '認証',
      'JWT',
      '使用',
      '猫',
      '設定',
      'middleware',
      'input',
      '🐈',
      'مرحبا',
    ]) {
      const [hit, ...rest] = await store.search(query);
      expect([query, rest]).toEqual([query, []]);
      const marked = hit?.snippet.highlights.map(([from, to]) => hit.snippet.text.slice(from, to));
      expect(marked?.join('').toLowerCase()).toContain(query.toLowerCase());
    }
  });

  it('finds the forms of a word, and between quotes only the exact text', async () => {
    const store = await newStore();
    const { id } = await store.startSession();
    const { id: running } = await store.log(id, 'thinking', { content: 'the tests were running' });
    const { id: run } = await store.log(id, 'thinking', { content: 'run the test' });
    const ids = async (query: string): Promise<string[]> =>
      (await store.search(query)).map(({ event }) => event.id);
    expect(await ids('runs')).toEqual([run, running]);
    expect(await ids('"running"')).toEqual([running]);
    expect(await ids('"run the"')).toEqual([run]);
    expect(await ids('the')).toEqual([run, running]);
  });

  it('takes a relative path from the workspace of the session that it searches', async () => {
    const store = await newStore();
    const { id } = await store.startSession({ workspace: '/home/ann/app' });
    const { id: edit } = await store.log(id, 'code_intention', {
      action: 'edit',
      file_path: 'src/a.ts',
      reason: 'rename it',
    });
    const filter = { session: id, path: 'src/a.ts' };
    expect((await store.search('rename', filter)).map(({ event }) => event.id)).toEqual([edit]);
    expect(await store.search('rename', { ...filter, workspace: '/home/bob' })).toEqual([]);
    await expect(store.search('rename', { ...filter, path: '../b.ts' })).rejects.toMatchObject({
      code: 'path-outside',
    });
  });

  it('refuses a cap that is no whole number above 0', async () => {
    const store = await newStore();
    const refused = { code: 'invalid-input', message: expect.stringContaining('cap') };
    for (const cap of [-1, 0, 1.5, Number.NaN]) {
      await expect(store.search('x', { cap })).rejects.toMatchObject(refused);
      await expect(store.searchSessions('x', { cap })).rejects.toMatchObject(refused);
    }
  });

  it('puts the event with more of the rare words first, and of equal ones the newest', async () => {
    const store = await newStore();
    const { id } = await store.startSession();
    const others = Array.from({ length: 30 }, (_, n) => said(`deploy ${n}`));
    await store.logMany(id, [...others, said('the kubernetes deploy broke'), ...others]);
    const [rarest] = await store.search('kubernetes deploy');
    expect(rarest?.event.data).toEqual({ content: 'the kubernetes deploy broke' });
    const newest = await store.search('deploy', { k: 3 });
    expect(newest.map(({ event }) => event.sequence)).toEqual([61, 60, 59]);
  });

  it('puts a short event before one so long that it has some of all words', async () => {
    const store = await newStore();
    const { id } = await store.startSession();
    const { id: short } = await store.log(id, 'user_message', { content: 'zebra' });
    await store.log(id, 'user_message', { content: `zebra ${'filler words '.repeat(300)}` });
    const hits = await store.search('zebra');
    expect(hits).toHaveLength(2);
    expect(hits[0]?.event.id).toBe(short);
  });

  it('ranks by the events around, and gives the answer next to its question', async () => {
    const store = await newStore();
    const { id } = await store.startSession();
    const log = async (content: string): Promise<string> =>
      (await store.log(id, 'user_message', { content })).id;
    for (let n = 0; n < 10; n++) await log(`nothing ${n}`);
    const question = await log('which birthday present did you get from grandma?');
    const answer = await log('a red bicycle!');
    for (let n = 10; n < 20; n++) await log(`something ${n}`);
    const alone = await store.search('birthday present grandma');
    expect(alone.map(({ event }) => event.id)).toEqual([question]);
    const around = await store.search('birthday present grandma', { around: true, k: 2 });
    expect(around.map(({ event }) => event.id)).toEqual([question, answer]);
    const both = await store.search('present bicycle', { k: 1 });
    expect(both[0]?.event.id).toBe(answer);
  });

  it('finds around an event only what fits the filters, and nothing that was forgotten', async () => {
    const store = await newStore();
    const { id } = await store.startSession({ workspace: '/home/me/app' });
    const at = (minute: number): string => `2026-01-01T09:0${minute}:00Z`;
    const hit = await store.log(id, 'user_message', { content: 'xylophone' }, { timestamp: at(1) });
    const thought = await store.log(id, 'thinking', { content: 'a' }, { timestamp: at(2) });
    const gone = await store.log(id, 'assistant_message', { content: 'b' }, { timestamp: at(3) });
    const edit = await store.log(
      id,
      'code_intention',
      { action: 'edit', file_path: '/home/me/app/a.ts', reason: 'xylophone' },
      { timestamp: at(4) },
    );
    await store.forget({ event: gone.id });
    const found = async (filter: SearchFilter): Promise<readonly string[]> => {
      const hits = await store.search('xylophone', { ...filter, around: true });
      return hits.map(({ event }) => event.id).toSorted();
    };
    expect(await found({})).toEqual([hit.id, thought.id, edit.id].toSorted());
    expect(await found({ type: 'user_message' })).toEqual([hit.id]);
    expect(await found({ type: ['user_message', 'thinking'] })).toEqual([hit.id, thought.id]);
    expect(await found({ path: '/home/me/app/a.ts' })).toEqual([edit.id]);
    expect(await found({ before: at(2) })).toEqual([hit.id]);
    expect(await found({ after: at(2) })).toEqual([edit.id]);
    expect(await found({ after: at(1) })).toEqual([thought.id, edit.id].toSorted());
  });

  it.each([
    ['kiln hot', 'is the kiln hot?', 'the kiln is hot'],
    ['窯 熱い', '窯は熱いですか？', '窯は熱いです'],
    ['窯 熱い', '窯は熱いですか。', '窯は熱いです。'],
  ])(
    'puts statements before questions (%s: %s) with around',
    async (query, question, statement) => {
      const store = await newStore();
      const { id } = await store.startSession();
      const answer = await store.log(id, 'assistant_message', { content: statement });
      for (const content of ['one', 'two', 'three']) await store.log(id, 'thinking', { content });
      const asked = await store.log(id, 'user_message', { content: question });
      const ids = async (around: boolean): Promise<string[]> =>
        (await store.search(query, { around, k: 2 })).map(({ event }) => event.id);
      expect(await ids(true)).toEqual([answer.id, asked.id]);
      expect(await ids(false)).toEqual([asked.id, answer.id]);
    },
  );

  it('finds the same best events however many are asked for, where sessions are written in turns', async () => {
    const store = await newStore();
    const sessions = await Promise.all([0, 1, 2].map(() => store.startSession()));
    const words = 'ant bee cat dog elk fox gnu hen ibis jay'.split(' ');
    let state = 7;
    const random = (below: number): number => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return Math.floor((state / 2 ** 32) * below);
    };
    const pick = (): string => words[random(words.length)] ?? '';
    for (let n = 0; n < 30; n++) {
      const session = sessions[n % 3]?.id ?? '';
      await store.log(session, 'user_message', { content: n % 2 ? pick() : `${pick()} ${pick()}` });
    }
    const ids = async (query: string, k: number): Promise<string[]> =>
      (await store.search(query, { k })).map(({ event }) => event.id);
    for (let round = 0; round < 8; round++) {
      const query = `${pick()} ${pick()} ${pick()}`;
      const all = await ids(query, 100);
      for (const k of [1, 2, 5, 10]) expect(await ids(query, k)).toEqual(all.slice(0, k));
    }
  });

  it('filters by workspace, session, type, path and time', async () => {
    const store = await newStore();
    const one = await store.startSession({ workspace: '/home/ann/one' });
    const two = await store.startSession({ workspace: '/home/ann/two' });
    const edit = { action: 'create', file_path: 'src/a.ts', new_content: 'kumquat' } as const;
    await store.logMany(one.id, [
      said('kumquat one', { timestamp: '2024-12-31T23:59:59Z' }),
      said('kumquat two', { timestamp: '2025-03-15T12:00:00Z' }),
      { type: 'thinking', data: { content: 'kumquat' }, timestamp: '2026-01-01T00:00:00Z' },
      { type: 'file_edit', data: { ...edit, diff: '', success: true } },
    ]);
    await store.logMany(two.id, [said('kumquat three')]);
    const count = async (options: object): Promise<number> =>
      (await store.search('kumquat', options)).length;
    expect(await count({})).toBe(5);
    expect(await count({ workspace: '/home/ann/one' })).toBe(4);
    expect(await count({ workspace: '/home/ann/none' })).toBe(0);
    expect(await count({ session: two.id })).toBe(1);
    expect(await count({ type: 'thinking' })).toBe(1);
    expect(await count({ type: ['thinking', 'file_edit'] })).toBe(2);
    expect(await count({ path: '/home/ann/one/src/a.ts' })).toBe(1);
    expect(await count({ workspace: '/home/ann/one', path: 'src/a.ts' })).toBe(1);
    expect(await count({ workspace: '/home/ann/two', path: 'src/a.ts' })).toBe(0);
    expect(await count({ before: '2025-01-01' })).toBe(1);
    expect(await count({ after: '2024-12-31', before: '2025-03-15T12:00:00Z' })).toBe(1);
    expect(await count({ after: '2025-03-15T11:59:59Z', before: '2025-03-15T12:00:01Z' })).toBe(1);
    expect(await count({ after: '2025-06-01', before: '2025-05-01' })).toBe(0);
    expect(await count({ after: '2025-12-31T23:59:59Z', type: 'thinking' })).toBe(1);
    await expect(count({ after: 'yesterday' })).rejects.toMatchObject({ code: 'invalid-input' });
    await expect(count({ session: 'none' })).rejects.toMatchObject({ code: 'session-not-found' });
  });

  it('follows a session that is moved to another workspace', async () => {
    const store = await newStore();
    const { id } = await store.startSession({ workspace: '/home/ann/old' });
    await store.log(id, 'user_message', { content: 'quince' });
    await store.updateSession(id, { workspace: '/home/ann/new' });
    await store.log(id, 'user_message', { content: 'quince again' });
    expect(await store.search('quince', { workspace: '/home/ann/new' })).toHaveLength(2);
    expect(await store.search('quince', { workspace: '/home/ann/old' })).toHaveLength(0);
    await store.updateSession(id, { workspace: '/home/ann/old' });
    expect(await store.search('quince', { workspace: '/home/ann/old' })).toHaveLength(2);
  });

  it('finds sessions by what they are about, with their best events', async () => {
    const store = await newStore();
    const about = async (topic: string): Promise<string> => {
      const { id } = await store.startSession({ workspace: '/home/ann/app' });
      const texts = [`we talk about ${topic}`, `more on ${topic}`, 'and then lunch'];
      await store.logMany(
        id,
        texts.map((text) => said(text)),
      );
      return id;
    };
    const pottery = await about('pottery and kilns');
    const lunch = await about('soup');
    const [first] = await store.searchSessions('which kilns for pottery?');
    expect(first?.session.id).toBe(pottery);
    expect(first?.events.map(({ event }) => event.sequence)).toEqual([2, 1]);
    const both = await store.searchSessions('lunch');
    expect(both.map(({ session }) => session.id)).toEqual([lunch, pottery]);
    expect(await store.searchSessions('lunch', { k: 1 })).toHaveLength(1);
  });
});
