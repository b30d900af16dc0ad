import { VizPrompt } from '@vizprompt/core';
import { beforeAll, describe, expect, it } from 'vitest';
import { anyStorage } from '../support/open-project.ts';

let vizprompt: VizPrompt;
/** One project for all tests; the last one alone changes it. */
beforeAll(async () => {
  let drop: () => Promise<void> = async () => undefined;
  const storage = await anyStorage((end) => (drop = end));
  vizprompt = await VizPrompt.open({ storage });
  const nodes = [
    {
      prompt: 'ログインの認証はどうする？',
      response: 'JWTを使用し、署名を検証する。',
      tags: ['設計', 'JWT'],
      model: 'a',
    },
    {
      prompt: 'authMiddleware を書いて',
      response: 'app.use(authMiddleware)',
      tags: ['コード'],
      model: 'b',
    },
    { prompt: '猫の名前', response: '名前はまだ無い 🐈', tags: ['設計'], model: 'a' },
    { prompt: 'שלום', response: 'NUL \0 and \u001b[1m and \ud800' },
  ];
  for (const [day, node] of nodes.entries()) {
    await vizprompt.createNode({ ...node, timestamp: `2026-01-0${day + 1}T12:00:00+09:00` });
  }
  return async () => {
    await vizprompt.close();
    await storage.close();
    await drop();
  };
});

describe('search', () => {
  it('finds words of Japanese, code and anything else, best first', async () => {
    const titles = async (text: string): Promise<string[]> =>
      (await vizprompt.searchNodes({ text })).map(({ title }) => title);
    expect(await titles('認証')).toEqual(['ログインの認証はどうする？']);
    expect(await titles('JWT')).toEqual(['ログインの認証はどうする？']);
    expect(await titles('middleware')).toEqual(['authMiddleware を書いて']);
    expect(await titles('認証 猫')).toHaveLength(2);
    expect(await titles('"名前はまだ"')).toEqual(['猫の名前']);
    expect(await titles('🐈')).toEqual(['猫の名前']);
    expect(await titles('שלום')).toEqual(['שלום']);
    expect(await titles('zebra')).toEqual([]);
  });

  it('shows where, with what to highlight', async () => {
    const [hit] = await vizprompt.searchNodes({ text: 'jwt 検証' });
    const { text, highlights } = hit?.snippet ?? { text: '', highlights: [] };
    expect(highlights.map(([start, end]) => text.slice(start, end))).toEqual(['JWT', '検証']);
    expect(hit?.score).toBeGreaterThan(0);
  });

  it('filters by tags, model and time, alone or together, the newest first', async () => {
    const find = async (query: Parameters<typeof vizprompt.searchNodes>[0]): Promise<string[]> =>
      (await vizprompt.searchNodes(query)).map(({ timestamp }) => timestamp.slice(8, 10));
    expect(await find({})).toEqual(['04', '03', '02', '01']);
    expect(await find({ tags: ['設計'] })).toEqual(['03', '01']);
    expect(await find({ tags: ['設計', 'ｊｗｔ'] })).toEqual(['01']);
    expect(await find({ model: 'a', after: '2026-01-02' })).toEqual(['03']);
    expect(await find({ before: '2026-01-02T12:00:00+09:00' })).toEqual(['01']);
    expect(await find({ text: '認証 名前', tags: ['設計'], before: '2026-01-02' })).toEqual(['01']);
    expect(await find({ limit: 1 })).toEqual(['04']);
    await expect(vizprompt.searchNodes({ after: 'last week' })).rejects.toThrow(
      "after: 'last week' is no date or time of ISO 8601",
    );
  });

  it('finds by keywords once they are built', async () => {
    expect(await vizprompt.searchNodes({ keywords: ['jwt'] })).toEqual([]);
    await vizprompt.build();
    const [hit] = await vizprompt.searchNodes({ keywords: ['jwt'] });
    expect(hit?.title).toBe('ログインの認証はどうする？');
    expect(hit?.keywords).toContain('JWT');
  });
});
