import { createMemoryApp } from '@vizprompt/memory/http';
import { createLogger } from '@vizprompt/providers';
import { describe, expect, it } from 'vitest';
import { newStore } from '../../support/open-store.ts';
import { rawRequest, serveStore, type Wire } from '../../support/http/serve-store.ts';

const NOBODY = '01990000-0000-7000-8000-000000000000';

/** Returns a body of unknown length. */
function streamOf(text: string): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      controller.enqueue(bytes.subarray(at, (at += 1000)));
      if (at >= bytes.length) controller.close();
    },
  });
}

describe('a problem', () => {
  it('says what was wrong with a request, as RFC 9457 has it', async () => {
    const { call, store } = await serveStore();
    const { id } = await store.startSession({ workspace: '/a' });
    const ended = await store.startSession({ workspace: '/a' });
    await store.endSession(ended.id);
    const diff = '@@ -1 +1 @@\n-a\n+b\n';
    const edit = { action: 'edit', file_path: 'diff.ts', diff, success: true } as const;
    await store.log(id, 'file_edit', edit);
    const event = (data: unknown, more: object = {}): object => {
      return { method: 'POST', body: { session_id: id, type: 'user_message', data, ...more } };
    };
    const cases: readonly [string, object, number, string, RegExp][] = [
      [`/api/sessions/${NOBODY}`, {}, 404, 'session-not-found', new RegExp(NOBODY)],
      [`/api/sessions/${NOBODY}/events`, {}, 404, 'session-not-found', /no session/],
      [`/api/events/${NOBODY}`, {}, 404, 'event-not-found', /no event/],
      ['/api/sessions/%00', {}, 400, 'invalid-input', /NUL/],
      ['/api/sessions?before=%00', {}, 400, 'invalid-input', /NUL/],
      ['/api/nothing', {}, 404, 'not-found', /openapi\.json/],
      ['/', {}, 404, 'not-found', /openapi\.json/],
      ['/api/sessions?limit=0', {}, 400, 'invalid-input', /query\.limit/],
      ['/api/sessions?limit=501', {}, 400, 'invalid-input', /query\.limit/],
      ['/api/sessions?limit=1&limit=2', {}, 400, 'invalid-input', /query\.limit/],
      ['/api/sessions?colour=red', {}, 400, 'invalid-input', /colour/],
      ['/api/sessions?workspace=relative', {}, 400, 'invalid-input', /absolute/],
      [`/api/sessions/${id}/events?type=song`, {}, 400, 'invalid-input', /query\.type/],
      [`/api/sessions/${id}/events?after=-1`, {}, 400, 'invalid-input', /query\.after/],
      [`/api/sessions/${id}/events?path=../x`, {}, 400, 'path-outside', /outside/],
      ['/api/search', {}, 400, 'invalid-input', /query\.q/],
      ['/api/search?q=a&after=yesterday', {}, 400, 'invalid-input', /ISO 8601/],
      ['/api/search?q=a&path=src/a.ts', {}, 400, 'invalid-input', /relative/],
      ['/api/files/src%2Fa.ts/history', {}, 400, 'invalid-input', /relative/],
      ['/api/files/..%2Fx/history?workspace=/a', {}, 400, 'path-outside', /outside/],
      ['/api/files/%00/history?workspace=/a', {}, 400, 'invalid-input', /NUL/],
      ['/api/files/src%2Fa.ts/at', {}, 400, 'invalid-input', /relative/],
      [
        '/api/files/%2Fa%2Fa.ts/at?time=yesterday',
        {},
        400,
        'invalid-input',
        /^time is "yesterday": write it as ISO 8601, such as \d/,
      ],
      [`/api/files/%2Fa%2Fa.ts/at?event=${id}`, {}, 404, 'event-not-found', /./],
      ['/api/files/%2Fa%2Fnone.ts/at', {}, 404, 'event-not-found', /no edit of/],
      ['/api/files/%2Fa%2Fdiff.ts/at', {}, 409, 'edit-conflict', /cannot be rebuilt/],
      ['/api/events', event({ content: 1 }), 400, 'invalid-input', /content.*must be a string/],
      ['/api/events', event({ content: '', mood: 'x' }), 400, 'invalid-input', /no field 'mood'/],
      ['/api/events', event({ content: '' }, { type: 'song' }), 400, 'invalid-input', /body\.type/],
      ['/api/events', event({ content: '' }, { sequence: 9 }), 400, 'invalid-input', /sequence/],
      ['/api/events', event({ content: '\ud800' }), 400, 'invalid-text', /./],
      [
        '/api/events',
        event({ content: '' }, { session_id: NOBODY }),
        404,
        'session-not-found',
        /./,
      ],
      ['/api/events', event({ content: '' }, { session_id: ended.id }), 409, 'session-ended', /./],
      ['/api/sessions', { method: 'POST', body: { id, workspace_path: '/a' } }, 409, 'exists', /./],
      ['/api/sessions', { method: 'POST', body: {} }, 400, 'invalid-input', /workspace_path/],
      ['/api/sessions', { method: 'POST', body: '{"a":' }, 400, 'invalid-input', /not JSON/],
      [
        '/api/sessions',
        { method: 'POST', body: Uint8Array.of(34, 255, 34) },
        400,
        'invalid-text',
        /UTF-8/,
      ],
      [
        `/api/sessions/${id}`,
        { method: 'PATCH', body: {} },
        400,
        'invalid-input',
        /nothing to change/,
      ],
      [
        `/api/sessions/${id}`,
        { method: 'PATCH', body: { ended_at: 'soon' } },
        400,
        'invalid-input',
        /./,
      ],
      [
        '/api/sessions',
        { method: 'POST', body: '{}', headers: { 'Content-Type': 'text/plain' } },
        415,
        'not-json',
        /application\/json/,
      ],
      ['/api/sessions', { method: 'DELETE' }, 405, 'method-not-allowed', /GET, POST/],
      [`/api/events/${id}`, { method: 'PATCH', body: {} }, 405, 'method-not-allowed', /GET/],
    ];
    for (const [path, init, status, code, detail] of cases) {
      const answer = await call(path, init);
      expect([path, answer.status, answer.body.code]).toEqual([path, status, code]);
      expect(answer.headers.get('content-type')).toBe('application/problem+json');
      expect(answer.body).toMatchObject({ type: 'about:blank', status });
      expect(answer.body.title).toMatch(/^[A-Z]/);
      expect(answer.body.detail).toMatch(detail);
    }
    const wrong = await call('/api/sessions?limit=x&state=y');
    expect(wrong.body.errors.map(({ field }: Wire) => field)).toEqual([
      'query.state',
      'query.limit',
    ]);
    const none = await call('/api/sessions', { method: 'DELETE' });
    expect(none.headers.get('allow')).toBe('GET, POST');
    expect((await store.stats()).events).toBe(1);
  });

  it('reports bodies that are too large, with or without their length', async () => {
    const { call, store } = await serveStore(
      { maxBodyBytes: 200_000 },
      await newStore({ maxContentBytes: 100_000 }),
    );
    const { id } = await store.startSession({ workspace: '/a' });
    const body = (length: number): object => ({
      session_id: id,
      type: 'user_message',
      data: { content: 'x'.repeat(length) },
    });
    const post = { method: 'POST' };
    const large = await call('/api/events', { ...post, body: body(100_001) });
    expect([large.status, large.body.code]).toEqual([413, 'too-large']);
    const larger = await call('/api/events', { ...post, body: body(300_000) });
    expect([larger.status, larger.body.detail]).toEqual([413, 'bodies have at most 200000 bytes']);
    const app = await createMemoryApp(store, { maxBodyBytes: 200_000 });
    const chunked = await app.request('http://localhost/api/events', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: streamOf(JSON.stringify(body(300_000))),
      duplex: 'half',
    } as RequestInit);
    expect(chunked.status).toBe(413);
    expect((await call('/api/events', { ...post, body: body(1000) })).status).toBe(201);
    expect((await store.stats()).events).toBe(1);
  });

  it('reveals nothing of an internal failure', async () => {
    const errors: unknown[] = [];
    const store = await newStore();
    const logger = createLogger({ level: 'error', sinks: [(entry) => errors.push(entry)] });
    const { call } = await serveStore({ logger }, store);
    await store.close();
    const closed = await call('/api/stats');
    expect([closed.status, closed.body.code]).toEqual([503, 'closed']);
    expect(closed.headers.get('retry-after')).toBe('1');
    expect(JSON.stringify(errors)).toContain('closed');
  });
});

