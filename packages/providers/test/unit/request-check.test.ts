import { LOCAL_HOSTS } from '@vizprompt/providers/serving';
import { describe, expect, it } from 'vitest';
import { createRequestCheck, SERVING_HEADERS } from '../../src/serving/request-check.ts';

const check = createRequestCheck({
  allowedHosts: [...LOCAL_HOSTS, 'Viz.example'],
  allowedOrigins: ['https://App.example:8443', 'named.example', 'null'],
});

describe('who may ask a server', () => {
  it.each([
    [undefined, undefined, 421],
    ['', undefined, 421],
    ['localhost', undefined, undefined],
    ['LOCALHOST:8080', undefined, undefined],
    ['127.0.0.1:', undefined, undefined],
    ['[::1]:8080', undefined, undefined],
    ['viz.example:1', undefined, undefined],
    ['evil.example', undefined, 421],
    ['localhost.evil.example', undefined, 421],
    ['127.0.0.1.evil.example:80', undefined, 421],
    ['x@127.0.0.1', undefined, 421],
    ['127.0.0.1#', undefined, 421],
    ['127.0.0.1/', undefined, 421],
    ['127.0.0.1\\evil', undefined, 421],
    ['127.0.0.1?', undefined, 421],
    ['127.0.0.1 ', undefined, 421],
    ['127.0.0.1:80:80', undefined, 421],
    ['127.0.0.1:x', undefined, 421],
    ['localhost,evil.example', undefined, 421],
    ['localhost.', undefined, 421],
    ['::1', undefined, 421],
    ['0177.0.0.1', undefined, 421],
    ['127.1', undefined, 421],
    ['localhost:80', 'http://localhost:80', undefined],
    ['localhost:8080', 'http://localhost:8080', undefined],
    ['localhost:8080', 'https://localhost:8080', undefined],
    ['localhost:8080', 'http://localhost:8081', 403],
    ['localhost:8080', 'http://localhost', 403],
    ['localhost:8080', 'http://127.0.0.1:8080', 403],
    ['127.0.0.1:8080', 'http://[::1]:8080', 403],
    ['127.0.0.1:8080', 'https://evil.example', 403],
    ['127.0.0.1:8080', 'http://127.0.0.1:8080.evil.example', 403],
    ['127.0.0.1:8080', 'http://evil.localhost', 403],
    ['127.0.0.1:8080', 'chrome-extension://abc', 403],
    ['127.0.0.1:8080', 'file://', 403],
    ['127.0.0.1:8080', '', 403],
    ['127.0.0.1:8080', 'null', undefined],
    ['127.0.0.1:8080', 'https://app.example:8443', undefined],
    ['127.0.0.1:8080', 'https://app.example', 403],
    ['127.0.0.1:8080', 'http://named.example:1', undefined],
    ['127.0.0.1:8080', 'http://sub.named.example', 403],
    // A page that made its own name lead here says the same name twice.
    ['evil.example:8080', 'http://evil.example:8080', 421],
  ])('host %s, origin %s: %s', (host, origin, status) => {
    expect(check({ host, origin })?.status).toBe(status);
  });

  it('gets an error that says what to change', () => {
    expect(check({ host: 'evil.example' })?.message).toContain('allowedHosts');
    expect(check({ host: 'localhost', origin: 'http://a' })?.message).toContain('allowedOrigins');
  });

  it('no page of others embeds or shows what it answers', () => {
    expect(SERVING_HEADERS).toMatchObject({
      'Content-Security-Policy': "frame-ancestors 'none'",
      'Cross-Origin-Resource-Policy': 'same-origin',
    });
  });
});
