import { LLMError, type ChatModel, type FileStore, type Storage } from '@vizprompt/providers';
import { compose } from '@vizprompt/providers/middleware';
import { inMemoryStorage } from '@vizprompt/providers/node';
import { createModelRegistry } from '@vizprompt/providers/registry';
import {
  record,
  replay,
  scriptedModel,
  startFakeLLM,
  type Script,
} from '@vizprompt/providers/testing';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { ask, eventsOf, failureOf, pause, request, streaming, words } from './support.ts';

let storage: Storage;
let store: FileStore;
beforeEach(async () => {
  storage = await inMemoryStorage();
  store = storage.files;
});
afterEach(() => storage.close());

const recording = (script: Script): ChatModel => compose(scriptedModel(script), record({ store }));
const replaying = (): ChatModel => compose(scriptedModel([]), replay({ store }));

async function files(): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for await (const { key } of store.list('')) found[key] = (await store.read(key))?.text ?? '';
  return found;
}

describe('record and replay', () => {
  it('give back the events as they were, without the model', async () => {
    const recorded = await eventsOf(
      recording(['吾輩は猫である。名前はまだ無い。']).stream(request),
    );
    expect(await eventsOf(replaying().stream(request))).toEqual(recorded);
  });

  it('keep bytes and URLs, and leave JSON that looks so as it is', async () => {
    const parts = [
      { type: 'file', mediaType: 'image/png', data: new Uint8Array([0, 255, 7]), name: '絵' },
      { type: 'file', mediaType: 'image/png', data: new URL('https://example.com/猫.png') },
      { type: 'tool-call', id: '1', name: 'f', input: { $bytes: 'AAAA' } },
    ] as const;
    const sent = { messages: [{ role: 'user', parts: parts.slice(0, 2) }] } as const;
    await recording([parts]).generate(sent);
    const result = await replaying().generate(sent);
    expect(result.parts).toEqual(parts);
    const other = {
      messages: [{ role: 'user', parts: [{ ...parts[0], data: new Uint8Array([1]) }] }],
    } as const;
    expect((await failureOf(replaying().generate(other))).code).toBe('not_found');
  });

  it('do not take bytes that look like a secret for one', async () => {
    const data = new Uint8Array(Buffer.from('AKIAABCDEFGH12345678', 'base64'));
    const parts = [{ type: 'file', mediaType: 'image/png', data }] as const;
    await recording([parts]).generate(request);
    expect((await replaying().generate(request)).parts).toEqual(parts);
  });

  it('writes files that people can read, one event a line', async () => {
    await recording(['はい']).generate(ask('猫ですか', { temperature: 0 }));
    const [[key, text] = ['', '']] = Object.entries(await files());
    expect(key).toMatch(/^cassettes\/[0-9a-f]{16}-1\.json$/);
    expect(text).toBe(`{
  "version": 1,
  "call": {
    "modelId": "script",
    "provider": "scripted",
    "request": {
      "messages": [
        {
          "parts": [
            {
              "text": "猫ですか",
              "type": "text"
            }
          ],
          "role": "user"
        }
      ],
      "temperature": 0
    }
  },
  "events": [
    {"model":"script","type":"start","warnings":[]},
    {"index":0,"text":"はい","type":"text-delta"},
    {"index":0,"part":{"text":"はい","type":"text"},"type":"part"},
    {"reason":"stop","type":"finish","usage":{"inputTokens":4,"outputTokens":2}}
  ]
}
`);
  });

  it('leave secrets and headers out, and find the cassette all the same', async () => {
    const key = `sk-proj-${'abcdefghij0123456789'.repeat(2)}`;
    const asked = ask(`my key is ${key}`, {
      headers: { authorization: `Bearer ${key}` },
      providerOptions: { p: { api_key: 'hunter2hunter2' } },
      tools: [{ name: 'login', parameters: { properties: { password: { type: 'string' } } } }],
    });
    const parts = [
      { type: 'text', text: `you said ${key}, and no more` },
      { type: 'tool-call', id: '1', name: 'f', input: { key, password: 'hunter2hunter2' } },
    ] as const;
    await recording([parts]).generate(asked);
    const [text = ''] = Object.values(await files());
    expect(text).not.toContain(key.slice(0, 12));
    expect(text).not.toContain('hunter2');
    expect(text).not.toContain('headers');
    expect(text).toContain('"password": {');
    const events = await eventsOf(replaying().stream(asked));
    const deltas = events.map((event) => (event.type === 'text-delta' ? event.text : ''));
    expect(deltas.join('')).toBe('you said [redacted:openai-key], and no more');
    expect((await replaying().generate(asked)).text).toBe(deltas.join(''));
  });

  it('number the same request in the order of the calls; then the last one repeats', async () => {
    let count = 0;
    const counting = streaming(() => words(['一', '二', '三'][count++] ?? ''), {
      provider: 'scripted',
      modelId: 'script',
    });
    const model = compose(counting, record({ store }));
    await Promise.all([
      model.generate(request),
      model.generate(ask('別')),
      model.generate(request),
    ]);
    expect(Object.keys(await files())).toHaveLength(3);
    const again = replaying();
    const texts: string[] = [];
    for (let call = 0; call < 4; call++) texts.push((await again.generate(request)).text);
    expect(new Set(texts.slice(0, 2)).size).toBe(2);
    expect(texts.slice(2)).toEqual([texts[1], texts[1]]);
    const other = (await again.generate(ask('別'))).text;
    expect(new Set([...texts, other])).toEqual(new Set(['一', '二', '三']));
    expect((await replaying().generate(request)).text).toBe(texts[0]);
  });

  it('give back the answers to the same request in the order they were asked', async () => {
    const model = recording(['一', '二']);
    await model.generate(request);
    await model.generate(request);
    const again = replaying();
    expect((await again.generate(request)).text).toBe('一');
    expect((await again.generate(request)).text).toBe('二');
    expect((await again.generate(request)).text).toBe('二');
  });

  it('replace what an earlier run recorded of a request, and nothing else', async () => {
    const first = recording(() => '古い');
    for (const text of ['a', 'a', 'b']) await first.generate(ask(text));
    await recording(['新しい']).generate(ask('a'));
    expect(Object.keys(await files())).toHaveLength(2);
    const again = replaying();
    await again.generate(ask('a'));
    expect((await again.generate(ask('a'))).text).toBe('新しい');
    expect((await again.generate(ask('b'))).text).toBe('古い');
  });

  it('give back errors, with what had come before them', async () => {
    const failing = streaming(
      async function* () {
        yield { type: 'start', warnings: [] };
        yield { type: 'text-delta', index: 0, text: '途中' };
        throw new LLMError('rate_limit', 'slow down', {
          retryAfterMs: 5,
          status: 429,
          isRetryable: false,
        });
      },
      { provider: 'scripted', modelId: 'script' },
    );
    await failureOf(compose(failing, record({ store })).generate(request));
    expect(await failureOf(replaying().generate(request))).toMatchObject({
      code: 'rate_limit',
      message: 'slow down',
      retryAfterMs: 5,
      status: 429,
      isRetryable: false,
      outputStarted: true,
      partial: { text: '途中' },
    });
  });

  it('keep what a reader left, as far as it came', async () => {
    const model = recording(['長い長い長い長い答え']);
    for await (const event of model.stream(request)) if (event.type === 'text-delta') break;
    const error = await failureOf(replaying().generate(request));
    expect(error).toMatchObject({ code: 'truncated', partial: { text: '長い長い長い長い' } });
  });

  it('do not lose a cassette to a store that is slow to delete the old ones', async () => {
    await recording(['古い']).generate(request);
    const slow: FileStore = {
      ...store,
      delete: async (key) => {
        await pause(30);
        return store.delete(key);
      },
    };
    const model = compose(
      scriptedModel(() => '新しい'),
      record({ store: slow }),
    );
    await Promise.all([model.generate(request), model.generate(request)]);
    expect(Object.keys(await files())).toHaveLength(2);
    expect((await replaying().generate(request)).text).toBe('新しい');
  });

  it('leave what was recorded where it is known that the model cannot be asked', async () => {
    vi.stubEnv('GROQ_API_KEY', '');
    onTestFinished(() => void vi.unstubAllEnvs());
    await using llm = await startFakeLLM({ answer: 'はい' });
    const models = createModelRegistry();
    const real = models.model('groq:m', { baseURL: `${llm.url}/v1`, apiKey: 'k' });
    const keyless = models.model('groq:m');
    expect(keyless.provider).toBe(real.provider);
    await compose(real, record({ store })).generate(request);
    const recorded = await files();
    const error = await failureOf(compose(keyless, record({ store })).generate(request));
    expect(error).toMatchObject({
      code: 'auth',
      message: expect.stringContaining('GROQ_API_KEY'),
    });
    expect(Object.keys(recorded)).toHaveLength(1);
    expect(await files()).toEqual(recorded);
  });

  it('fail the call when a cassette cannot be written', async () => {
    const full: FileStore = {
      ...store,
      list: store.list,
      write: () => Promise.reject(new Error('full')),
    };
    const error = await failureOf(
      compose(scriptedModel(['はい']), record({ store: full })).generate(request),
    );
    expect(error.message).toContain('full');
  });
});

