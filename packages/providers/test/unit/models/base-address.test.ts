import { textMessage } from '@vizprompt/providers';
import { anthropic } from '@vizprompt/providers/anthropic';
import { gemini, geminiEmbeddings } from '@vizprompt/providers/gemini';
import { ollama, ollamaEmbeddings } from '@vizprompt/providers/ollama';
import { openai, openaiEmbeddings, openaiResponses } from '@vizprompt/providers/openai';
import { describe, expect, it, vi } from 'vitest';
import { resolveAnthropic } from '../../../src/anthropic/options.ts';
import { resolveConnection } from '../../../src/openai/options.ts';
import { baseAddress } from '../../../src/adapter-kit/unlimited-fetch.ts';
import { fakeServer, KEY } from '../../support/models/adapters.ts';

describe('a query in the address of a server', () => {
  const QUERY = 'api-version=2026-10-01&tenant=%E7%8C%AB%20%26%201';
  const request = { messages: [textMessage('user', 'はい')] };

  interface Options {
    readonly model: string;
    readonly apiKey: string;
    readonly fetch: typeof globalThis.fetch;
  }

  const calls: Readonly<Record<string, (url: string, options: Options) => Promise<unknown>>> = {
    'openai, a stream': (url, options) =>
      openai({ ...options, baseURL: `${url}/v1?${QUERY}` }).generate(request),
    'openai, Responses': (url, options) =>
      openaiResponses({ ...options, baseURL: `${url}/v1/?${QUERY}` }).generate(request),
    'openai, vectors': (url, options) =>
      openaiEmbeddings({ ...options, baseURL: `${url}/v1?${QUERY}` }).embed({ values: ['猫'] }),
    anthropic: (url, options) =>
      anthropic({ ...options, baseURL: `${url}/v1?${QUERY}` }).generate(request),
    'gemini, a stream': (url, options) =>
      gemini({ ...options, baseURL: `${url}?${QUERY}` }).generate(request),
    'gemini, vectors': (url, options) =>
      geminiEmbeddings({ ...options, baseURL: `${url}/?${QUERY}` }).embed({ values: ['猫'] }),
    'ollama, a stream': (url, options) =>
      ollama({ ...options, host: `${url}?${QUERY}` }).generate(request),
    'ollama, vectors': (url, options) =>
      ollamaEmbeddings({ ...options, host: `${url}/?${QUERY}` }).embed({ values: ['猫'] }),
  };

  for (const [what, call] of Object.entries(calls)) {
    it(`goes with every request of ${what}`, async () => {
      const llm = await fakeServer();
      const urls: URL[] = [];
      await call(llm.url, {
        model: 'fake',
        apiKey: KEY,
        fetch(input, init) {
          urls.push(new URL(input instanceof Request ? input.url : input));
          return globalThis.fetch(input, init);
        },
      });
      expect(urls.length).toBeGreaterThan(0);
      for (const { pathname, searchParams } of urls) {
        expect(pathname).toMatch(/^\/(?:v1|v1beta|api)\/[^/]/);
        expect(searchParams.get('api-version')).toBe('2026-10-01');
        expect(searchParams.get('tenant')).toBe('猫 & 1');
      }
    });
  }

  const cases: readonly (readonly [base: string, path: string, url: string])[] = [
    ['https://a/v1', '/chat', 'https://a/v1/chat'],
    ['https://a/v1?b=1', '/chat', 'https://a/v1/chat?b=1'],
    ['https://a/v1?b=1', '/chat?b=2', 'https://a/v1/chat?b=2'],
    ['https://a/v1?b=1&b=2&c', '/chat?d=3', 'https://a/v1/chat?d=3&b=1&b=2&c='],
    ['https://a/v1?b=%2F%3F&c=d?e', '/chat', 'https://a/v1/chat?b=%2F%3F&c=d%3Fe'],
    ['https://a/v1?', '/chat', 'https://a/v1/chat'],
    ['https://a/v1#part', '/chat', 'https://a/v1/chat'],
    ['https://a/v1?b=1#part', '/chat', 'https://a/v1/chat?b=1'],
  ];
  for (const [base, path, url] of cases) {
    it(`of ${base} leads ${path} to ${url}`, async () => {
      for (const wrap of [
        (text: string) => text,
        (text: string) => new URL(text),
        (text: string) => new Request(text),
      ]) {
        let seen = '';
        const { baseURL, fetch } = baseAddress(base, async (input) => {
          seen = input instanceof Request ? input.url : String(input);
          return new Response();
        });
        await fetch(wrap(`${baseURL}${path}`));
        expect(seen).toBe(url);
      }
    });
  }
});

