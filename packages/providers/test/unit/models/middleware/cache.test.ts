import { LLMError, type ChatEvent, type FileStore, type Storage } from '@vizprompt/providers';
import { cache, compose, fallback } from '@vizprompt/providers/middleware';
import { inMemoryStorage } from '@vizprompt/providers/node';
import { scriptedModel, type ScriptedAnswer } from '@vizprompt/providers/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ask, eventsOf, failureOf, request, streaming, words } from './support.ts';

let storage: Storage;
beforeEach(async () => {
  storage = await inMemoryStorage();
});
afterEach(() => storage.close());

async function keysIn(prefix: string): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of storage.files.list(prefix)) keys.push(key);
  return keys;
}

/** How often the model is asked when a request is followed by another. */
async function callsFor(first: typeof request, second: typeof request): Promise<number> {
  const model = scriptedModel(() => 'はい');
  const composed = compose(model, cache({ store: storage.files }));
  await composed.generate(first);
  await composed.generate(second);
  return model.calls.length;
}

describe('cache', () => {
  it('streams the same events again, without asking the model', async () => {
    const parts = [
      { type: 'reasoning', text: '考え中', meta: { p: { signature: 'x' } } },
      { type: 'text', text: '吾輩は猫である。名前はまだ無い。' },
      { type: 'file', mediaType: 'image/png', data: new Uint8Array([0, 255, 7]) },
      { type: 'file', mediaType: 'image/png', data: new URL('https://example.com/a.png') },
      { type: 'source', url: 'https://example.com/猫', title: '猫' },
      { type: 'tool-call', id: '1', name: 'f', input: { $bytes: 'not bytes', part: null } },
    ] as const;
    const model = scriptedModel([{ parts }]);
    const composed = compose(model, cache({ store: storage.files }));
    const first = await eventsOf(composed.stream(request));
    const second = await eventsOf(composed.stream(request));
    expect(second.slice(0, -1)).toEqual(first.slice(0, -1));
    expect(second.length).toBeGreaterThan(8);
    expect(model.calls).toHaveLength(1);
  });

  it('says of a hit that it cost nothing, and what the first answer did', async () => {
    const usage = { inputTokens: 70, outputTokens: 9, cachedInputTokens: 50 };
    const model = scriptedModel([{ parts: [{ type: 'text', text: 'a' }], usage }]);
    const composed = compose(model, cache({ store: storage.files }));
    expect((await composed.generate(request)).usage).toEqual(usage);
    expect(await composed.generate(request)).toMatchObject({
      usage: { inputTokens: 0, outputTokens: 0 },
      finishReason: 'stop',
      meta: { vizprompt: { cacheHit: true, savedUsage: { inputTokens: 70, outputTokens: 9 } } },
    });
  });

  it('does not look at signal, headers, time limits or the order of keys', async () => {
    const second = {
      temperature: 0,
      seed: undefined,
      ...request,
      signal: new AbortController().signal,
      headers: { a: 'b' },
      timeout: { totalMs: 1000 },
    } as typeof request;
    expect(await callsFor({ ...request, temperature: 0 }, second)).toBe(1);
  });

  it.each([
    ['text', ask('犬ですか')],
    ['an option', ask('猫ですか', { temperature: 1 })],
    ['a tool', ask('猫ですか', { tools: [{ name: 'f', parameters: {} }] })],
    ['options of a provider', ask('猫ですか', { providerOptions: { p: { a: 1 } } })],
  ])('asks again when %s differs', async (_, second) => {
    expect(await callsFor(request, second)).toBe(2);
  });

  it('asks again when the bytes of a file differ', async () => {
    const withFile = (byte: number): typeof request => ({
      messages: [
        {
          role: 'user',
          parts: [{ type: 'file', mediaType: 'image/png', data: new Uint8Array([byte]) }],
        },
      ],
    });
    expect(await callsFor(withFile(1), withFile(2))).toBe(2);
    expect(await callsFor(withFile(3), withFile(3))).toBe(1);
  });

  it('keeps the answers of models apart', async () => {
    const layer = cache({ store: storage.files });
    const small = compose(scriptedModel(['小'], { modelId: 'small' }), layer);
    const large = compose(scriptedModel(['大'], { modelId: 'large' }), layer);
    await small.generate(request);
    expect((await large.generate(request)).text).toBe('大');
  });

  const text = { type: 'text', text: '途中' } as const;
  it.each<[string, ScriptedAnswer]>([
    ['was cut by its length', { parts: [text], finishReason: 'length' }],
    ['was filtered', { parts: [text], finishReason: 'content-filter' }],
    ['is an error', { parts: [text], finishReason: 'error' }],
    ['is empty', { parts: [] }],
    ['failed', new LLMError('server', 'x')],
  ])('does not keep an answer that %s', async (_, answer) => {
    const composed = compose(scriptedModel([answer, 'はい']), cache({ store: storage.files }));
    await composed.generate(request).catch(() => undefined);
    expect(await keysIn('')).toEqual([]);
    expect((await composed.generate(request)).text).toBe('はい');
  });

  it('does not keep an answer that its reader left or aborted', async () => {
    const model = compose(
      scriptedModel(() => '長い長い長い長い答え'),
      cache({ store: storage.files }),
    );
    for await (const event of model.stream(request)) if (event.type === 'text-delta') break;
    const controller = new AbortController();
    await failureOf(
      (async () => {
        for await (const _ of model.stream({ ...request, signal: controller.signal })) {
          controller.abort();
        }
      })(),
    );
    expect(await keysIn('')).toEqual([]);
  });

  it('does not keep what another model said instead', async () => {
    const primary = scriptedModel([new LLMError('server', 'x'), '本物']);
    const layers = [cache({ store: storage.files }), fallback(scriptedModel(['代わり']))];
    const composed = compose(primary, ...layers);
    expect((await composed.generate(request)).text).toBe('代わり');
    expect((await composed.generate(request)).text).toBe('本物');
    expect((await composed.generate(request)).text).toBe('本物');
  });

  it('has kept the answer when its reader sees the finish', async () => {
    const composed = compose(
      scriptedModel(['はい']),
      cache({ store: storage.files, folder: 'a/b' }),
    );
    let kept: readonly string[] = [];
    for await (const event of composed.stream(request)) {
      if (event.type === 'finish') kept = await keysIn('a/b/');
    }
    expect(kept).toHaveLength(1);
  });

  it('asks again when the answer is too old', async () => {
    const model = scriptedModel(() => 'はい');
    const composed = compose(model, cache({ store: storage.files, maxAgeMs: 3_600_000 }));
    await composed.generate(request);
    await composed.generate(request);
    expect(model.calls).toHaveLength(1);
    const [key = ''] = await keysIn('llm-cache/');
    const saved = (await storage.files.read(key))?.text ?? '';
    const old = saved.replace(/"savedAt":\d+/, `"savedAt":${Date.now() - 3_600_001}`);
    await storage.files.write(key, old);
    await composed.generate(request);
    await composed.generate(request);
    expect(model.calls).toHaveLength(2);
  });

  const file = (events: unknown): string => JSON.stringify({ savedAt: Date.now(), events });
  const start = { type: 'start', warnings: [] };
  const finish = { type: 'finish', reason: 'stop', usage: {} };
  it.each<[string, string | Uint8Array]>([
    ['cut', '{"savedAt":1,"eve'],
    ['empty', ''],
    ['no UTF-8', new Uint8Array([255, 254])],
    ['null', 'null'],
    ['other JSON', '{"savedAt":1}'],
    ['without an age', JSON.stringify({ events: [start, finish] })],
    ['without events', file([])],
    ['without an end', file([start])],
    ['without a beginning', file([finish])],
    ['with an unknown event', file([start, { type: 'surprise' }, finish])],
    [
      'with a wrong part',
      file([start, { type: 'part', index: 0, part: { type: 'text' } }, finish]),
    ],
    ['with a wrong index', file([start, { type: 'text-delta', index: -1, text: '' }, finish])],
    ['with a wrong reason', file([start, { ...finish, reason: 'constructor' }])],
    [
      'with a wrong file',
      file([
        start,
        { type: 'part', index: 0, part: { type: 'file', mediaType: 'a/b', data: 'x' } },
        finish,
      ]),
    ],
  ])('takes a file that is %s for a miss, and replaces it', async (_, content) => {
    const model = scriptedModel(() => 'はい');
    const composed = compose(model, cache({ store: storage.files }));
    await composed.generate(request);
    const [key = ''] = await keysIn('llm-cache/');
    await storage.files.write(key, content);
    expect((await composed.generate(request)).text).toBe('はい');
    expect(model.calls).toHaveLength(2);
    await composed.generate(request);
    expect(model.calls).toHaveLength(2);
  });

  it('does without a store that fails', async () => {
    const failing: FileStore = {
      ...storage.files,
      read: () => Promise.reject(new Error('disk')),
      write: () => Promise.reject(new Error('disk')),
    };
    const composed = compose(
      scriptedModel(() => 'はい'),
      cache({ store: failing }),
    );
    expect((await composed.generate(request)).text).toBe('はい');
  });

  it('does not wait for a store longer than its caller', async () => {
    const hanging: FileStore = { ...storage.files, read: () => new Promise(() => undefined) };
    const controller = new AbortController();
    const composed = compose(scriptedModel(['はい']), cache({ store: hanging }));
    setTimeout(() => controller.abort(), 10);
    const call = composed.generate({ ...request, signal: controller.signal });
    expect((await failureOf(call)).code).toBe('aborted');
  });

  it('stops a hit when its reader aborts', async () => {
    const composed = compose(
      streaming(() => words('a', 'b', 'c')),
      cache({ store: storage.files }),
    );
    await composed.generate(request);
    const controller = new AbortController();
    const seen: ChatEvent[] = [];
    const reading = (async () => {
      for await (const event of composed.stream({ ...request, signal: controller.signal })) {
        seen.push(event);
        if (event.type === 'text-delta') controller.abort();
      }
    })();
    expect(await failureOf(reading)).toMatchObject({ code: 'aborted', outputStarted: true });
    expect(seen).toHaveLength(2);
  });
});
