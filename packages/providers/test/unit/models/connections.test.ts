import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { LLMError, textMessage, type ChatModel } from '@vizprompt/providers';
import { gemini } from '@vizprompt/providers/gemini';
import { ollama } from '@vizprompt/providers/ollama';
import { openai, openaiEmbeddings } from '@vizprompt/providers/openai';
import { compose, fallback, retry } from '@vizprompt/providers/middleware';
import { scriptedModel } from '@vizprompt/providers/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { KEY } from '../../support/models/adapters.ts';

const request = { messages: [textMessage('user', '猫ですか')] };
type Fetch = typeof globalThis.fetch;

const models: Readonly<Record<string, (fetch: Fetch) => ChatModel>> = {
  openai: (fetch) => openai({ model: 'm', apiKey: KEY, baseURL: 'http://c.invalid/v1', fetch }),
  gemini: (fetch) => gemini({ model: 'm', apiKey: KEY, baseURL: 'http://c.invalid', fetch }),
  ollama: (fetch) => ollama({ model: 'm', host: 'http://c.invalid', fetch }),
};

const withCode = (code: string, message: string = code): Error =>
  new TypeError('fetch failed', { cause: Object.assign(new Error(message), { code }) });
const named = (name: string, message: string): Error => Object.assign(new Error(message), { name });

/** The errors of runtimes where a connection fails. */
const failures: readonly (readonly [
  what: string,
  error: Error,
  code: string,
  isRetryable?: boolean,
])[] = [
  ['undici: connect', withCode('UND_ERR_CONNECT_TIMEOUT', 'Connect Timeout Error'), 'timeout'],
  ['undici: headers', withCode('UND_ERR_HEADERS_TIMEOUT', 'Headers Timeout Error'), 'timeout'],
  ['undici: body', withCode('UND_ERR_BODY_TIMEOUT', 'Body Timeout Error'), 'timeout'],
  ['undici: socket', withCode('UND_ERR_SOCKET', 'other side closed'), 'network'],
  ['Node: ETIMEDOUT', withCode('ETIMEDOUT', 'connect ETIMEDOUT 203.0.113.1:443'), 'timeout'],
  [
    'Node: several addresses',
    new TypeError('fetch failed', {
      cause: Object.assign(new AggregateError([withCode('ETIMEDOUT')]), { code: 'ETIMEDOUT' }),
    }),
    'timeout',
  ],
  ['Node: ECONNRESET', withCode('ECONNRESET', 'read ECONNRESET'), 'network'],
  ['Node: ECONNREFUSED', withCode('ECONNREFUSED'), 'network'],
  ['Node: ENETUNREACH', withCode('ENETUNREACH'), 'network'],
  ['Node: EHOSTUNREACH', withCode('EHOSTUNREACH'), 'network'],
  ['Node: ENOTFOUND', withCode('ENOTFOUND', 'getaddrinfo ENOTFOUND x'), 'network'],
  ['Node: EAI_AGAIN', withCode('EAI_AGAIN'), 'network'],
  ['Node: a code of 2027', withCode('EQUANTUM'), 'network'],
  [
    'TLS: self-signed',
    withCode('DEPTH_ZERO_SELF_SIGNED_CERT', 'self-signed certificate'),
    'network',
    false,
  ],
  [
    'a proxy: undici, password',
    withCode('UND_ERR_ABORTED', 'Proxy response (407) !== 200 when HTTP Tunneling'),
    'network',
    false,
  ],
  [
    'a proxy: undici, forbidden',
    withCode('UND_ERR_ABORTED', 'Proxy response (403) !== 200 when HTTP Tunneling'),
    'network',
    false,
  ],
  [
    'a proxy: undici, away',
    withCode('UND_ERR_ABORTED', 'Proxy response (502) !== 200 when HTTP Tunneling'),
    'network',
  ],
  [
    'a proxy: Node, password',
    withCode(
      'ERR_PROXY_TUNNEL',
      'Failed to establish tunnel to a:443 via http://b:1: HTTP/1.1 407 Proxy Authentication Required',
    ),
    'network',
    false,
  ],
  [
    'a proxy: Node, away',
    withCode(
      'ERR_PROXY_TUNNEL',
      'Failed to establish tunnel to a:443 via http://b:1: HTTP/1.1 504',
    ),
    'network',
  ],
  ['TLS: expired', withCode('CERT_HAS_EXPIRED', 'certificate has expired'), 'network', false],
  [
    'a signal of its own',
    named('TimeoutError', 'The operation was aborted due to timeout'),
    'timeout',
  ],
  ['Deno: body', new TypeError('error reading a body from connection'), 'network'],
  [
    'Deno: request',
    new TypeError(
      'error sending request for url (http://x/): client error (Connect): tcp connect error: Connection refused (os error 111)',
    ),
    'network',
  ],
  [
    'Deno: name',
    new TypeError(
      'error sending request for url: client error (Connect): dns error: failed to lookup address information',
    ),
    'network',
  ],
  ['Deno: closed', new TypeError('connection closed before message completed'), 'network'],
  [
    'Bun: refused',
    Object.assign(new Error('Unable to connect. Is the computer able to access the url?'), {
      code: 'ConnectionRefused',
    }),
    'network',
  ],
  [
    'Bun: closed',
    Object.assign(new Error('The socket connection was closed unexpectedly.'), {
      code: 'ConnectionClosed',
    }),
    'network',
  ],
  ['Bun: timeout', named('TimeoutError', 'The operation timed out.'), 'timeout'],
  ['node-fetch', new Error('Premature close'), 'network'],
  ['workerd', new Error('Network connection lost.'), 'network'],
  ['a browser', new TypeError('Failed to fetch'), 'network'],
  ['Safari', new TypeError('Load failed'), 'network'],
];