describe('a server', () => {
  it('answers for its own names alone', async () => {
    const { url } = await serveStore();
    const { port } = new URL(url);
    for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, 'LOCALHOST', '[::1]:80']) {
      expect([host, (await rawRequest(`${url}/api/stats`, { host })).status]).toEqual([host, 200]);
    }
    for (const host of [`evil.example:${port}`, '127.0.0.1.evil.example', 'localhost.evil']) {
      const answer = await rawRequest(`${url}/api/stats`, { host });
      expect([answer.status, answer.body]).toEqual([421, expect.stringContaining('allowedHosts')]);
    }
    // No URL may have such a name, which the server passes on all the same.
    expect((await rawRequest(`${url}/api/stats`, { host: `xn--localhost:${port}` })).status).toBe(
      421,
    );
    const named = await serveStore({ allowedHosts: ['memory.example'] });
    const stats = `${named.url}/api/stats`;
    expect((await rawRequest(stats, { host: 'Memory.example' })).status).toBe(200);
    expect((await rawRequest(stats, { host: 'localhost' })).status).toBe(421);
  });

  it('answers pages of its own origin, and of those that are allowed', async () => {
    const { url } = await serveStore({ allowedOrigins: ['http://localhost:5173'] });
    const stats = `${url}/api/stats`;
    const of = (origin: string): ReturnType<typeof rawRequest> => rawRequest(stats, { origin });
    expect((await of(url)).status).toBe(200);
    const allowed = await of('http://localhost:5173');
    expect([allowed.status, allowed.headers['access-control-allow-origin']]).toEqual([
      200,
      'http://localhost:5173',
    ]);
    for (const origin of ['http://localhost:5174', 'https://evil.example', 'null']) {
      const refused = await of(origin);
      expect([refused.status, refused.headers['access-control-allow-origin']]).toEqual([
        403,
        undefined,
      ]);
    }
    const preflight = await fetch(stats, {
      method: 'OPTIONS',
      headers: {
        Origin: 'http://localhost:5173',
        'Access-Control-Request-Method': 'PATCH',
        'Access-Control-Request-Headers': 'authorization,content-type',
      },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-methods')).toContain('PATCH');
  });

  it('asks for the token, where there is one', async () => {
    const token = 'a-token-of-some-length';
    const { call, url } = await serveStore({ token });
    for (const authorization of ['', 'Bearer', `Bearer ${token}x`, token, `Basic ${token}`]) {
      const answer = await call(
        '/api/stats',
        authorization === '' ? {} : { headers: { authorization } },
      );
      expect([authorization, answer.status]).toEqual([authorization, 401]);
      expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    }
    for (const path of ['/api/openapi.json', '/api/sessions', '/api/none']) {
      expect((await fetch(url + path)).status).toBe(401);
    }
    for (const authorization of [`Bearer ${token}`, `bearer ${token}`]) {
      expect((await call('/api/stats', { headers: { authorization } })).status).toBe(200);
    }
    const store = await newStore();
    await expect(createMemoryApp(store, { token: 'short' })).rejects.toThrow(
      'at least 16 characters',
    );
    await expect(createMemoryApp(store, { pollMs: 0 })).rejects.toThrow("'pollMs'");
  });
});
