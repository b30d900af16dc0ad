import { createMemoryApp } from '@vizprompt/memory/http';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyString } from '../../../../providers/test/support/fuzz.ts';
import { newStore, randomRuns } from '../../support/open-store.ts';

const NAMES = [
  'limit',
  'type',
  'path',
  'after',
  'before',
  'workspace',
  'session',
  'state',
  'time',
  'event',
  'q',
  'k',
];
const FIELDS = [
  'session_id',
  'type',
  'data',
  'id',
  'meta',
  'workspace_path',
  'metadata',
  'ended_at',
];

/** Any text, also with NUL, marks of direction and halves of characters. */
const text = fc.oneof(
  anyString(),
  fc.constantFrom(
    '\0',
    '\ud800',
    '\u202e',
    '-1',
    '1e9',
    '../../..',
    '/',
    '__proto__',
    'user_message',
  ),
);

describe('whatever is asked', () => {
  it('is answered with JSON, and never by an error inside', async () => {
    const store = await newStore();
    const app = await createMemoryApp(store);
    const { id } = await store.startSession({ workspace: '/a' });
    const { id: event } = await store.log(id, 'user_message', { content: 'x' });
    const paths = [
      'sessions',
      `sessions/${id}`,
      `sessions/${id}/events`,
      `events/${event}`,
      'search',
      'files',
      'stats',
    ];
    const path = fc.oneof(
      fc.constantFrom(...paths),
      text.map((part) => `events/${encodeURIComponent(part.toWellFormed())}`),
      text.map((part) => `files/${encodeURIComponent(part.toWellFormed())}/history`),
      text.map((part) => `files/${encodeURIComponent(part.toWellFormed())}/at`),
      text.map((part) => `sessions/${part.replaceAll(/[^\x21-\x7e]/g, '%')}`),
    );
    const query = fc.array(fc.tuple(fc.constantFrom(...NAMES), text), { maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(path, query, async (place, pairs) => {
        const asked = new URLSearchParams(pairs.map(([name, value]) => [name, value]));
        const response = await app.request(`http://localhost/api/${place}?${asked}`);
        expect([place, String(asked), response.status < 500]).toEqual([place, String(asked), true]);
        expect(response.headers.get('content-type')).toMatch(/^application\/(?:problem\+)?json/);
        await response.json();
      }),
      { numRuns: randomRuns(100) },
    );
  });

  it('stores an event as a whole or not at all', async () => {
    const store = await newStore({ redact: false });
    const app = await createMemoryApp(store);
    const { id } = await store.startSession({ workspace: '/a' });
    const value = fc.oneof(fc.constant(id), text, fc.jsonValue(), fc.constant({ content: 'x' }));
    const wild = fc.dictionary(fc.oneof(fc.constantFrom(...FIELDS), text), value, { maxKeys: 4 });
    const near = fc.record({
      session_id: fc.constant(id),
      type: fc.constantFrom('user_message', 'thinking'),
      data: fc.dictionary(
        fc.constantFrom('content', 'context', 'extra'),
        fc.oneof(text, fc.jsonValue()),
      ),
    });
    const right = fc.record({
      session_id: fc.constant(id),
      type: fc.constant('thinking'),
      data: fc.record({ content: text }),
    });
    let stored = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('events', 'sessions', `sessions/${id}`),
        fc.oneof(wild, near, right),
        async (place, body) => {
          const response = await app.request(`http://localhost/api/${place}`, {
            method: place.endsWith(id) ? 'PATCH' : 'POST',
            headers: { 'Content-Type': 'application/json' },
            body: JSON.stringify(body),
          });
          const answer: unknown = await response.json();
          expect([body, answer, response.status < 500]).toEqual([body, answer, true]);
          const isStored = place === 'events' && response.status === 201;
          if (isStored) stored++;
          expect(answer).toMatchObject(isStored ? { sequence: stored, data: body['data'] } : {});
          if (place.endsWith(id)) await store.updateSession(id, { endedAt: null });
        },
      ),
      { numRuns: randomRuns(120) },
    );
    expect(stored).toBeGreaterThan(10);
    const { event_count: count } = await store.getSession(id);
    expect([count, (await store.check()).problems]).toEqual([stored, []]);
  });
});
