import { LLMError, type ModelRegistry } from '@vizprompt/providers';
import { createModelRegistry } from '@vizprompt/providers/registry';
import { scriptedModel, startFakeLLM } from '@vizprompt/providers/testing';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { keywordsOf } from '../../src/build/keywords.ts';
import { guessLanguage } from '@vizprompt/providers/internal';
import { sentencesOf, wordsOf } from '../../src/build/sentences.ts';
import { shorten } from '../../src/build/shorten.ts';
import { offlineSummarizer } from '../../src/build/summarize-offline.ts';
import { openProject, record, testProject } from '../support/open-project.ts';

afterEach(() => void vi.unstubAllEnvs());

const japanese = {
  prompt: '猫カフェの予約サイトを作りたいです。認証はどうするのがいいでしょうか？',
  response: `おすすめはセッション認証です。セッションはサーバーが状態を持つので、ログアウトがすぐに効きます。
JWTはサーバーが状態を持たないので、台数を増やしやすい方式です。しかし、発行したトークンを途中で無効にするのが難しくなります。
店舗が一つで利用者が数千人なら、Cookieとセッションの組み合わせで十分です。将来アプリを作るときに、もう一度考えましょう。`,
};
const english = {
  prompt: 'How do I keep two people from booking the same seat at the same time?',
  response: `Lock the row of the time slot before you count its bookings. A lock makes the second booking
wait until the first one has been committed, so it sees the new count. Without a lock, both requests count the
same free seat, and both are accepted. A unique constraint on slot and seat is a second line of defence. Optimistic
checks work too, but then one of the two people gets an error and has to try again.`,
};

describe('a summary without a model', () => {
  const summarize = offlineSummarizer({ maxWords: 50 });

  it.each([
    ['Japanese', japanese, 'ja', 'セッション'],
    ['English', english, 'en', 'lock'],
  ] as const)(
    'of %s is made of its own sentences, at most 50 words',
    async (_, node, language, tag) => {
      const { summary, tags, keywords } = await summarize(node);
      const words = [...wordsOf(summary, language)].length;
      expect(words).toBeLessThanOrEqual(50);
      expect(words).toBeGreaterThanOrEqual(20);
      const text = `${node.prompt}\n${node.response}`.replaceAll(/\s+/g, ' ');
      for (const sentence of sentencesOf(summary)) {
        expect(text).toContain(sentence.replace(/…$/, '').trim());
      }
      expect(tags.length).toBeGreaterThanOrEqual(3);
      expect(tags.length).toBeLessThanOrEqual(7);
      expect(tags.map((word) => word.toLowerCase())).toContain(tag);
      expect(keywords).toEqual(expect.arrayContaining([...tags]));
    },
  );

  it('is the text itself where that is short, and empty for nothing', async () => {
    expect((await summarize({ prompt: '猫は？', response: 'います。' })).summary).toBe(
      '猫は？います。',
    );
    expect(await summarize({ prompt: '', response: '' })).toEqual({
      summary: '',
      tags: [],
      keywords: [],
    });
    const code = { prompt: '', response: '```ts\nconst a = 1;\n```' };
    expect((await summarize(code)).summary).toContain('const a = 1;');
  });

  it('keeps to a limit of tokens, whatever the text', async () => {
    const limited = offlineSummarizer({ maxWords: 50, maxTokens: 20 });
    for (const node of [
      japanese,
      english,
      { prompt: 'あ'.repeat(5000), response: 'x'.repeat(5000) },
    ]) {
      const { summary } = await limited(node);
      expect(shorten(summary, { maxWords: 50, maxTokens: 20 })).toBe(summary);
    }
  });

  it('takes linear time: a quadratic one would come to no end', async () => {
    for (const node of [
      { prompt: '。'.repeat(20_000), response: 'これは文です。'.repeat(5000) },
      { prompt: '*'.repeat(40_000), response: '`'.repeat(40_000) },
    ]) {
      const { summary } = await summarize(node);
      expect(summary.length).toBeLessThan(1000);
    }
  });
});