describe.each(Object.entries(models))('a connection of %s that fails', (_, make) => {
  it.each(failures)('is reported: %s', async (_what, thrown, code, isRetryable = true) => {
    let calls = 0;
    const model = make(() => {
      calls++;
      return Promise.reject(thrown);
    });
    const error: unknown = await compose(model, retry({ baseMs: 1 }))
      .generate(request)
      .catch((failure: unknown) => failure);
    if (!LLMError.isInstance(error)) throw error;
    expect({ code: error.code, isRetryable: error.isRetryable, calls }).toEqual({
      code,
      isRetryable,
      calls: isRetryable ? 3 : 1,
    });
    const composed = compose(model, fallback(scriptedModel(['はい'])));
    expect((await composed.generate(request)).text).toBe('はい');
  });
});

it('is reported for embeddings as well', async () => {
  const fetch: Fetch = () => Promise.reject(withCode('UND_ERR_CONNECT_TIMEOUT'));
  const embeddings = openaiEmbeddings({
    model: 'e',
    apiKey: KEY,
    baseURL: 'http://c.invalid/v1',
    fetch,
  });
  await expect(embeddings.embed({ values: ['a'] })).rejects.toMatchObject({
    code: 'timeout',
    isRetryable: true,
  });
});

it('has no limit of the runtime where none was asked for', async () => {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/v1`;
  // The dispatcher of the process gives up after 50 ms.
  await fetch('data:,').then((answer) => answer.text());
  const key = Symbol.for('undici.globalDispatcher.1');
  const usual = Reflect.get(globalThis, key) as object;
  const Agent = usual.constructor as new (options: object) => object;
  Reflect.set(globalThis, key, new Agent({ headersTimeout: 50, bodyTimeout: 50 }));
  onTestFinished(() => {
    Reflect.set(globalThis, key, usual);
    server.closeAllConnections();
    server.close();
  });
  const model = openai({ model: 'm', apiKey: KEY, baseURL: url });
  const generating = model.generate(request);
  const [, response] = (await once(server, 'request')) as [IncomingMessage, ServerResponse];
  // A call of the process itself, which began later, has reached the limit.
  await expect(fetch(url, { method: 'POST' })).rejects.toThrow('fetch failed');
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.end(
    'data: {"choices":[{"index":0,"delta":{"content":"late"},"finish_reason":"stop"}]}\n\n',
  );
  expect((await generating).text).toBe('late');
});