describe('an address without a scheme', () => {
  const makers = { openai, openaiEmbeddings, openaiResponses, anthropic, gemini, geminiEmbeddings };
  it.each(Object.entries(makers))('is refused: %s', (_, make) => {
    for (const [baseURL, shown] of [
      ['localhost:1234/v1', 'localhost:1234'],
      ['127.0.0.1:1234', '127.0.0.1:1234'],
      ['ftp://127.0.0.1/v1', 'ftp://127.0.0.1'],
      [`ftp://files:21/${KEY}`, 'ftp://files:21'],
      [`ann:${KEY}@llm.example.com/v1?key=${KEY}`, 'llm.example.com'],
      [`llm.example.co.jp:443/${KEY}`, 'llm.example.co.jp:443'],
      ['ann:p?ss#word@api.example.com', 'api.example.com'],
    ] as const) {
      const message = `baseURL: expected an address that begins with http:// or https://, got "${shown}"`;
      expect(() => make({ model: 'm', baseURL })).toThrow(message);
    }
    expect(() => make({ model: 'm', baseURL: 'HTTPS://127.0.0.1:1234/v1' })).not.toThrow();
  });

  it.each(Object.entries(makers))('shows no key that was given in its place: %s', (_, make) => {
    const keys = [
      'sk-abcdefghij1234567890abcdef',
      KEY,
      'AQ.Ab8RN6Kx9QzR4tLm',
      'wJalr/K7MDENG+bPxRfiCY',
      'mysecretkey/withmore/ZZ12',
      'mysecretkey/v1',
      'k3f9a/QmZ8aB1cD2eF',
      'correct-horse-battery/staple',
      'abcdef0123456789:12345',
      'ann:12345',
      'my.secret.pass',
      'redis://ann:hunter22Xx',
    ];
    for (const baseURL of keys) {
      const message =
        'baseURL: expected an address that begins with http:// or https://, got another';
      expect(() => make({ model: 'm', baseURL })).toThrow(message);
      for (const part of baseURL.split(/[/:]+/))
        expect(() => make({ model: 'm', baseURL })).not.toThrow(`"${part}`);
    }
  });

  it.each(Object.entries(makers))(
    'is taken if it means http, or by an own fetch: %s',
    (_, make) => {
      for (const baseURL of [' http://127.0.0.1/v1', 'http:/127.0.0.1', '\thttps://127.0.0.1\n'])
        expect(() => make({ model: 'm', baseURL })).not.toThrow();
      expect(() => make({ model: 'm', baseURL: 'app://api/v1', fetch })).not.toThrow();
    },
  );

  it('is that of Anthropic if it is empty', () => {
    for (const baseURL of ['', ' ']) {
      const { baseURL: used, isOwn } = resolveAnthropic({ model: 'm', baseURL });
      expect([used, isOwn]).toEqual(['https://api.anthropic.com', true]);
    }
  });

  it('is one of http for Ollama', () => {
    expect(() => ollama({ model: 'm', baseURL: 'localhost:1234' })).not.toThrow();
  });
});

it('a blank address of the environment is none', () => {
  vi.stubEnv('OPENAI_API_KEY', KEY);
  vi.stubEnv('OPENAI_BASE_URL', '  ');
  expect(resolveConnection({ model: 'fake' }).baseURL).toBe('https://api.openai.com/v1');
  vi.unstubAllEnvs();
});