describe('a request without a cassette', () => {
  it('is refused with the lines that differ from the nearest one', async () => {
    const model = recording(() => 'はい');
    await model.generate(ask('犬ですか', { temperature: 1, seed: 4, topK: 3 }));
    await model.generate(ask('猫ですか\n二行目', { temperature: 0 }));
    const error = await failureOf(
      replaying().generate(ask('猫ですか\n三行目', { temperature: 0 })),
    );
    expect(error).toMatchObject({ code: 'not_found', provider: 'scripted', modelId: 'script' });
    expect(error.message.replace(/[0-9a-f]{16}/, 'HASH')).toBe(
      "there is no cassette for this request to scripted model 'script': " +
        "the nearest is 'cassettes/HASH-1.json' (- recorded, + asked)\n" +
        '- 二行目",\n+ 三行目",',
    );
  });

  it('is refused with a hint where there is no cassette at all', async () => {
    const error = await failureOf(replaying().generate(request));
    expect(error.message).toContain("'cassettes' holds no cassette at all; make one with record()");
  });

  it('gets a diff of bearable length', async () => {
    await recording(['はい']).generate(ask('あ\n'.repeat(3000)));
    const error = await failureOf(replaying().generate(ask('い\n'.repeat(3000))));
    expect(error.message.split('\n').length).toBeLessThan(50);
    expect(error.message).toMatch(/… and \d+ more lines$/);
  });

  it('reports a damaged cassette', async () => {
    await recording(['はい']).generate(request);
    const [key = ''] = Object.keys(await files());
    for (const text of [
      '{',
      '{}',
      '{"version":1,"events":[1]}',
      '{"version":1,"events":[],"error":{}}',
    ]) {
      await store.write(key, text);
      const error = await failureOf(replaying().generate(request));
      expect(error).toMatchObject({ code: 'bad_response', context: { key } });
    }
  });
});