describe('language', () => {
  it('is recognized by kana', () => {
    expect(guessLanguage(japanese.prompt)).toBe('ja');
    expect(guessLanguage(english.prompt)).toBe('en');
    expect(guessLanguage('TypeScriptのinterfaceとtypeの違い')).toBe('ja');
    expect(guessLanguage('')).toBe('en');
  });

  it('has sentences that end as they do in either', () => {
    expect(sentencesOf('A is 1.5 big. B! 「そうか。」と言った。\n- 項目\n## 見出し')).toEqual([
      'A is 1.5 big.',
      'B!',
      '「そうか。」と言った。',
      '項目',
      '見出し',
    ]);
  });

  it('has distinctive keywords', () => {
    const found = keywordsOf(
      '2時間働いたら30分休む。予約の予約。authMiddleware を設定ファイルで設定する',
      5,
    );
    expect(found).toContain('authMiddleware');
    expect(found).toContain('予約');
    expect(found).not.toContain('分休');
    expect(keywordsOf('the of and because', 5)).toEqual([]);
  });
});

describe('build', () => {
  it('builds what is outdated, reports progress, and then has nothing to do', async () => {
    const { heard, on } = record();
    const vizprompt = await openProject({ on });
    await vizprompt.createNode(japanese);
    await vizprompt.createNode(english);
    await vizprompt.createNode({ prompt: '答えを待っている', status: 'pending' });
    expect(await vizprompt.build()).toEqual({ built: 2, failed: [], postponed: 0 });
    expect(heard.at(-1)).toEqual(['build:progress', { done: 3, total: 3 }]);
    const [, node] = await vizprompt.searchNodes({});
    expect(node?.summary).not.toBe('');
    expect(await vizprompt.build()).toEqual({ built: 0, failed: [], postponed: 0 });
  });

  it('keeps tags that were set by hand, and replaces its own', async () => {
    const vizprompt = await openProject();
    const node = await vizprompt.createNode({
      prompt: '認証と認証',
      response: '認証',
      tags: ['大事'],
    });
    expect((await vizprompt.buildSummary(node.id)).tags).toEqual(['大事', '認証']);
    await vizprompt.updateNode(node.id, { prompt: '料理の話', response: '料理' });
    expect((await vizprompt.buildSummary(node.id)).tags).toEqual(['大事', '料理']);
  });

  it('asks a model for a summary and tags, in the language of the node', async () => {
    const model = scriptedModel(({ messages }) => {
      const text = JSON.stringify(messages);
      return text.includes('要約とタグ付け')
        ? '要約: 猫カフェの認証方式を検討した。\nタグ: 認証, セッション、 JWT'
        : '**Summary:** Two bookings, one seat.\n**Tags:** #lock, booking, "seat"';
    });
    const vizprompt = await openProject({ model });
    const a = await vizprompt.createNode(japanese);
    const b = await vizprompt.createNode(english);
    expect(await vizprompt.build({ concurrency: 2 })).toMatchObject({ built: 2 });
    expect(await vizprompt.getNode(a.id)).toMatchObject({
      summary: { text: '猫カフェの認証方式を検討した。', isOutdated: false },
      tags: ['認証', 'セッション', 'JWT'],
    });
    expect((await vizprompt.getNode(b.id)).summary.text).toBe('Two bookings, one seat.');
    expect(model.calls).toHaveLength(2);
    expect(JSON.stringify(model.calls)).toContain(
      '以下の形式で出力してください：\\n要約: [30-50単語程度の簡潔な説明]\\nタグ: [3-7個の重要キーワードをカンマ区切り]',
    );
  });

  it('leaves only the node outdated for which the model fails', async () => {
    const { heard, on } = record();
    const failure = new LLMError('rate_limit', 'slow down');
    const script = [failure, 'no form at all', 'Summary: fine\nTags: a, b, c'];
    const vizprompt = await openProject({ on, model: scriptedModel(script) });
    for (const prompt of ['x', 'y', 'z']) await vizprompt.createNode({ prompt });
    const report = await vizprompt.build({ concurrency: 1 });
    expect(report.built).toBe(1);
    expect(report.failed.map(({ error }) => (error as LLMError).code)).toEqual([
      'rate_limit',
      'output_parse',
    ]);
    expect(heard.filter(([name]) => name === 'build:failed')).toHaveLength(2);
    const outdated = (await vizprompt.searchNodes({})).filter(({ summary }) => summary === '');
    expect(outdated.map(({ title }) => title)).toEqual(['y', 'x']);
    expect(await vizprompt.build({ model: null })).toMatchObject({ built: 2 });
  });

  it('stops on abort; what was built stays', async () => {
    const controller = new AbortController();
    let calls = 0;
    const model = scriptedModel(() => {
      calls++;
      if (calls === 3) controller.abort(new Error('enough'));
      return 'Summary: s\nTags: a, b, c';
    });
    const vizprompt = await openProject({ model });
    for (let i = 0; i < 10; i++) await vizprompt.createNode({ prompt: `node ${i}` });
    const building = vizprompt.build({ concurrency: 1, signal: controller.signal });
    await expect(building).rejects.toThrow('enough');
    expect(calls).toBeLessThan(5);
    expect(await vizprompt.build({ model: null })).toMatchObject({ built: 8 });
  });

  it('takes the model that the settings name from the registry', async () => {
    const asked: unknown[] = [];
    const model = scriptedModel(() => 'Summary: by the registry\nTags: a, b, c');
    const registry: ModelRegistry = {
      specVersion: 1,
      model: (name, settings) => {
        asked.push([name, settings]);
        return model;
      },
      embeddings: () => {
        throw new Error('not asked for');
      },
    };
    vi.stubEnv('TEST_KEY', 'key');
    const { vizprompt, read, write, reopen } = await testProject();
    await vizprompt.createNode({ prompt: 'x' });
    const config = await read('config.yaml');
    await write('config.yaml', config.replace('OPENAI_API_KEY', 'TEST_KEY'));
    const careful = await reopen({ registry });
    await expect(careful.build()).rejects.toMatchObject({
      code: 'untrusted',
      message: expect.stringContaining('the value of TEST_KEY goes to https://api.openai.com/v1'),
    });
    const project = await reopen({ registry, trust: true });
    expect(asked).toEqual([]);
    await project.build();
    expect(asked).toEqual([['openai:gpt-4', { apiKey: 'key' }]]);
    expect((await project.searchNodes({}))[0]?.summary).toBe('by the registry');
  });

  it.each([
    ['a provider and a model', 'default_llm_provider: ai-sdk', 'default_model: "eventemitter3:m"'],
    ['one name', '', 'default_model: "ai-sdk:eventemitter3:m"'],
  ])('loads a package that the settings name by consent only: %s', async (_, provider, name) => {
    const { vizprompt, read, write, reopen } = await testProject();
    await vizprompt.createNode({ prompt: 'x' });
    const config = await read('config.yaml');
    const named = config
      .replace('default_llm_provider: openai', provider)
      .replace('default_model: gpt-4', name);
    await write('config.yaml', named);
    const registry = createModelRegistry();
    const careful = await reopen({ registry });
    await expect(careful.build()).rejects.toMatchObject({
      code: 'untrusted',
      message: expect.stringContaining('the package eventemitter3 is loaded and run'),
    });
    const trusting = await reopen({ registry, trust: true });
    const { failed } = await trusting.build();
    expect(String(failed[0]?.error)).toContain('is no provider of the AI SDK');
  });

  it('leaves the registry what it knows, where the settings were never changed', async () => {
    const llm = await startFakeLLM({ answer: 'Summary: by a server\nTags: a, b, c' });
    onTestFinished(() => llm.close());
    vi.stubEnv('OPENAI_API_KEY', 'of-the-environment');
    const registry = createModelRegistry(
      { openai: { baseURL: `${llm.url}/v1`, apiKey: 'of-the-registry' } },
      { aliases: { fast: 'openai:small' } },
    );
    const { vizprompt, read, write, reopen } = await testProject();
    await vizprompt.createNode({ prompt: 'x' });
    const project = await reopen({ registry });
    expect(await project.build()).toMatchObject({ built: 1, failed: [] });
    const config = await read('config.yaml');
    await write(
      'config.yaml',
      config
        .replace(/ *default_llm_provider: openai\n/, '')
        .replace('default_model: gpt-4', 'default_model: fast'),
    );
    const again = await reopen({ registry });
    await again.createNode({ prompt: 'y' });
    expect(await again.build()).toMatchObject({ built: 1, failed: [] });
    expect(llm.requests.map(({ model, headers }) => [model, headers['authorization']])).toEqual([
      ['gpt-4', 'Bearer of-the-registry'],
      ['small', 'Bearer of-the-registry'],
    ]);
  });
});
